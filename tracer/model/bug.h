// A bug: a report with runs attached. Runs name their bug; a bug does not list its runs.
// Threads: plain values and pure functions.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

// Unique in a store: the id is unique in its project. Written "Beanutils-342".
struct BugKey {
  std::string project;
  std::string id;
  auto operator<=>(const BugKey&) const = default;
};
std::string ToString(const BugKey& key);

enum class BugStatus : uint8_t { kOpen, kReopened, kResolved, kClosed };
std::string_view BugStatusName(BugStatus status);         // "open", "reopened", "resolved", "closed"
Result<BugStatus> ParseBugStatus(std::string_view name);  // kInvalid for any other text
// A closed bug counts as resolved, a reopened one as unresolved: the sets R and U of the thesis.
inline bool IsResolved(BugStatus status) { return status == BugStatus::kResolved || status == BugStatus::kClosed; }

struct Comment {
  std::string author;
  std::optional<int64_t> at_ns;
  std::string text;
  bool operator==(const Comment&) const = default;
};

struct Fix {
  std::string commit;
  std::string diff;
  std::string author;
  std::optional<int64_t> at_ns;
  std::string note;  // how it was fixed, in words
  bool empty() const { return commit.empty() && diff.empty() && note.empty(); }
  bool operator==(const Fix&) const = default;
};

struct Bug {
  BugKey key;
  std::string title;
  BugStatus status = BugStatus::kOpen;
  std::string severity;
  std::string reporter;
  std::optional<int64_t> created_ns;
  std::optional<int64_t> resolved_ns;
  std::string url;      // in an outside tracker
  std::string version;  // that the bug was seen in
  std::string text;
  std::vector<Comment> comments;
  Fix fix;
  std::vector<BugKey> duplicates;  // bugs known to be the same
  std::map<std::string, std::string> custom;
  bool operator==(const Bug&) const = default;
};

// Checks an id of a project, a bug and the like: letters, digits and . _ + # @ : - without ".." and without a leading
// . or -, so that it is safe in a path, a URL and a query. Fails with kInvalid, or with kLimit when it is too long;
// `what` names it in the message ("bug id").
Status ValidateId(std::string_view what, std::string_view id);
// Checks ids, sizes and lists. The error (kInvalid or kLimit) names the bug and the field.
Status Validate(const Bug& bug);

}  // namespace oscope
