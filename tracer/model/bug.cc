// Names and validation of bug reports. The characters of an id are limited because ids become parts of file names, URLs
// and BQL texts; the checks of single fields come from the table in bug_fields.h.
#include "tracer/model/bug.h"

#include <array>

#include "base/limits.h"
#include "tracer/model/bug_fields.h"

namespace oscope {
namespace {

constexpr std::array<std::string_view, EnumText<BugStatus>::kCount> kStatusNames = {"open", "reopened", "resolved",
                                                                                    "closed"};

bool IsIdCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._+#@:-").find(c) != std::string_view::npos;
}

Status CheckSize(std::string_view what, size_t size, size_t limit) {
  if (size > limit) return Limit("{}: {} is over the limit of {}", what, size, limit);
  return {};
}

Status ValidateLists(const Bug& bug) {
  OSCOPE_RETURN_IF_ERROR(CheckSize("comments", bug.comments.size(), limits::kMaxFields));
  for (const Comment& comment : bug.comments) {
    OSCOPE_RETURN_IF_ERROR(CheckSize("comment author", comment.author.size(), limits::kMaxNameBytes));
    OSCOPE_RETURN_IF_ERROR(CheckSize("comment text", comment.text.size(), limits::kMaxTextBytes));
  }
  OSCOPE_RETURN_IF_ERROR(CheckSize("duplicates", bug.duplicates.size(), limits::kMaxFields));
  for (const BugKey& duplicate : bug.duplicates) {
    OSCOPE_RETURN_IF_ERROR(ValidateId("project of a duplicate", duplicate.project));
    OSCOPE_RETURN_IF_ERROR(ValidateId("id of a duplicate", duplicate.id));
  }
  OSCOPE_RETURN_IF_ERROR(CheckSize("custom fields", bug.custom.size(), limits::kMaxFields));
  for (const auto& [name, value] : bug.custom) {
    if (name.empty()) return Invalid("a custom field has no name");
    OSCOPE_RETURN_IF_ERROR(CheckSize("custom field name", name.size(), limits::kMaxNameBytes));
    OSCOPE_RETURN_IF_ERROR(CheckSize("custom field", value.size(), limits::kMaxTextBytes));
  }
  return {};
}

Status ValidateFields(const Bug& bug) {
  for (const BugField& field : kBugFields) OSCOPE_RETURN_IF_ERROR(ValidateField(field, bug));
  return ValidateLists(bug);
}

}  // namespace

std::string ToString(const BugKey& key) { return fmt::format("{}-{}", key.project, key.id); }

std::string_view BugStatusName(BugStatus status) { return kStatusNames[static_cast<size_t>(status)]; }

Result<BugStatus> ParseBugStatus(std::string_view name) {
  for (size_t i = 0; i < kStatusNames.size(); ++i) {
    if (kStatusNames[i] == name) return static_cast<BugStatus>(i);
  }
  return Invalid("'{}': a bug is open, reopened, resolved or closed", name);
}

Status ValidateId(std::string_view what, std::string_view id) {
  if (id.empty()) return Invalid("{} is empty", what);
  if (id.size() > limits::kMaxIdBytes) {
    return Limit("{}: {} bytes, the limit is {}", what, id.size(), limits::kMaxIdBytes);
  }
  for (const char c : id) {
    if (!IsIdCharacter(c)) {
      return Invalid("{}: byte 0x{:02x} is not a letter, a digit or one of . _ + # @ : -", what,
                     static_cast<unsigned char>(c));
    }
  }
  if (id[0] == '.' || id[0] == '-') return Invalid("{} '{}' begins with '{}'", what, id, id[0]);
  if (id.find("..") != std::string_view::npos) return Invalid("{} '{}' contains '..'", what, id);
  return {};
}

Status Validate(const Bug& bug) {
  OSCOPE_RETURN_IF_ERROR(ValidateId("project", bug.key.project));
  OSCOPE_RETURN_IF_ERROR(ValidateId("bug id", bug.key.id));
  if (Status fields = ValidateFields(bug); !fields.ok()) {
    return std::move(fields).error().Within(fmt::format("bug {}", ToString(bug.key)));
  }
  return {};
}

}  // namespace oscope
