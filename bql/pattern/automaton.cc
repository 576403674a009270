// A pattern becomes an automaton in five steps. Thompson's construction makes a node for each part, linked by reads
// (which take an event) and empty moves (which take none). Then the empty moves are removed: the states are the start
// and each node that a read leads to, and a state's reads are all that can be reached over empty moves. Then reads
// after which the end cannot be reached are dropped, states that lead on alike become one, and the reachable states
// are numbered from the start.
//
// `^` and `$` are empty moves with a condition: `^` can be passed while nothing has been read, and after `$` nothing
// may be read. So Closure walks over pairs of a node and "has the end been passed", and the start state is the only
// one that may pass `^`.
//
// The automaton stays nondeterministic. Determinising would be exponential for patterns such as `.* a . . . .`, and
// the distance to a language is computed on the product with the trace (query/distance/language_product.h), whose cost
// grows with the edges. That is why merging states matters: an alternative of a hundred names becomes one state with a
// hundred reads instead of a hundred states.
//
// Sizes are bounded twice: states before anything is built (CountReads), and edges while the empty moves are removed,
// since a nest of options makes edges quadratic in the states.
//
// Nothing here recurses, so a pattern of any depth is safe.
#include "bql/pattern/automaton.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

namespace oscope::bql {
namespace {

using Step = PatternStep::Kind;

constexpr size_t kEdgesPerState = 64;
constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// An empty move: always, only before the first event, or only after the last.
enum class Pass : uint8_t { kAlways, kBegin, kEnd };

struct Move {
  uint32_t to = 0;
  Pass pass = Pass::kAlways;
};
struct Read {
  uint32_t matcher = 0;
  uint32_t to = 0;
  auto operator<=>(const Read&) const = default;
};
struct Node {
  std::vector<Move> moves;
  std::vector<Read> reads;
};

// A piece of the automaton with one way in and one out.
struct Fragment {
  uint32_t in = 0, out = 0;
};

class Thompson {
 public:
  Thompson(std::span<const StepMatchers> matchers, uint32_t any) : matchers_(matchers), any_(any) {}

  // .* p .*
  void Build(std::span<const PatternStep> steps) {
    for (const PatternStep& step : steps) Apply(step);
    const Fragment pattern = Pop(), before = AnyEvents(), after = AnyEvents();
    Link(before.out, pattern.in);
    Link(pattern.out, after.in);
    start = before.in;
    end = after.out;
    SkipPlainMoves();
  }

  std::vector<Node> nodes;
  uint32_t start = 0, end = 0;

 private:
  uint32_t Add() {
    nodes.emplace_back();
    return static_cast<uint32_t>(nodes.size() - 1);
  }
  void Link(uint32_t from, uint32_t to, Pass pass = Pass::kAlways) { nodes[from].moves.push_back({to, pass}); }
  void ReadEvent(uint32_t from, uint32_t matcher, uint32_t to) { nodes[from].reads.push_back({matcher, to}); }
  void Push(uint32_t in, uint32_t out) { stack_.push_back({in, out}); }
  Fragment Pop() {
    OSCOPE_CHECK(!stack_.empty());
    const Fragment top = stack_.back();
    stack_.pop_back();
    return top;
  }

  // Where a node does nothing but move on, reads lead past it: the ends of alternatives become one.
  void SkipPlainMoves() {
    const auto past = [&](uint32_t node) {
      while (nodes[node].reads.empty() && nodes[node].moves.size() == 1 && nodes[node].moves[0].pass == Pass::kAlways) {
        node = nodes[node].moves[0].to;
      }
      return node;
    };
    // From the back, so that a chain of such nodes is walked once.
    for (size_t i = nodes.size(); i-- > 0;) {
      for (Move& move : nodes[i].moves) move.to = past(move.to);
      for (Read& read : nodes[i].reads) read.to = past(read.to);
    }
  }

  Fragment AnyEvents() {
    const uint32_t node = Add();
    ReadEvent(node, any_, node);
    return {node, node};
  }

  void Apply(const PatternStep& step) {
    switch (step.kind) {
      case Step::kEvent: return Event(matchers_[step.token]);
      case Step::kBegin:
      case Step::kEnd: return Anchor(step.kind == Step::kBegin ? Pass::kBegin : Pass::kEnd);
      case Step::kThen:
      case Step::kGap: return Sequence(step.kind == Step::kGap);
      case Step::kEither: return Either();
      case Step::kStar:
      case Step::kPlus:
      case Step::kOption: return Repeat(step.kind);
    }
  }

  void Event(const StepMatchers& event) {
    const uint32_t in = Add(), out = Add();
    ReadEvent(in, event.event, out);
    if (event.scope) {
      const uint32_t scope = Add();
      ReadEvent(in, *event.scope, scope);
      ReadEvent(scope, *event.scope, scope);
      Link(scope, out);
    }
    Push(in, out);
  }

