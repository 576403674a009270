// Escapes what GitHub's command syntax would take for its own, and makes paths relative to the repository.
#include "tracer/harness/annotation.h"

#include <fmt/core.h>

#include <filesystem>

namespace oscope {
namespace {

std::string EscapeMessage(std::string_view text) {
  std::string escaped;
  for (const char byte : text) {
    switch (byte) {
      case '%': escaped += "%25"; break;
      case '\r': escaped += "%0D"; break;
      case '\n': escaped += "%0A"; break;
      default: escaped += byte;
    }
  }
  return escaped;
}

std::string EscapeProperty(std::string_view text) {
  std::string escaped;
  for (const char byte : EscapeMessage(text)) {
    switch (byte) {
      case ':': escaped += "%3A"; break;
      case ',': escaped += "%2C"; break;
      default: escaped += byte;
    }
  }
  return escaped;
}

// Empty when it lies outside.
std::string Relative(const std::string& file, std::string_view root) {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  if (path.is_relative()) return path.string().starts_with("..") ? "" : path.string();
  const std::string relative = path.lexically_relative(root).string();
  return relative.starts_with("..") ? "" : relative;
}

}  // namespace

std::string GitHubAnnotation(AnnotationLevel level, std::string_view title, std::string_view message,
                             const std::optional<SourcePlace>& place, std::string_view root) {
  std::string properties;
  if (const std::string file = place ? Relative(place->file, root) : ""; !file.empty()) {
    properties = fmt::format("file={},", EscapeProperty(file));
    if (place->line != 0) properties += fmt::format("line={},", place->line);
  }
  return fmt::format("::{} {}title={}::{}", level == AnnotationLevel::kError ? "error" : "warning", properties,
                     EscapeProperty(title), EscapeMessage(message));
}

}  // namespace oscope
