// Limits and forms of what is needed to repeat a run. The directory must be relative, because an absolute path would be
// another one on each machine.
#include "tracer/model/repeat.h"

#include <algorithm>

#include "base/limits.h"

namespace oscope {
namespace {

constexpr size_t kDigestDigits = 64;

Status CheckSize(std::string_view what, size_t size, size_t limit) {
  if (size > limit) return Limit("{}: {} is over the limit of {}", what, size, limit);
  return {};
}

Status CheckTexts(std::string_view list, std::string_view item, const std::vector<std::string>& texts) {
  OSCOPE_RETURN_IF_ERROR(CheckSize(list, texts.size(), limits::kMaxFields));
  for (const std::string& text : texts) {
    OSCOPE_RETURN_IF_ERROR(CheckSize(item, text.size(), limits::kMaxNameBytes));
  }
  return {};
}

bool IsDigest(std::string_view text) {
  return text.size() == kDigestDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Status ValidateSource(const Repeat& repeat) {
  OSCOPE_RETURN_IF_ERROR(CheckSize("directory", repeat.directory.size(), limits::kMaxNameBytes));
  if (repeat.directory.starts_with('/') || repeat.directory.find('\0') != std::string::npos) {
    return Invalid("the directory of a run must be relative to its repository");
  }
  OSCOPE_RETURN_IF_ERROR(CheckSize("revision", repeat.revision.size(), limits::kMaxIdBytes));
  if (repeat.changes.empty()) return {};
  if (repeat.changes != kUnknownChanges && !IsDigest(repeat.changes)) {
    return Invalid("changes: expected 64 hexadecimal digits, or '{}'", kUnknownChanges);
  }
  if (repeat.revision.empty()) return Invalid("changes: there is no revision to which they were made");
  return {};
}

Status ValidateTest(const Repeat& repeat) {
  OSCOPE_RETURN_IF_ERROR(CheckSize("runner", repeat.selection.runner.size(), limits::kMaxIdBytes));
  OSCOPE_RETURN_IF_ERROR(CheckSize("framework", repeat.selection.framework.size(), limits::kMaxIdBytes));
  OSCOPE_RETURN_IF_ERROR(CheckSize("filter", repeat.selection.filter.size(), limits::kMaxNameBytes));
  OSCOPE_RETURN_IF_ERROR(CheckTexts("expected outputs", "expected output", repeat.expected.output));
  return CheckTexts("forbidden outputs", "forbidden output", repeat.expected.forbidden_output);
}

}  // namespace

void Repeat::ForgetInputs() {
  directory.clear();
  selection = {};
  expected = {};
  not_kept.clear();
  for (BuiltObject& object : builds) object.compilers.clear();
}

bool Repeat::has_inputs() const {
  return !directory.empty() || !selection.empty() || !expected.empty() || !not_kept.empty() ||
         std::ranges::any_of(builds, [](const BuiltObject& object) { return !object.compilers.empty(); });
}

Status Validate(const Repeat& repeat) {
  OSCOPE_RETURN_IF_ERROR(ValidateSource(repeat));
  OSCOPE_RETURN_IF_ERROR(ValidateTest(repeat));
  OSCOPE_RETURN_IF_ERROR(CheckSize("built objects", repeat.builds.size(), limits::kMaxFields));
  for (const BuiltObject& object : repeat.builds) {
    OSCOPE_RETURN_IF_ERROR(CheckSize("built object's path", object.path.size(), limits::kMaxNameBytes));
    OSCOPE_RETURN_IF_ERROR(CheckSize("build id", object.build_id.size(), limits::kMaxNameBytes));
    OSCOPE_RETURN_IF_ERROR(CheckTexts("compilers", "compiler", object.compilers));
  }
  OSCOPE_RETURN_IF_ERROR(CheckSize("things not kept", repeat.not_kept.size(), limits::kMaxFields));
  for (const NotKept& missing : repeat.not_kept) {
    if (missing.kind.empty()) return Invalid("something that was not kept has no kind");
    OSCOPE_RETURN_IF_ERROR(CheckSize("kind of a thing not kept", missing.kind.size(), limits::kMaxIdBytes));
    OSCOPE_RETURN_IF_ERROR(CheckSize("name of a thing not kept", missing.name.size(), limits::kMaxNameBytes));
  }
  return {};
}

}  // namespace oscope
