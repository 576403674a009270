#pragma once

#include <string>

#include "base/file_system.h"

namespace oscope {

class StringFile : public WritableFile {
 public:
  Status Append(std::string_view bytes) override {
    text.append(bytes);
    return {};
  }
  Status Sync() override { return {}; }
  Status Close() override { return {}; }

  std::string text;
};

}  // namespace oscope