  void Anchor(Pass pass) {
    const uint32_t in = Add(), out = Add();
    Link(in, out, pass);
    Push(in, out);
  }

  void Sequence(bool gap) {
    const Fragment right = Pop(), left = Pop();
    uint32_t from = left.out;
    if (gap) {
      const Fragment between = AnyEvents();
      Link(from, between.in);
      from = between.out;
    }
    Link(from, right.in);
    Push(left.in, right.out);
  }

  void Either() {
    const Fragment right = Pop(), left = Pop();
    const uint32_t in = Add(), out = Add();
    for (const Fragment& way : {left, right}) {
      Link(in, way.in);
      Link(way.out, out);
    }
    Push(in, out);
  }

  void Repeat(Step kind) {
    const Fragment body = Pop();
    const uint32_t in = Add(), out = Add();
    Link(in, body.in);
    Link(body.out, out);
    if (kind != Step::kOption) Link(body.out, body.in);
    if (kind != Step::kPlus) Link(in, out);
    Push(in, out);
  }

  std::span<const StepMatchers> matchers_;
  uint32_t any_;
  std::vector<Fragment> stack_;
};

// A state of the automaton without empty moves.
struct State {
  bool accepting = false;
  std::vector<Read> reads;  // sorted, each once
  auto operator<=>(const State&) const = default;
};

// What can be read from a node, and whether the end can be reached from it, over empty moves.
class Closure {
 public:
  explicit Closure(const Thompson& thompson) : thompson_(thompson), seen_(thompson.nodes.size() * 2, 0) {}

  State From(uint32_t node, bool started) {
    ++round_;
    State state;
    Visit(node, false);
    while (!stack_.empty()) {
      const auto [at, ended] = stack_.back();
      stack_.pop_back();
      if (at == thompson_.end) state.accepting = true;
      const Node& here = thompson_.nodes[at];
      if (!ended) state.reads.insert(state.reads.end(), here.reads.begin(), here.reads.end());
      for (const Move& move : here.moves) {
        if (move.pass == Pass::kBegin && started) continue;
        Visit(move.to, ended || move.pass == Pass::kEnd);
      }
    }
    std::sort(state.reads.begin(), state.reads.end());
    state.reads.erase(std::unique(state.reads.begin(), state.reads.end()), state.reads.end());
    return state;
  }

 private:
  void Visit(uint32_t node, bool ended) {
    uint32_t& mark = seen_[node * 2 + ended];
    if (mark == round_) return;
    mark = round_;
    stack_.push_back({node, ended});
  }

