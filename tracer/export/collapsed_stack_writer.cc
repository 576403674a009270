// Counts events by call path. Paths are a tree of nodes, so memory grows with the distinct paths and not with the
// events, and lines are written at the end.
#include "tracer/export/collapsed_stack_writer.h"

#include <algorithm>

namespace oscope {

uint32_t CollapsedStackWriter::NameOf(SymbolId symbol) {
  const auto [place, is_new] = name_ids_.try_emplace(symbols().name(symbol), static_cast<uint32_t>(names_.size()));
  if (is_new) {
    std::string name = place->first;
    std::replace(name.begin(), name.end(), ';', ',');
    std::replace_if(name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    names_.push_back(name);
  }
  return place->second;
}

Status CollapsedStackWriter::BeginThread(const TraceHeader&) { return {}; }

Status CollapsedStackWriter::Enter(SymbolId symbol, uint64_t) {
  if (path_.size() > kMaxPathFrames) {
    return Limit("collapsed stacks of {}: a path of more than {} frames", RunLabel(run()), kMaxPathFrames);
  }
  const uint32_t name = NameOf(symbol);
  const auto [place, is_new] = children_.try_emplace({path_.back(), name}, static_cast<uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({path_.back(), name, 0});
  path_.push_back(place->second);
  newest_ = place->second;
  if (!is_stack()) ++nodes_[newest_].events;
  return {};
}

Status CollapsedStackWriter::Leave(SymbolId, uint64_t) {
  // A stack is one sample: only its whole path counts.
  if (is_stack() && path_.back() == newest_) ++nodes_[newest_].events;
  path_.pop_back();
  return {};
}

Status CollapsedStackWriter::EndThread(uint64_t) { return {}; }

Status CollapsedStackWriter::Finish() {
  std::vector<uint32_t> frames;
  for (uint32_t node = 1; node < nodes_.size(); ++node) {
    if (nodes_[node].events == 0) continue;
    frames.clear();
    for (uint32_t at = node; at != 0; at = nodes_[at].parent) frames.push_back(nodes_[at].name);
    for (size_t i = frames.size(); i-- > 0;) output_.text().append(names_[frames[i]]).append(i > 0 ? ";" : " ");
    output_.text().append(std::to_string(nodes_[node].events)).append("\n");
    OSCOPE_RETURN_IF_ERROR(output_.FlushIfLarge());
  }
  return output_.Flush();
}

}  // namespace oscope
