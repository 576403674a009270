// What Check must know of a store to resolve names. The engine implements it over a snapshot; tests over lists.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope::bql {

struct NamedRun {
  RunId id;
  BugKey bug;  // that it belongs to; empty: none
};

class Catalog {
 public:
  virtual ~Catalog() = default;

  // "b527", "Beanutils-342", or "342" where one project has it (one of `projects` first, when that settles it).
  // kNotFound and kConflict carry a message fit for a diagnostic, with the nearest names.
  virtual Result<BugKey> ResolveBug(std::string_view text, const std::vector<std::string>& projects) const = 0;
  // The run whose id begins with these digits, what follows kRunPrefix (parameters.h). Errors as of ResolveBug.
  virtual Result<NamedRun> ResolveRun(std::string_view digits) const = 0;
  virtual std::vector<std::string> Projects() const = 0;
  virtual bool HasProject(std::string_view project) const {
    const std::vector<std::string> known = Projects();
    return std::find(known.begin(), known.end(), project) != known.end();
  }
  // Names of custom fields that some bug has, or had before it was edited.
  virtual std::vector<std::string> CustomFields() const = 0;
  virtual bool HasCustomField(std::string_view field) const {
    const std::vector<std::string> known = CustomFields();
    return std::find(known.begin(), known.end(), field) != known.end();
  }
  // The user's metrics, by name (of the configuration).
  virtual std::vector<std::string> UserMetrics() const = 0;

  // Whether some event in the store matches the event name as a pattern means it (pattern/event_name.h); nothing: not
  // cheaply known.
  virtual std::optional<bool> EventMatches(std::string_view name) const = 0;
  virtual std::vector<std::string> NearestEvents(std::string_view name) const = 0;
};

}  // namespace oscope::bql
