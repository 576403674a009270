#include "tests/unit/engine/random_store.h"

#include <fmt/core.h>

#include <set>

#include "tests/unit/engine/draw.h"

namespace oscope {
namespace {

using Words = std::vector<std::string>;

const Words kMethods = {"a",
                        "b",
                        "c",
                        "v<int>::at",
                        "v<char>::at",
                        "net::Socket::read",
                        "net::Socket::open",
                        "net::Buffer::grow",
                        "fs::File::read",
                        "org.x.Y.m"};
const Words kStatements = {"S a: x = 1;", "S b: return x;", "S net::Socket::read: n = recv(fd);"};
const Words kBlocks = {"B a: 0", "B a: 1 taken", "B fs::File::read: 2"};
const Words kInstructions = {"I MOV", "I ADD", "I RET"};

std::string Quoted(const Words& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "\"" : ",\"") + word + "\"";
  return "[" + list + "]";
}

class Maker {
 public:
  explicit Maker(uint64_t seed) : draw_(seed) {}

  RandomStore Make() {
    store_.commits.resize(draw_.Between(1, 4));
    for (const Words* part : {&kMethods, &kStatements, &kBlocks, &kInstructions}) {
      store_.events.insert(store_.events.end(), part->begin(), part->end());
    }
    for (uint64_t i = draw_.Between(2, 4); i > 0; --i) pool_.push_back(NewTrace());
    for (uint64_t i = draw_.Between(1, 3); i > 0; --i)
      store_.projects.push_back(std::string(1, static_cast<char>('O' + i)));
    for (uint64_t i = draw_.Between(2, 11); i > 0; --i) AddBug(i);
    // Runs that nobody reported a bug for.
    for (uint64_t i = draw_.Percent(30) ? 0 : draw_.Between(1, 2); i > 0; --i) AddRun(draw_.Of(store_.projects), "");
    return std::move(store_);
  }

 private:
  void AddLine(std::string line) { store_.commits[draw_.Below(store_.commits.size())].push_back(std::move(line)); }

  const Words& Alphabet() {
    const uint64_t kind = draw_.Below(10);
    return kind < 7 ? kMethods : kind == 7 ? kStatements : kind == 8 ? kBlocks : kInstructions;
  }

  Words NewTrace() {
    const Words& alphabet = Alphabet();
    // Now and then longer than what sketches (50) and tails (256) hold.
    const uint64_t length = draw_.Percent(85)   ? draw_.Below(12)
                            : draw_.Percent(80) ? draw_.Between(40, 90)
                                                : draw_.Between(240, 300);
    Words trace;
    for (uint64_t i = 0; i < length; ++i)
      trace.push_back(draw_.Percent(95) ? draw_.Of(alphabet) : draw_.Of(store_.events));
    return trace;
  }

  Words Trace() {
    if (draw_.Percent(20)) return NewTrace();
    Words trace = draw_.Of(pool_);
    for (uint64_t edits = draw_.Below(4); edits > 0; --edits) Edit(trace);
    return trace;
  }

  void Edit(Words& trace) {
    const uint64_t at = draw_.Below(trace.size() + 1);
    const auto place = trace.begin() + static_cast<ptrdiff_t>(at);
    if (draw_.Percent(40) || at == trace.size()) {
      trace.insert(place, draw_.Of(kMethods));
    } else if (draw_.Percent(50)) {
      trace.erase(place);
    } else {
      *place = draw_.Of(kMethods);
    }
  }

  void AddBug(uint64_t number) {
    const std::string project = draw_.Of(store_.projects);
    // Of two projects the lesser numbers may be in both.
    std::string id = fmt::format("b{}", draw_.Percent(85) ? number + 3 : draw_.Below(3));
    const std::string key = project + "-" + id;
    if (!keys_.insert(key).second) return;
    const uint64_t runs = draw_.Percent(15) ? 0 : draw_.Between(1, 4);
    // A run makes its bug when nobody reported it.
    const bool reported = runs == 0 || draw_.Percent(80);
    if (reported) AddReport(project, id);
    for (uint64_t i = 0; i < runs; ++i) AddRun(project, id);
    store_.bugs.push_back(key);
  }

