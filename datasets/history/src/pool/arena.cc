#include "quill/pool/arena.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace quill::pool {
namespace {

size_t RoundUp(size_t value, size_t align) { return (value + align - 1) & ~(align - 1); }

}  // namespace

void* Arena::Allocate(size_t size, size_t align) {
  if (void* const piece = TryAllocate(size, align)) return piece;
  AddBlock(std::max(block_size_, size + align));
  return TryAllocate(size, align);
}

std::string_view Arena::Copy(std::string_view text) {
  char* const copy = static_cast<char*>(Allocate(text.size() + 1, 1));
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return {copy, text.size()};
}

void Arena::Reset() {
  if (blocks_.size() > 1) blocks_.resize(1);
  if (!blocks_.empty()) blocks_.front().used = 0;
  used_total_ = 0;
}

void* Arena::TryAllocate(size_t size, size_t align) {
  if (blocks_.empty()) return nullptr;
  Block& block = blocks_.back();
  const auto base = reinterpret_cast<uintptr_t>(block.bytes.get());
  const size_t begin = RoundUp(base + block.used, align) - base;
  if (begin + size > block.size) return nullptr;
  block.used = begin + size;
  used_total_ += size;
  return block.bytes.get() + begin;
}

void Arena::AddBlock(size_t size) {
  Block& block = blocks_.emplace_back();
  block.bytes = std::make_unique<std::byte[]>(size);
  block.size = size;
}

}  // namespace quill::pool
