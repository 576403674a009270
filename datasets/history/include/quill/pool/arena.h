// Memory that is given out piece by piece and taken back all at once.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace quill::pool {

class Arena {
 public:
  // Asks the system for blocks of `block_size` bytes, or more where one piece needs more.
  explicit Arena(size_t block_size = 4096) : block_size_(block_size) {}

  // `align` is a power of two. The bytes stay where they are until Reset.
  void* Allocate(size_t size, size_t align = alignof(std::max_align_t));
  // A copy of the text that lives as long as the arena.
  std::string_view Copy(std::string_view text);
  // Takes all pieces back; keeps the first block.
  void Reset();

  size_t blocks() const { return blocks_.size(); }
  size_t used() const { return used_total_; }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    size_t size = 0;
    size_t used = 0;
  };

  // Null if the last block has no room left.
  void* TryAllocate(size_t size, size_t align);
  void AddBlock(size_t size);

  size_t block_size_;
  size_t used_total_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace quill::pool
