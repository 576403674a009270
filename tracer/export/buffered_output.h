// Text on its way into a file: gathered, so that small pieces are cheap.
#pragma once

#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/result.h"

namespace oscope {

class BufferedOutput {
 public:
  explicit BufferedOutput(WritableFile& file) : file_(file) {}

  std::string& text() { return text_; }  // append here, then call FlushIfLarge
  Status FlushIfLarge() { return text_.size() < kFlushBytes ? Status{} : Flush(); }
  Status Flush() {
    OSCOPE_RETURN_IF_ERROR(file_.Append(text_));
    text_.clear();
    return {};
  }

 private:
  static constexpr size_t kFlushBytes = 1 << 18;
  WritableFile& file_;
  std::string text_;
};

}  // namespace oscope
