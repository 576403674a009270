// A cache that forgets what was not used for the longest time.
//
// Every entry has a cost (1 if not said); the costs of all entries together stay within the
// capacity. An entry that alone costs more than the capacity is not kept.
#pragma once

#include <cstddef>
#include <list>
#include <unordered_map>
#include <utility>

namespace quill::cache {

template <typename Key, typename Value>
class LruCache {
 public:
  explicit LruCache(size_t capacity) : capacity_(capacity) {}

  // Null if it is not there. The pointer is good until the next Put, Erase or Resize.
  Value* Get(const Key& key) {
    const auto found = places_.find(key);
    if (found == places_.end()) {
      ++misses_;
      return nullptr;
    }
    ++hits_;
    Touch(found->second);
    return &found->second->value;
  }

  // Adds an entry or replaces it; either way it is the one used last.
  void Put(Key key, Value value, size_t cost = 1) {
    const auto found = places_.find(key);
    if (found != places_.end()) {
      Entry& entry = *found->second;
      cost_ = cost_ - entry.cost + cost;
      entry.value = std::move(value);
      entry.cost = cost;
      Touch(found->second);
    } else {
      entries_.push_front(Entry{key, std::move(value), cost});
      places_.emplace(std::move(key), entries_.begin());
      cost_ += cost;
    }
    Shrink();
  }

  bool Contains(const Key& key) const { return places_.find(key) != places_.end(); }

  bool Erase(const Key& key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return false;
    cost_ -= found->second->cost;
    entries_.erase(found->second);
    places_.erase(found);
    return true;
  }

  void Resize(size_t capacity) {
    capacity_ = capacity;
    Shrink();
  }

  size_t size() const { return entries_.size(); }
  size_t cost() const { return cost_; }
  size_t hits() const { return hits_; }
  size_t misses() const { return misses_; }

 private:
  struct Entry {
    Key key;
    Value value;
    size_t cost;
  };
  using Place = typename std::list<Entry>::iterator;

  void Touch(Place place) { entries_.splice(entries_.begin(), entries_, place); }

  void Shrink() {
    while (cost_ > capacity_) EvictOldest();
  }

  void EvictOldest() {
    const Entry& oldest = entries_.back();
    cost_ -= oldest.cost;
    places_.erase(oldest.key);
    entries_.pop_back();
  }

  size_t capacity_;
  size_t cost_ = 0;
  size_t hits_ = 0;
  size_t misses_ = 0;
  std::list<Entry> entries_;  // the one used last first
  std::unordered_map<Key, Place> places_;
};

}  // namespace quill::cache
