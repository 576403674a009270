// A text of a report on the command line.
#pragma once

#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/result.h"

namespace CLI {
class App;
}

namespace oscope::cli {

class Options;

// A text given as an option or as a file ("-": standard input).
class TextOption {
 public:
  void Register(Options& options, const std::string& name, const std::string& what);
  bool given() const { return text_ || file_; }
  Result<std::string> Read(const CancelToken& cancel) const;

 private:
  std::optional<std::string> text_, file_;
};

}  // namespace oscope::cli
