#include "cli/bugs/text_option.h"

#include <CLI/CLI.hpp>

#include "base/limits.h"
#include "cli/context/resolve.h"

namespace oscope::cli {

void TextOption::Register(CLI::App& app, const std::string& name, const std::string& what) {
  CLI::Option* text = app.add_option("--" + name, text_, what)->option_text("TEXT");
  app.add_option("--" + name + "-file", file_, "The same from a file; - is standard input")
      ->option_text("FILE")
      ->excludes(text);
}

Result<std::string> TextOption::Read() const {
  return file_ ? ReadInput(*file_, limits::kMaxTextBytes) : text_.value_or("");
}

}  // namespace oscope::cli
