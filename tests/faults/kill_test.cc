// kill -9 at any moment, to any of several writers: what was acknowledged is there, nothing is there in part, the store
// is healthy, and each failure has one bug. A kill loses nothing that the system has in memory; for the loss of what was not synced see
// tests/unit/store/crash_test.cc.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "tests/faults/store_writer.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kKillsPerStore = 50;
constexpr std::chrono::seconds kDeadline{60};

// What the writers said.
struct Ledger {
  std::vector<std::vector<uint64_t>> batches;
  std::set<uint64_t> acknowledged, purging, purged;
  int ready = 0;

  void Note(const std::string& line) {
    std::istringstream in(line);
    std::string what;
    in >> what;
    if (what == "error") ADD_FAILURE() << "a writer: " << line;
    if (what == "ready") ++ready;
    if (what == "try") batches.emplace_back();
    for (uint64_t id = 0; in >> id;) {
      if (what == "try") batches.back().push_back(id);
      if (what == "ack") acknowledged.insert(id);
      if (what == "purge") purging.insert(id);
      if (what == "purged") purged.insert(id);
    }
  }
};

class Writer {
 public:
  Writer(const std::string& store, uint64_t first_id, uint64_t seed) {
    int ends[2];
    OSCOPE_CHECK(::pipe2(ends, O_CLOEXEC) == 0);
    OSCOPE_CHECK(::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<std::string> words = {OSCOPE_STORE_WRITER, store, std::to_string(first_id), std::to_string(seed)};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    OSCOPE_CHECK(::posix_spawn(&pid_, OSCOPE_STORE_WRITER, &actions, nullptr, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ends[0];
  }
  Writer(Writer&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        output_(std::exchange(other.output_, -1)),
        pending_(std::move(other.pending_)) {}
  Writer& operator=(Writer&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(output_, other.output_);
    std::swap(pending_, other.pending_);
    return *this;
  }
  ~Writer() {
    if (output_ < 0) return;
    Kill();
    ::close(output_);
  }

  void Kill() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    int status = 0;
    OSCOPE_CHECK(::waitpid(std::exchange(pid_, -1), &status, 0) > 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the writer ended by itself, status " << status;
  }

  void Hear(Ledger& ledger) {
    char buffer[4096];
    for (ssize_t n; (n = ::read(output_, buffer, sizeof(buffer))) > 0;) pending_.append(buffer, static_cast<size_t>(n));
    for (size_t end; (end = pending_.find('\n')) != std::string::npos; pending_.erase(0, end + 1))
      ledger.Note(pending_.substr(0, end));
  }

  int output() const { return output_; }

 private:
  pid_t pid_ = -1;  // -1: it is dead
  int output_ = -1;
  std::string pending_;
};

class KillTest : public testing::TestWithParam<int> {
 protected:
  KillTest() : random_(static_cast<uint64_t>(GetParam())), path_(directory_.path("s")) {
    Must(Store::Create(PosixFileSystem(), path_));
  }

  void Start() {
    // Ids that no other writer has: the runs of a store's writers are told apart by them.
    writers_.emplace_back(path_, ++started_ * 1'000'000, random_());
  }

  void HearAll() {
    for (Writer& writer : writers_) writer.Hear(ledger_);
  }

  // Takes what the writers say until `done`, or until the time is up.
  template <typename Done>
  void HearUntil(Clock::time_point end, Done done) {
    while (HearAll(), !done()) {
      const auto left = end - Clock::now();
      if (left <= Clock::duration::zero()) return;
      std::vector<pollfd> outputs;
      for (const Writer& writer : writers_) outputs.push_back({writer.output(), POLLIN, 0});
      const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
      const timespec wait{ns / 1'000'000'000, ns % 1'000'000'000};
      ::ppoll(outputs.data(), outputs.size(), &wait, nullptr);
    }
  }

  void KillOne() {
    const size_t which = random_() % writers_.size();
    writers_[which].Kill();
    writers_[which].Hear(ledger_);
    writers_.erase(writers_.begin() + static_cast<ptrdiff_t>(which));
  }

  // The store against the ledger, while the other writers go on.
  void Verify() {
    HearAll();
    const Ledger before = ledger_;
    Store store = Must(Store::Open(PosixFileSystem(), path_));
    RunCollector all;
    {
      const Snapshot snapshot = Must(store.Read());
      // What came into the snapshot was announced before, and what left it too.
      HearAll();
      EXPECT_OK(snapshot.Send([](const StoredRun&) { return true; }, all));
    }
    std::set<uint64_t> there;
    std::map<std::string, std::string> bug_of;  // by failure
    for (const oscope::Run& run : all.runs) {
      if (const std::string& failure = run.header.failure.fingerprint; !failure.empty()) {
        EXPECT_EQ(failure, FailureOfRun(run.header.id.value.low));
        const std::string& bug = bug_of.try_emplace(failure, run.header.bug).first->second;
        EXPECT_TRUE(!bug.empty() && bug == run.header.bug)
            << "failure " << failure << " has the bugs '" << bug << "' and '" << run.header.bug << "'";
      }
      const uint64_t id = run.header.id.value.low;
      EXPECT_TRUE(there.insert(id).second) << "run " << id << " is there twice";
      ASSERT_EQ(run.traces.size(), 1u) << "run " << id;
      std::string word;
      for (const SymbolId event : run.traces[0].events) word += all.symbols.name(event);
      EXPECT_EQ(word, WordOfRun(id)) << "run " << id;
    }
    for (const uint64_t id : before.acknowledged) {
      EXPECT_TRUE(there.contains(id) || ledger_.purging.contains(id))
          << "run " << id << " was acknowledged and is lost";
    }
    for (const uint64_t id : before.purged)
      EXPECT_FALSE(there.contains(id)) << "run " << id << " was purged and is there";
    size_t announced = 0;
    for (const std::vector<uint64_t>& batch : ledger_.batches) {
      const auto is_there = [&](uint64_t id) { return there.contains(id) || ledger_.purging.contains(id); };
      const auto found = static_cast<size_t>(std::count_if(batch.begin(), batch.end(), is_there));
      // A purge is of runs whose commit is over, so it does not hide a batch that landed in part.
      EXPECT_TRUE(found == 0 || found == batch.size())
          << "of the commit of run " << batch.front() << " " << found << " are there";
      announced += static_cast<size_t>(
          std::count_if(batch.begin(), batch.end(), [&](uint64_t id) { return there.contains(id); }));
    }
    EXPECT_EQ(announced, there.size()) << "a run that nobody wrote";
    std::set<BugKey> reported;
    for (const Bug& bug : all.bugs) EXPECT_TRUE(reported.insert(bug.key).second) << "two reports of " << bug.key.id;
    for (const oscope::Run& run : all.runs)
      EXPECT_TRUE(reported.contains({"demo", run.header.bug})) << "a run of bug " << run.header.bug << ", which is not";
    ExpectHealthy(store);
  }

  static void ExpectHealthy(Store& store) {
    for (const CheckProblem& problem : Must(store.Check()).problems) EXPECT_FALSE(problem.fatal) << problem.what;
  }

  // With nobody left, a collection leaves what the newest version names and nothing else.
  void ExpectNoOrphansAfterCollection() {
    Store store = Must(Store::Open(PosixFileSystem(), path_));
    const CollectResult collected = Must(store.Collect());
    EXPECT_FALSE(collected.writers_active);
    EXPECT_EQ(collected.files_pinned, 0u);
    for (const CheckProblem& problem : Must(store.Check()).problems) ADD_FAILURE() << problem.what;
    const Snapshot snapshot = Must(store.Read());
    std::map<std::string, size_t> files = {{"manifests", 1}, {"groups", snapshot.manifest().groups.size()}, {"tmp", 0}};
    for (const SegmentEntry& segment : snapshot.manifest().segments)
      files["segments"] += segment.tables.size(), ++files["index"];
    for (const auto& [directory, count] : files) {
      EXPECT_EQ(Must(PosixFileSystem().List(path_ + "/" + directory)).size(), count) << directory;
    }
  }

  std::mt19937_64 random_;
  TemporaryDirectory directory_;
  const std::string path_;
  std::vector<Writer> writers_;
  uint64_t started_ = 0;
  Ledger ledger_;
};

TEST_P(KillTest, AcknowledgedRunsSurvive) {
  for (int kill = 0; kill < kKillsPerStore && !HasFailure(); ++kill) {
    const size_t writers = 1 + random_() % 3;
    while (writers_.size() < writers) Start();
    HearUntil(Clock::now() + kDeadline, [&] { return ledger_.ready == static_cast<int>(started_) || HasFailure(); });
    ASSERT_EQ(ledger_.ready, static_cast<int>(started_)) << "a writer did not start";
    HearUntil(Clock::now() + std::chrono::microseconds(random_() % 150'000), [] { return HasFailure(); });
    KillOne();
    Verify();
  }
  while (!writers_.empty()) KillOne();
  Verify();
  ExpectNoOrphansAfterCollection();
  Verify();
  RecordProperty("runs_acknowledged", static_cast<int>(ledger_.acknowledged.size()));
  RecordProperty("runs_purged", static_cast<int>(ledger_.purged.size()));
  EXPECT_GT(ledger_.acknowledged.size(), static_cast<size_t>(kKillsPerStore))
      << "too little was written to mean anything";
}

INSTANTIATE_TEST_SUITE_P(Seed, KillTest, testing::Range(OSCOPE_FIRST_SEED, OSCOPE_LAST_SEED + 1),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace oscope