  const Thompson& thompson_;
  std::vector<uint32_t> seen_;
  uint32_t round_ = 0;
  std::vector<std::pair<uint32_t, bool>> stack_;
};

// State 0 is the start. Each node that a read leads to becomes one more state.
Result<std::vector<State>> WithoutEmptyMoves(const Thompson& thompson, size_t max_edges) {
  std::vector<uint32_t> state_of(thompson.nodes.size(), kNone), nodes;
  for (const Node& node : thompson.nodes) {
    for (const Read& read : node.reads) {
      if (state_of[read.to] != kNone) continue;
      nodes.push_back(read.to);
      state_of[read.to] = static_cast<uint32_t>(nodes.size());
    }
  }
  Closure closure(thompson);
  std::vector<State> states = {closure.From(thompson.start, false)};
  size_t edges = states[0].reads.size();
  for (const uint32_t node : nodes) {
    states.push_back(closure.From(node, true));
    edges += states.back().reads.size();
    if (edges > max_edges)
      return Limit("pattern needs more than {} automaton edges: --max-pattern-states raises the limit", max_edges);
  }
  for (State& state : states) {
    for (Read& read : state.reads) read.to = state_of[read.to];
  }
  return states;
}

void Redirect(std::vector<State>& states, const std::vector<uint32_t>& to) {
  for (State& state : states) {
    for (Read& read : state.reads) read.to = to[read.to];
    std::sort(state.reads.begin(), state.reads.end());
    state.reads.erase(std::unique(state.reads.begin(), state.reads.end()), state.reads.end());
  }
}

// Merges states that have the same reads and the same acceptance into the first of them. A merge can make other states
// equal, so this is repeated until nothing changes, but at most kRounds times.
void MergeAlike(std::vector<State>& states) {
  constexpr int kRounds = 8;  // more gain nothing on patterns as people write them
  for (int round = 0; round < kRounds; ++round) {
    std::map<State, uint32_t> first;
    std::vector<uint32_t> to(states.size());
    for (uint32_t i = 0; i < states.size(); ++i) to[i] = first.emplace(states[i], i).first->second;
    if (first.size() == states.size()) return;
    const bool changes = [&] {
      for (const State& state : states) {
        for (const Read& read : state.reads) {
          if (to[read.to] != read.to) return true;
        }
      }
      return false;
    }();
    if (!changes) return;
    Redirect(states, to);
  }
}

// Drops the edges from which no accepting state can be reached.
void DropDeadReads(std::vector<State>& states) {
  std::vector<std::vector<uint32_t>> back(states.size());
  std::vector<uint32_t> work;
  std::vector<bool> useful(states.size());
  for (uint32_t i = 0; i < states.size(); ++i) {
    for (const Read& read : states[i].reads) back[read.to].push_back(i);
    if (states[i].accepting) work.push_back(i);
    useful[i] = states[i].accepting;
  }
  while (!work.empty()) {
    const uint32_t state = work.back();
    work.pop_back();
    for (const uint32_t before : back[state]) {
      if (useful[before]) continue;
      useful[before] = true;
      work.push_back(before);
    }
  }
  for (State& state : states) std::erase_if(state.reads, [&](const Read& read) { return !useful[read.to]; });
}

// In the order in which they are first met from the start.
std::vector<uint32_t> ReachableStates(const std::vector<State>& states) {
  std::vector<uint32_t> order;
  std::vector<bool> met(states.size());
  const bool empty = states[0].reads.empty() && !states[0].accepting;
  if (!empty) order.push_back(0);
  met[0] = true;
  for (size_t i = 0; i < order.size(); ++i) {
    for (const Read& read : states[order[i]].reads) {
      if (met[read.to]) continue;
      met[read.to] = true;
      order.push_back(read.to);
    }
  }
  return order;
}

void Store(const std::vector<State>& states, Pattern& pattern) {
  const std::vector<uint32_t> order = ReachableStates(states);
  std::vector<uint32_t> number(states.size(), kNone);
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  pattern.states = static_cast<uint32_t>(order.size());
  pattern.accepting.assign(order.size(), false);
  if (!order.empty()) pattern.start = {0};
  for (uint32_t i = 0; i < order.size(); ++i) {
    pattern.accepting[i] = states[order[i]].accepting;
    for (const Read& read : states[order[i]].reads) pattern.edges.push_back({i, read.matcher, number[read.to]});
  }
  std::sort(pattern.edges.begin(), pattern.edges.end(), [](const PatternEdge& a, const PatternEdge& b) {
    return std::tie(a.from, a.matcher, a.to) < std::tie(b.from, b.matcher, b.to);
  });
}

// Returns the length of the shortest path from the start to the end that passes a state which accepts any number of any
// events. Inserting that many events makes every trace match.
uint32_t ShortestWord(const Pattern& pattern, uint32_t any) {
  std::vector<std::vector<uint32_t>> next(pattern.states);
  std::vector<bool> takes_all(pattern.states);
  for (const PatternEdge& edge : pattern.edges) {
    next[edge.from].push_back(edge.to);
    if (edge.from == edge.to && edge.matcher == any) takes_all[edge.from] = true;
  }
  std::vector<uint32_t> length(pattern.states * 2, kNone);
  std::deque<uint32_t> queue;
  const auto reach = [&](uint32_t state, bool passed, uint32_t at) {
    const uint32_t place = state * 2 + (passed || takes_all[state]);
    if (length[place] != kNone) return;
    length[place] = at;
    queue.push_back(place);
  };
  for (const uint32_t state : pattern.start) reach(state, false, 0);
  while (!queue.empty()) {
    const uint32_t place = queue.front();
    queue.pop_front();
    const bool passed = place % 2 != 0;
    if (passed && pattern.accepting[place / 2]) return length[place];
    for (const uint32_t to : next[place / 2]) reach(to, passed, length[place] + 1);
  }
  return kNone;
}

// How many states the steps can make at most: one a read, and the start.
size_t CountReads(std::span<const PatternStep> steps, std::span<const StepMatchers> matchers) {
  size_t reads = 3;  // the start and the any-events at both ends
  for (const PatternStep& step : steps) {
    if (step.kind == Step::kGap) ++reads;
    if (step.kind == Step::kEvent) reads += matchers[step.token].scope ? 2 : 1;
  }
  return reads;
}

}  // namespace

Status BuildAutomaton(std::span<const PatternStep> steps, std::span<const StepMatchers> matchers, uint32_t any,
                      size_t max_states, Pattern& pattern) {
  const size_t reads = CountReads(steps, matchers);
  if (reads > max_states) {
    return Limit("pattern needs {} automaton states, more than {}: --max-pattern-states raises the limit", reads,
                 max_states);
  }
  Thompson thompson(matchers, any);
  thompson.Build(steps);
  OSCOPE_ASSIGN_OR_RETURN(std::vector<State> states, WithoutEmptyMoves(thompson, max_states * kEdgesPerState));
  DropDeadReads(states);
  MergeAlike(states);
  Store(states, pattern);
  pattern.shortest_word = ShortestWord(pattern, any);
  return {};
}

}  // namespace oscope::bql
