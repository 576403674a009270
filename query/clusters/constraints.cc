// People's decisions are about pairs; here they become groups. "Belongs with" is closed by union-find over all bugs of
// the project, resolved ones too, since two bugs may be joined through one that is resolved meanwhile. "Is apart" is
// then a relation between groups. A pair that is both at once is reported as a contradiction and counts as together.
#include "query/clusters/constraints.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>

namespace oscope {
namespace {

class Closure {
 public:
  Closure(const std::vector<Bug>& bugs, const std::vector<std::optional<uint32_t>>& item_of)
      : bugs_(bugs), item_of_(item_of), parents_(bugs.size()), members_(bugs.size()) {
    std::iota(parents_.begin(), parents_.end(), size_t{0});
    for (size_t i = 0; i < bugs.size(); ++i) numbers_.emplace(bugs[i].key.id, i);
    for (const Bug& bug : bugs) decisions_.push_back(ReadDecisions(bug));
  }

  Constraints Close() {
    for (size_t bug = 0; bug < bugs_.size(); ++bug) {
      ForEach(decisions_[bug].with, [&](size_t other) { parents_[Root(other)] = Root(bug); });
    }
    for (size_t bug = 0; bug < bugs_.size(); ++bug) {
      if (item_of_[bug]) members_[Root(bug)].push_back(*item_of_[bug]);
    }
    for (size_t bug = 0; bug < bugs_.size(); ++bug) {
      ForEach(decisions_[bug].apart, [&](size_t other) { KeepApart(bug, other); });
    }
    return Finish();
  }

 private:
  template <typename Visit>
  void ForEach(const std::vector<std::string>& ids, const Visit& visit) const {
    for (const std::string& id : ids) {
      if (const auto known = numbers_.find(id); known != numbers_.end()) visit(known->second);
    }
  }

  size_t Root(size_t bug) {
    while (parents_[bug] != bug) bug = parents_[bug] = parents_[parents_[bug]];
    return bug;
  }

  void KeepApart(size_t bug, size_t other) {
    const size_t ours = Root(bug), theirs = Root(other);
    if (ours == theirs) {
      constraints_.contradictions.push_back({bugs_[bug].key, bugs_[other].key});
    } else {
      apart_roots_.emplace(std::min(ours, theirs), std::max(ours, theirs));
    }
  }

  Constraints Finish() {
    for (std::vector<uint32_t>& group : members_) std::sort(group.begin(), group.end());
    for (const auto& [ours, theirs] : apart_roots_) {
      for (const uint32_t a : members_[ours]) {
        for (const uint32_t b : members_[theirs]) constraints_.apart.emplace_back(std::min(a, b), std::max(a, b));
      }
    }
    std::sort(constraints_.apart.begin(), constraints_.apart.end());
    for (std::vector<uint32_t>& group : members_) {
      if (group.size() > 1) constraints_.together.push_back(std::move(group));
    }
    std::sort(constraints_.together.begin(), constraints_.together.end());
    return std::move(constraints_);
  }

  const std::vector<Bug>& bugs_;
  const std::vector<std::optional<uint32_t>>& item_of_;
  std::unordered_map<std::string_view, size_t> numbers_;  // of a bug, by id
  std::vector<Decisions> decisions_;
  std::vector<size_t> parents_;
  std::vector<std::vector<uint32_t>> members_;  // of a root, as items
  std::set<std::pair<size_t, size_t>> apart_roots_;
  Constraints constraints_;
};

}  // namespace

Constraints CloseDecisions(const std::vector<Bug>& bugs, const std::vector<std::optional<uint32_t>>& item_of) {
  return Closure(bugs, item_of).Close();
}

}  // namespace oscope
