#include "cli/bugs/text_option.h"

#include "base/limits.h"
#include "cli/context/resolve.h"
#include "cli/options/options.h"

namespace oscope::cli {

void TextOption::Register(Options& options, const std::string& name, const std::string& what) {
  const Option text = options.Add("--" + name, text_, what).Value("TEXT");
  options.Add("--" + name + "-file", file_, "The same from a file; - is standard input").Value("FILE").Excludes(text);
}

Result<std::string> TextOption::Read(const CancelToken& cancel) const {
  return file_ ? ReadInput(*file_, limits::kMaxTextBytes, cancel) : text_.value_or("");
}

}  // namespace oscope::cli
