// An exception that nobody catches, thrown as the last thing that a function does.
static volatile int sink;

void step() { ++sink; }

void toss() {
  step();
  throw 7;  // HERE throw: the next instruction is another function's
}
void after() { step(); }

int main() {
  toss();
  after();
}
