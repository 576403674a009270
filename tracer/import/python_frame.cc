// A frame's method is its module and function. The module is the file's base name, or for a package its directory's.
#include "tracer/import/python_frame.h"

#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

// "/src/app.py" -> "app"; "/src/pkg/__init__.py" -> "pkg"; "<frozen importlib._bootstrap>" ->
// "importlib._bootstrap"
std::string_view ModuleOf(std::string_view file) {
  if (file.starts_with("<frozen ") && file.ends_with('>')) return file.substr(8, file.size() - 9);
  std::string_view base = BaseNameOf(file);
  for (const std::string_view extension : {".py", ".pyc", ".pyx"}) {
    if (!base.ends_with(extension)) continue;
    base.remove_suffix(extension.size());
    break;
  }
  if (base != "__init__" || base.data() == file.data()) return base;
  const std::string_view directory = file.substr(0, static_cast<size_t>(base.data() - file.data()) - 1);
  return BaseNameOf(directory).empty() ? base : BaseNameOf(directory);
}

}  // namespace

bool IsPythonFrameLine(std::string_view text) { return Trim(text).starts_with("File \""); }

std::optional<StackFrame> ParsePythonFrame(std::string_view text) {
  text = Trim(text);
  if (!Consume(text, "File \"")) return std::nullopt;
  // A file's name may hold a quote, so the last possible end counts.
  const size_t end = text.rfind("\", line ");
  if (end == std::string_view::npos) return std::nullopt;
  StackFrame frame;
  frame.attributes.file = text.substr(0, end);
  text.remove_prefix(end + 8);
  const auto number = ConsumeNumber(text);
  if (!number || *number > UINT32_MAX) return std::nullopt;
  frame.attributes.line = static_cast<uint32_t>(*number);
  if (text.empty()) return frame;
  if (!Consume(text, ", in ") && !Consume(text, " in ")) return std::nullopt;
  if (text.empty()) return std::nullopt;
  frame.name = fmt::format("{}.{}", ModuleOf(frame.attributes.file), text);
  frame.exact = true;
  return frame;
}

}  // namespace oscope
