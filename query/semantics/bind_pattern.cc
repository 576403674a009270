// Makes a pattern's automaton one over event ids, by asking each matcher about every name once. After that a
// comparison never looks at text.
#include "query/semantics/bind_pattern.h"

#include <algorithm>

namespace oscope {
namespace {

EventSet EventsOf(const bql::EventMatcher& matcher, std::span<const std::string_view> names) {
  EventSet set;
  if (matcher.kind() == bql::EventMatcher::Kind::kAny) {
    set.others = true;
    return set;
  }
  set.members.resize(names.size());
  for (size_t id = 0; id < names.size(); ++id) set.members[id] = matcher.Matches(names[id]);
  set.some_word = std::find(set.members.begin(), set.members.end(), true) != set.members.end();
  return set;
}

}  // namespace

Language BindPattern(const bql::Pattern& pattern, std::span<const std::string_view> names) {
  return BindPattern(pattern, names, [] { return Status(); }).value();
}

Result<Language> BindPattern(const bql::Pattern& pattern, std::span<const std::string_view> names,
                             const std::function<Status()>& ask) {
  constexpr size_t kBetweenQuestions = 20'000;  // names looked at
  Language language;
  size_t looked_at = 0;
  for (const bql::EventMatcher& matcher : pattern.matchers) {
    looked_at += names.size();
    if (looked_at >= kBetweenQuestions) {
      OSCOPE_RETURN_IF_ERROR(ask());
      looked_at = 0;
    }
    language.sets.push_back(EventsOf(matcher, names));
  }
  language.states = pattern.states;
  language.start = pattern.start;
  language.accepting = pattern.accepting;
  for (const bql::PatternEdge& edge : pattern.edges) language.edges.push_back({edge.from, edge.matcher, edge.to});
  return language;
}

}  // namespace oscope
