/* An instruction that Valgrind does not know. */
void work(void) {}
int main(void) {
  work();
  __asm__ volatile("vpxorq %zmm0, %zmm0, %zmm0");
  return 0;
}
