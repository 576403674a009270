// The first place of an event, counted from the end, has its greatest weight; a stable sort by event and std::unique
// keep exactly that. Two traces then share a merge of two sorted lists, and the cosine is exact (cosine.h).
#include "query/distance/recent.h"

#include "query/distance/cosine.h"

namespace oscope {
namespace {

constexpr uint64_t kScale = 1000;

}  // namespace

RecentEvents WeighRecent(Sequence sequence, const EventWeights& weights) {
  RecentEvents recent;
  const Sequence last = sequence.last(std::min(sequence.size(), RecentEvents::kReach));
  for (size_t i = 0; i < last.size(); ++i) {
    const uint32_t event = last[last.size() - 1 - i];
    const uint32_t rarity = event < weights.rarity.size() ? weights.rarity[event] : weights.unknown;
    recent.entries.push_back({event, RecentEvents::Weight(rarity, i)});
  }
  // The last place of an event has its greatest weight, and stands first.
  std::stable_sort(recent.entries.begin(), recent.entries.end(),
                   [](const auto& a, const auto& b) { return a.event < b.event; });
  const auto end = std::unique(recent.entries.begin(), recent.entries.end(),
                               [](const auto& a, const auto& b) { return a.event == b.event; });
  recent.entries.erase(end, recent.entries.end());
  for (const RecentEvents::Entry& entry : recent.entries)
    recent.squared_length += uint64_t{entry.weight} * entry.weight;
  return recent;
}

uint64_t RecentDistance(const RecentEvents& a, const RecentEvents& b) {
  if (a.entries.empty() || b.entries.empty()) return a.entries.empty() && b.entries.empty() ? 0 : kScale;
  uint64_t dot = 0;
  for (size_t i = 0, j = 0; i < a.entries.size() && j < b.entries.size();) {
    const RecentEvents::Entry &ours = a.entries[i], &theirs = b.entries[j];
    if (ours.event == theirs.event) dot += uint64_t{ours.weight} * theirs.weight;
    i += ours.event <= theirs.event;
    j += theirs.event <= ours.event;
  }
  return kScale - CosineInThousandths(dot, a.squared_length, b.squared_length);
}

}  // namespace oscope
