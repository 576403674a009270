#include "queue.h"

#include <stdexcept>

void Queue::Push(int value) { values_.push_back(value); }

int Queue::Pop() {
  if (values_.empty()) throw std::out_of_range("the queue is empty");
  const int value = values_.back();  // the fault: this is the newest
  values_.pop_back();
  return value;
}

int Queue::Newest() const { return values_.back(); }

int Queue::Share(int whole) const { return whole / values_.back(); }

int* Queue::Find(int value) {
  for (int& one : values_) {
    if (one == value) return &one;
  }
  return nullptr;
}
