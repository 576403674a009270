/* Recording that starts, stops and changes its granularity. The lines of `marked` count: the test names them. */
int noise(int n) { return n; }

int parse_word(int n) {
  int word = n;
  word += noise(n);
  return word;
}

int parse(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += parse_word(i);
  return sum;
}

int marked(int n) {
  n += noise(1); /* line 17 */
  n += noise(2);
  n += noise(3); /* line 19 */
  n += noise(4);
  return n;
}

int shutdown(int n) { return noise(n); }

int main(void) {
  int sum = noise(0);
  sum += parse(2);
  sum += marked(1);
  sum += noise(5);
  sum += shutdown(sum);
  sum += noise(6);
  return sum & 0;
}
