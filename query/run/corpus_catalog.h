// The names of a corpus, for Check.
//
// Threads: one at a time.
#pragma once

#include <memory>
#include <optional>

#include "bql/check/catalog.h"
#include "query/corpus/corpus.h"

namespace oscope {

class CorpusCatalog : public bql::Catalog {
 public:
  CorpusCatalog(std::shared_ptr<const Corpus> corpus, std::string default_project,
                std::vector<std::string> user_metrics)
      : corpus_(std::move(corpus)),
        default_project_(std::move(default_project)),
        user_metrics_(std::move(user_metrics)) {}

  Result<BugKey> ResolveBug(std::string_view text, const std::vector<std::string>& projects) const override;
  Result<bql::NamedRun> ResolveRun(std::string_view digits) const override;
  std::vector<std::string> Projects() const override;
  bool HasProject(std::string_view project) const override;  // most are settled without reading a report
  std::vector<std::string> CustomFields() const override;
  std::vector<std::string> UserMetrics() const override { return user_metrics_; }
  std::optional<bool> EventMatches(std::string_view name) const override;
  std::vector<std::string> NearestEvents(std::string_view name) const override;

 private:
  std::shared_ptr<const Corpus> corpus_;
  std::string default_project_;
  std::vector<std::string> user_metrics_;
};

}  // namespace oscope
