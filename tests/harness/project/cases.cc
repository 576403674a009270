#include <gtest/gtest.h>
#include <unistd.h>

#include "queue.h"

TEST(Queue, TakesOne) {
  Queue queue;
  queue.Push(1);
  EXPECT_EQ(queue.Newest(), 1);
}

TEST(Queue, Order) {
  Queue queue;
  queue.Push(1);
  queue.Push(2);
  EXPECT_EQ(queue.Pop(), 1) << "the first in is the first out";
}

TEST(Queue, Empty) {
  Queue queue;
  queue.Pop();
}

TEST(Crash, FindsNothing) {
  Queue queue;
  queue.Push(1);
  EXPECT_EQ(*queue.Find(2), 2);
}

TEST(Divide, ByNothing) {
  Queue queue;
  queue.Push(0);
  std::cout << "dividing\n" << std::flush;
  EXPECT_EQ(queue.Share(4), 2);
}

TEST(Hang, Waits) {
  Queue queue;
  for (;; usleep(1000)) queue.Push(1);
}
