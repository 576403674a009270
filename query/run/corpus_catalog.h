// The names of a corpus, for the check of one statement.
//
// A statement may have ten thousand names, and a store a million: what takes a read of a whole table is read once, what
// was found is remembered, and looks at all names of the store (which events a name means, what a misspelt one was
// meant for) come to an end. A statement with more such names than people write gets no suggestions and no warnings for
// the rest of them.
// Threads: one at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bql/check/catalog.h"
#include "query/corpus/corpus.h"

namespace oscope {

class CorpusCatalog : public bql::Catalog {
 public:
  // Of the corpus that `corpus` holds whenever it is asked, always one of the same version of the store: who has the
  // statement run may let the corpus learn more meanwhile. `corpus` outlives the catalog.
  CorpusCatalog(const std::shared_ptr<Corpus>& corpus, std::string default_project,
                std::vector<std::string> user_metrics)
      : corpus_(corpus), default_project_(std::move(default_project)), user_metrics_(std::move(user_metrics)) {}

  Result<BugKey> ResolveBug(std::string_view text, const std::vector<std::string>& projects) const override;
  Result<bql::NamedRun> ResolveRun(std::string_view digits) const override;
  std::vector<std::string> Projects() const override { return AllProjects(); }
  bool HasProject(std::string_view project) const override;  // most are settled without reading a report
  std::vector<std::string> CustomFields() const override { return AllCustomFields(); }
  bool HasCustomField(std::string_view field) const override;
  std::vector<std::string> UserMetrics() const override { return user_metrics_; }
  std::optional<bool> EventMatches(std::string_view name) const override;
  std::vector<std::string> NearestEvents(std::string_view name) const override;

 private:
  Result<BugKey> LookUpBug(std::string_view text, const std::vector<std::string>& projects) const;
  Result<BugKey> LookUpReport(std::string_view text) const;
  const std::vector<std::string>& AllProjects() const;      // sorted
  const std::vector<std::string>& AllCustomFields() const;  // sorted
  const std::vector<std::string>& AllEventParts() const;    // methods and classes, each with and without its scope
  // Whether this number of further names may be looked at.
  bool MayLookAt(size_t names) const;

  const Corpus& corpus() const { return *corpus_; }

  const std::shared_ptr<Corpus>& corpus_;
  std::string default_project_;
  std::vector<std::string> user_metrics_;
  mutable std::vector<std::string> known_from_;  // the projects that known_bugs_ was filled for
  mutable std::unordered_map<std::string, Result<BugKey>> known_bugs_;
  mutable std::optional<std::vector<BugKey>> all_bugs_;
  mutable std::optional<std::vector<std::string>> projects_, custom_fields_, event_parts_;
  mutable size_t looked_at_ = 0;
};

}  // namespace oscope
