#pragma once

#include <vector>

// A queue with faults.
class Queue {
 public:
  void Push(int value);
  int Pop();  // of the front; throws when it is empty
  int Newest() const;
  int Share(int whole) const;  // of the newest
  int* Find(int value);

 private:
  std::vector<int> values_;
};