  void AddReport(const std::string& project, const std::string& id) {
    static const Words kStatus = {"open", "reopened", "resolved", "closed"}, kSeverity = {"minor", "major", ""},
                       kTitles = {"crash", "Crash on read", "hang", ""}, kComponents = {"parser", "10", "9", ""},
                       kOthers = {R"("reporter":"1.5")", R"("version":"1.10")", R"("version":"1.5")", R"("url":"read")",
                                  R"("url":"x")"};
    std::string custom = draw_.Of(kComponents);
    if (!custom.empty())
      custom =
          fmt::format(R"(,"custom":{{"component":"{}","odd field":"{}"}})", custom, draw_.Percent(50) ? "read" : "");
    std::string times, other;
    if (draw_.Percent(70)) times = fmt::format(R"(,"created":"2026-01-0{}")", draw_.Between(1, 4));
    if (draw_.Percent(50))
      times +=
          fmt::format(R"(,"resolved":"2026-02-0{}{}")", draw_.Between(1, 3), draw_.Percent(50) ? "" : "T12:00:00Z");
    if (draw_.Percent(60)) other = "," + draw_.Of(kOthers);
    AddLine(fmt::format(R"({{"type":"bug","project":"{}","id":"{}","title":"{}","status":"{}","severity":"{}"{}{}{}}})",
                        project, id, draw_.Of(kTitles), draw_.Of(kStatus), draw_.Of(kSeverity), times, other, custom));
  }

  void AddRun(const std::string& project, const std::string& bug) {
    static const Words kOutcomes = {"failed", "failed", "failed", "signal", "timeout", "passed"};
    const std::string outcome = draw_.Of(kOutcomes);
    store_.runs.push_back(fmt::format("{:02x}{:030x}", draw_.Below(256), ++runs_));
    std::string head = fmt::format(R"({{"type":"run","id":"{}","project":"{}","outcome":"{}","test":"t{}")",
                                   store_.runs.back(), project, outcome, draw_.Below(3));
    if (!bug.empty()) head += fmt::format(R"(,"bug":"{}")", bug);
    if (outcome == "signal") head += fmt::format(R"(,"signal":{})", draw_.Percent(50) ? 6 : 11);
    struct Place {
      uint64_t process = 0, thread = 0;
      bool stack = false;
      auto operator<=>(const Place&) const = default;
    };
    std::set<Place> places;
    // Now and then a run that left no trace.
    const uint64_t most = draw_.Percent(3) ? 0 : draw_.Percent(60) ? 1 : draw_.Between(1, 3);
    for (uint64_t i = most; i > 0; --i)
      places.insert({draw_.Percent(15) ? uint64_t{1} : 0, draw_.Below(3), draw_.Percent(25)});
    std::string traces;
    for (const Place& place : places)
      traces += (traces.empty() ? "" : ",") + TraceText(place.process, place.thread, place.stack);
    if (outcome != "passed" && !places.empty() && draw_.Percent(70)) {
      const Place& failing = draw_.Percent(70) ? *places.begin() : *places.rbegin();
      head += fmt::format(R"(,"failing_thread":{{"process":{},"thread":{}}})", failing.process, failing.thread);
    }
    AddLine(fmt::format(R"({},"traces":[{}]}})", head, traces));
  }

  std::string TraceText(uint64_t process, uint64_t thread, bool stack) {
    const Words events = Trace();
    std::string mark;
    if (!events.empty() && draw_.Percent(50)) {
      const uint64_t marked = events.size() - std::min<uint64_t>(draw_.Below(5), events.size() - 1);
      mark = fmt::format(R"("mark":{{"events":{},"reason":"throw"}},)", marked);
    }
    return fmt::format(R"({{"process":{},"thread":{},"kind":"{}",{}"events":{}}})", process, thread,
                       stack ? "stack" : "execution", mark, Quoted(events));
  }

  Draw draw_;
  RandomStore store_;
  std::vector<Words> pool_;
  std::set<std::string> keys_;
  uint64_t runs_ = 0;
};

}  // namespace

std::vector<std::string> RandomStore::Texts() const {
  std::vector<std::string> texts;
  for (const std::vector<std::string>& commit : commits) {
    std::string text;
    for (const std::string& line : commit) text += line + "\n";
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

RandomStore MakeRandomStore(uint64_t seed) { return Maker(seed).Make(); }

}  // namespace oscope
