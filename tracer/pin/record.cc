#include "tracer/pin/record.h"

#include <cstring>

namespace oscope::pin {

void Record::Wide(uint64_t number) {
  Word(static_cast<uint32_t>(number));
  Word(static_cast<uint32_t>(number >> 32));
}

void Record::Text(const std::string& text) {
  Word(static_cast<uint32_t>(text.size()));
  const size_t at = words_.size();
  words_.resize(at + (text.size() + sizeof(uint32_t) - 1) / sizeof(uint32_t));
  if (!text.empty()) std::memcpy(&words_[at], text.data(), text.size());
}

const std::vector<uint32_t>& Record::Finish() {
  words_[0] = OSC_RAW_EXTENDED_WORD(type_, words_.size() - 1);
  return words_;
}

}  // namespace oscope::pin
