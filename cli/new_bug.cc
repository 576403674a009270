#include "cli/new_bug.h"

#include <algorithm>
#include <charconv>

#include "cli/resolve.h"
#include "cli/text.h"

namespace oscope::cli {
namespace {

Result<uint64_t> NextId(const Store& store, const std::string& project, uint64_t first) {
  OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> bugs, snapshot.Bugs(project));
  uint64_t next = first;
  for (const Bug& bug : bugs) {
    if (const auto number = NumberOf(bug.key.id)) next = std::max(next, *number + 1);
  }
  return next;
}

}  // namespace

std::optional<uint64_t> NumberOf(const std::string& id) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  // There is one after it.
  if (error != std::errc() || end != id.data() + id.size() || number == UINT64_MAX) return std::nullopt;
  return number;
}

void SetStatus(Bug& bug, BugStatus status) {
  if (IsResolved(status) && !IsResolved(bug.status)) bug.resolved_ns = NowNs();
  if (!IsResolved(status)) bug.resolved_ns.reset();
  bug.status = status;
}

Result<Bug> AddBugAs(Store& store, const BugKey& key, const std::function<void(Bug&)>& fill) {
  return store.EditBug(key, [&](const std::optional<Bug>& there) -> Result<Bug> {
    if (there) return Conflict("bug {}: is there already; `oscope bug edit` changes it", ToString(key));
    Bug bug;
    bug.key = key;
    bug.created_ns = NowNs();
    fill(bug);
    OSCOPE_RETURN_IF_ERROR(Validate(bug));
    return bug;
  });
}

Result<Bug> AddNumberedBug(Store& store, const std::string& project, const std::function<void(Bug&)>& fill,
                           uint64_t first) {
  for (;;) {
    OSCOPE_ASSIGN_OR_RETURN(const uint64_t next, NextId(store, project, first));
    Result<Bug> bug = AddBugAs(store, {project, std::to_string(next)}, fill);
    // Another writer took the number: take the next.
    if (!bug.ok() && bug.error().code == ErrorCode::kConflict) continue;
    return bug;
  }
}

Result<BugKey> NamedBug(const Snapshot* snapshot, const std::string& project, const std::string& text) {
  if (snapshot != nullptr) {
    if (Result<BugKey> key = snapshot->ResolveBug(text, project); key.ok()) return key;
  }
  BugKey key{project, text};
  const std::string prefix = project + "-";
  if (key.id.starts_with(prefix)) key.id.erase(0, prefix.size());
  OSCOPE_RETURN_IF_ERROR(CheckId("bug", key.id));
  return key;
}

}  // namespace oscope::cli
