// The measuring half of the metrics' table. The compiler checks that both halves agree: one row for each kind,
// patterns where the language allows them, and the weights that a matcher reads.
#include "query/semantics/metric_table.h"

#include <algorithm>
#include <array>

#include "index/tails/tail_table.h"
#include "query/distance/embedding.h"
#include "query/distance/hamming.h"
#include "query/distance/lcs.h"
#include "query/distance/levenshtein_metric.h"
#include "query/distance/renamed.h"
#include "query/distance/vsm.h"
#include "query/distance/weighted.h"
#include "query/semantics/recent_methods.h"
#include "query/semantics/words_metric.h"

namespace oscope {
namespace {

using bql::MetricKind;
using Matcher = TailMatching::Matcher;

constexpr std::array<MetricMeasure, bql::kMetricKinds> kMeasures = {{
    {.kind = MetricKind::kLevenshtein,
     .make = MakeLevenshtein,
     .plain = MakePlainLevenshtein,
     .patterns = PatternMetric::kLevenshtein,
     .tails = TailMatching{.matcher = Matcher::kEdits,
                           .greatest = kTailEvents,
                           .joins = true,
                           .comparison = "length, sketch or postings, bit-parallel levenshtein"}},
    {.kind = MetricKind::kHamming, .make = MakeHamming, .patterns = PatternMetric::kHamming},
    {.kind = MetricKind::kLcs, .make = MakeLcs, .patterns = PatternMetric::kLcs},
    {.kind = MetricKind::kEmbedding, .make = MakeEmbedding, .patterns = PatternMetric::kEmbedding},
    {.kind = MetricKind::kVsm, .make = MakeVsm},
    {.kind = MetricKind::kWeighted, .make = MakeWeighted},
    {.kind = MetricKind::kRecent,
     .make = MakeRecentMethods,
     .plain = MakePlainRecentMethods,
     // A segment's names must be looked up for each known trace: too many in a join.
     .tails = TailMatching{.matcher = Matcher::kRecent,
                           .greatest = 1000,
                           .joins = false,
                           .comparison = "the latest methods of every tail"}},
    {.kind = MetricKind::kRenamed, .make = MakeRenamed},
    {.kind = MetricKind::kWords, .make = MakeWordsMetric, .plain = MakePlainWordsMetric},
    {.kind = MetricKind::kUser, .make = FromConfiguration()},
}};

// The two halves of a row say the same.
constexpr bool AgreesWithDefinition(const MetricMeasure& metric) {
  const bql::MetricDefinition& definition = bql::DefinitionOf(metric.kind);
  return metric.patterns.has_value() == (definition.patterns == bql::PatternUse::kMeasured) &&
         std::holds_alternative<FromConfiguration>(metric.make) == definition.users_own;
}
// The matcher of `recent` reads the weights of methods, which a query has when its metric is made from them.
constexpr bool MatcherHasItsWeights(const MetricMeasure& metric) {
  return !metric.tails || metric.tails->matcher != Matcher::kRecent || std::holds_alternative<FromMethods>(metric.make);
}
static_assert(bql::HasRowOfEachKind(kMeasures));
static_assert(std::all_of(kMeasures.begin(), kMeasures.end(), AgreesWithDefinition));
static_assert(std::all_of(kMeasures.begin(), kMeasures.end(), MatcherHasItsWeights));

}  // namespace

std::span<const MetricMeasure> MetricMeasures() { return kMeasures; }

const MetricMeasure& MeasureOf(bql::MetricKind kind) { return kMeasures[static_cast<size_t>(kind)]; }

}  // namespace oscope
