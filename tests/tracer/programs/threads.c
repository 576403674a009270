/* Four threads that each call a function of their own, a known number of times. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn;

int work0(int n) { return n; }
int work1(int n) { return n + 1; }
int work2(int n) { return n + 2; }
int work3(int n) { return n + 3; }

static int (*const works[])(int) = {work0, work1, work2, work3};

static void* run(void* argument) {
  const int self = (int)(long)argument;
  for (int i = 0; i < 50; ++i) {
    pthread_mutex_lock(&lock);
    turn += works[self](i);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, run, (void*)(i + 1));
  run((void*)0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
