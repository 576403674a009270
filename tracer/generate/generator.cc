// Makes bugs one after another, each from a random stream of its own, so that a bug does not depend on those before it
// except for its numbers.
//
// Random sequences alone would make a bad benchmark: no two of them are near each other, and every filter would look
// perfect. Traces of real programs share long parts. So a grammar makes a call graph, a few hundred base traces walk
// it, and most failing runs are copies of one base with a known number of edits. That also gives searches a known
// answer to be measured against: the custom fields `family` and `edits` say which bugs must be found and how far away
// they are at most.
#include "tracer/generate/generator.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tracer/generate/trace_lengths.h"

namespace oscope {
namespace {

constexpr uint32_t kBasesPerMillion = 900;
constexpr uint32_t kFewestBases = 16;
constexpr uint32_t kCopiedPercent = 60;
constexpr uint32_t kPassingPercent = 5;  // of all runs but a bug's first
constexpr uint32_t kShutdownPercent = 20;
constexpr int64_t kFirstStartNs = 1'704'067'200'000'000'000;  // 2024-01-01
constexpr int64_t kSecondNs = 1'000'000'000;

// Streams of random numbers: 0 is the grammar's.
constexpr uint64_t kBaseStream = 1ull << 32;
constexpr uint64_t kBugStream = 1ull << 33;

constexpr std::array<std::string_view, 8> kShutdown = {
    "runtime::Exit::run_handlers", "log::Sink::flush",      "cache::Pool::drop_all", "thread::Pool::join",
    "runtime::Heap::sweep",        "io::Stream::flush_all", "runtime::Exit::report", "runtime::Exit::leave"};

struct FailureWay {
  std::string_view reason;
  Outcome outcome;
  int32_t signal;  // 0: none
};
constexpr std::array<FailureWay, 5> kFailures = {{{"assertion", Outcome::kSignal, 6},
                                                  {"SIGSEGV", Outcome::kSignal, 11},
                                                  {"throw", Outcome::kFailed, 0},
                                                  {"test failure", Outcome::kFailed, 0},
                                                  {"timeout", Outcome::kTimeout, 0}}};

uint32_t BaseCount(uint64_t traces) {
  const uint64_t wanted = traces / 1'000'000 * kBasesPerMillion + traces % 1'000'000 * kBasesPerMillion / 1'000'000;
  return static_cast<uint32_t>(std::max<uint64_t>(wanted, kFewestBases));
}

// Other options give other runs, so they must give other ids.
Hash128 IdentityOf(const GenerateOptions& options) {
  return Xxh3Wide(fmt::format("{} {} {} {} {} {} {} {} {}", options.traces, options.bugs, options.length,
                              options.thesis_lengths, options.names, options.max_edits, options.depths, options.seed,
                              options.project));
}

Status CheckOptions(const GenerateOptions& options) {
  OSCOPE_RETURN_IF_ERROR(ValidateId("project", options.project));
  if (options.traces == 0) return Invalid("generate: --traces must be at least 1");
  if (options.traces > 1ull << 32) return Limit("generate: at most {} traces", 1ull << 32);
  if (options.bugs > options.traces) {
    return Invalid("generate: {} bugs need at least as many traces, not {}", options.bugs, options.traces);
  }
  if (options.length == 0) return Invalid("generate: --length must be at least 1");
  if (options.length > 1u << 24) return Limit("generate: at most {} events a trace", 1u << 24);
  if (options.names == 0) return Invalid("generate: --names must be at least 1");
  if (options.names > 1u << 24) return Limit("generate: at most {} names", 1u << 24);
  return {};
}

}  // namespace

Generator::Generator(const GenerateOptions& options)
    : options_(options), identity_(IdentityOf(options)), grammar_(options.seed, options.names) {
  run_.traces.resize(1);
  for (uint32_t i = 0; i < options.names; ++i) symbols_.Append(GeneratedMethodName(i));
  for (const std::string_view name : kShutdown) shutdown_.push_back(symbols_.Append(name));

  bases_.resize(BaseCount(options.traces));
  const uint32_t count = static_cast<uint32_t>(bases_.size());
  for (uint32_t i = 0; i < count; ++i) {
    Random random(options.seed, kBaseStream + i);
    // Evenly over the quantiles, so that few bases have the mean of many.
    const uint32_t length = options.thesis_lengths ? ThesisLength(2 * i + 1, 2 * count) : options.length;
    grammar_.Walk(random, length, bases_[i].events, options.depths ? &bases_[i].depths : nullptr);
    bases_[i].FinishHeader();
  }
}

Result<Generator> Generator::Make(const GenerateOptions& options) {
  OSCOPE_RETURN_IF_ERROR(CheckOptions(options));
  return Generator(options);
}

Result<bool> Generator::SendNextBug(RunSink& sink) {
  if (stats_.runs == options_.traces) return false;
  const uint64_t bug = next_bug_++;
  Random random(options_.seed, kBugStream + bug);
  // With the thesis's lengths the first two bugs have its shortest and its longest trace.
  const bool bound = options_.thesis_lengths && bug < 2;
  const bool copied = random.Percent(kCopiedPercent) && !bound;
  const uint32_t family = random.Below(static_cast<uint32_t>(bases_.size()));
  const uint64_t runs = RunsOfBug(bug, random);
  OSCOPE_RETURN_IF_ERROR(sink.AddBug(MakeBug(bug, copied, family, random)));
  ++stats_.bugs;

  for (uint64_t i = 0; i < runs; ++i) {
    FillHeader(bug);
    trace().events.clear();
    trace().depths.clear();
    trace().header = {};
    const bool passing = i > 0 && random.Percent(kPassingPercent);
    if (copied && !passing) {
      FillCopy(family, random);
    } else if (bound && i == 0) {
      FillFresh(bug == 0 ? kThesisShortest : kThesisLongest, random);
    } else {
      FillFresh(options_.thesis_lengths ? RandomThesisLength(random) : options_.length, random);
    }
    const uint32_t length = static_cast<uint32_t>(trace().events.size());
    stats_.marked_events += length;
    stats_.shortest = std::min(stats_.shortest, length);
    stats_.longest = std::max(stats_.longest, length);
    stats_.passing += passing;
    if (!passing) MarkFailure(random);
    trace().FinishHeader();
    OSCOPE_RETURN_IF_ERROR(SendRun(run_, symbols_, sink));
    ++stats_.runs;
    stats_.events += trace().events.size();
  }
  return true;
}

uint64_t Generator::RunsOfBug(uint64_t bug, Random& random) const {
  const uint64_t left = options_.traces - stats_.runs;
  if (options_.bugs == 0) return std::min<uint64_t>(left, 1 + random.Below(5));
  return left / (options_.bugs - bug);
}

Bug Generator::MakeBug(uint64_t bug, bool copied, uint32_t family, Random& random) const {
  Bug made;
  made.key = {options_.project, std::to_string(bug + 1)};
  const SymbolId culprit = copied ? bases_[family].events.back() : SymbolId{random.Below(options_.names)};
  made.title = fmt::format("{} fails in case {}", symbols_.name(culprit), bug + 1);
  made.created_ns = kFirstStartNs + static_cast<int64_t>(bug) * kSecondNs;
  if (copied) made.custom["family"] = std::to_string(family);
  if (random.Percent(50)) {
    made.status = BugStatus::kResolved;
    made.resolved_ns = *made.created_ns + kSecondNs * random.Below(1'000'000);
    made.fix.commit = fmt::format("{:016x}", random.Next());
    made.fix.note = fmt::format("check the result of {} before it is used", symbols_.name(culprit));
  }
  return made;
}

void Generator::FillHeader(uint64_t bug) {
  const uint64_t run = stats_.runs;
  RunHeader& header = run_.header;
  header.id.value = {identity_.high ^ Mix(run), Mix(identity_.low ^ run)};
  header.project = options_.project;
  header.bug = std::to_string(bug + 1);
  header.test = "synthetic.case_" + header.bug;
  header.version = "1.0";
  header.language = "c++";
  header.recorder = "generate";
  header.started_ns = kFirstStartNs + static_cast<int64_t>(run) * kSecondNs;
  header.outcome = Outcome::kPassed;
  header.failure.signal.reset();
  header.failing_thread.reset();
  header.failure.message.clear();
  header.custom.clear();
}

void Generator::FillFresh(uint32_t length, Random& random) {
  grammar_.Walk(random, length, trace().events, options_.depths ? &trace().depths : nullptr);
}

// Every edit keeps the length: an insertion pushes out the first event and a deletion brings in a new one, which makes
// them two edits each.
void Generator::FillCopy(uint32_t family, Random& random) {
  const Trace& base = bases_[family];
  trace().events.assign(base.events.begin(), base.events.end());
  trace().depths.assign(base.depths.begin(), base.depths.end());
  const uint32_t edits = random.Below(options_.max_edits + 1);
  const uint32_t size = static_cast<uint32_t>(trace().events.size());
  for (uint32_t left = edits; left > 0;) {
    const size_t position = random.Below(size);
    const uint32_t dice = random.Below(4);
    if (dice < 2 || left == 1) {
      Replace(position, random);
      left -= 1;
    } else {
      dice == 2 ? InsertBefore(position, random) : Delete(position, random);
      left -= 2;
    }
  }
  run_.header.custom["family"] = std::to_string(family);
  run_.header.custom["edits"] = std::to_string(edits);
  ++stats_.copies;
}

void Generator::Replace(size_t position, Random& random) {
  trace().events[position] = SymbolId{random.Below(options_.names)};
}

void Generator::InsertBefore(size_t position, Random& random) {
  const auto at = static_cast<ptrdiff_t>(position);
  std::move(trace().events.begin() + 1, trace().events.begin() + at + 1, trace().events.begin());
  if (options_.depths) std::move(trace().depths.begin() + 1, trace().depths.begin() + at + 1, trace().depths.begin());
  Replace(position, random);
}

void Generator::Delete(size_t position, Random& random) {
  const auto at = static_cast<ptrdiff_t>(position);
  std::move_backward(trace().events.begin(), trace().events.begin() + at, trace().events.begin() + at + 1);
  if (options_.depths) {
    std::move_backward(trace().depths.begin(), trace().depths.begin() + at, trace().depths.begin() + at + 1);
  }
  Replace(0, random);
}

void Generator::MarkFailure(Random& random) {
  const FailureWay& way = kFailures[random.Below(kFailures.size())];
  trace().header.mark = FailureMark{trace().events.size(), std::string(way.reason)};
  run_.header.outcome = way.outcome;
  if (way.signal != 0) run_.header.failure.signal = way.signal;
  run_.header.failing_thread = ThreadRef{};
  run_.header.failure.message.assign(way.reason).append(" in ").append(symbols_.name(trace().events.back()));
  if (!random.Percent(kShutdownPercent)) return;
  trace().events.insert(trace().events.end(), shutdown_.begin(), shutdown_.end());
  if (options_.depths) {
    for (uint32_t i = 0; i < shutdown_.size(); ++i) trace().depths.push_back(i == 0 ? 0 : 1);
  }
}

}  // namespace oscope
