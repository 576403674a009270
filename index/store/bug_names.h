// The bugs of a store by name: which one "Beanutils-342" or "342" means, or may have been meant for.
//
// For whoever looks up many names of one version: it is read once, and a name then takes the logarithm of their number.
// Threads: immutable once made.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tracer/model/bug.h"

namespace oscope {

// Each way to read a text as a project and an id: "a-b-3" may be bug b-3 of a, or bug 3 of a-b. What no bug can be
// named is left out.
std::vector<BugKey> ReadingsOf(std::string_view text);

class BugNames {
 public:
  explicit BugNames(std::vector<BugKey> sorted_keys);

  size_t size() const { return keys_.size(); }

  // As Snapshot::ResolveBug. With `suggest`, kNotFound offers the nearest names; to find these takes a look at all.
  Result<BugKey> Resolve(std::string_view text, std::string_view default_project, bool suggest) const;

 private:
  bool Has(const BugKey& key) const;
  std::vector<BugKey> WithId(std::string_view id) const;
  Error Unknown(std::string_view text, bool suggest) const;

  std::vector<BugKey> keys_;
  std::vector<uint32_t> by_id_;  // places in keys_, in the order of ids and then of keys
};

}  // namespace oscope
