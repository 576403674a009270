// Numbers are given to places when code is translated, and their lines must be in the file before the first event with
// that number can be. That is what Flush is for.
#include "tracer/pin/sites.h"

#include "tracer/pin/kernel.h"
#include "tracer/raw/raw_format.h"

namespace oscope::pin {
namespace {

std::string Hex(uint64_t number) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
    number /= 16;
  } while (number != 0);
  return digits;
}

}  // namespace

std::string Escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%') {
      escaped += c;
      continue;
    }
    escaped += '%';
    escaped += "0123456789ABCDEF"[byte / 16];
    escaped += "0123456789ABCDEF"[byte % 16];
  }
  return escaped;
}

void Sites::Open(const std::string& path) {
  path_ = path;
  file_bytes_ = 0;
  lines_.clear();
}

uint32_t Sites::AddObject(uint64_t bias, const std::string& path) {
  const uint32_t number = object_count_++;
  lines_ += "object " + std::to_string(number) + " " + Hex(bias) + " " + Escape(path) + "\n";
  return number;
}

uint32_t Sites::Add(char kind, uint32_t object, uint64_t address, const std::string& name) {
  const auto known = numbers_.find(Key{kind, object, address});
  if (known != numbers_.end()) return known->second;
  if (site_count_ == OSC_RAW_MAX_SITES) return kNone;
  const uint32_t number = site_count_++;
  numbers_.emplace(Key{kind, object, address}, number);
  lines_ += "site " + std::to_string(number) + " " + kind + " " + (object == kNone ? "-" : std::to_string(object)) +
            " " + Hex(address);
  if (!name.empty()) lines_ += " " + Escape(name);
  lines_ += "\n";
  return number;
}

void Sites::AddThread(uint32_t ordinal, uint32_t tid) {
  lines_ += "thread " + std::to_string(ordinal) + " " + std::to_string(tid) + "\n";
}

void Sites::AddNote(const std::string& text) {
  lines_ += "note ";
  for (const char c : text) lines_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  lines_ += "\n";
}

bool Sites::Flush() {
  if (lines_.empty() || path_.empty()) {
    lines_.clear();
    return true;
  }
  const bool fits = file_bytes_ + lines_.size() <= kernel::FileSizeLimit();
  const int64_t file = fits ? kernel::Open(path_, kernel::kAppend) : -1;
  const bool written = file >= 0 && kernel::WriteAll(file, lines_.data(), lines_.size());
  if (file >= 0) kernel::Close(file);
  file_bytes_ += lines_.size();
  lines_.clear();
  return written;
}

}  // namespace oscope::pin
