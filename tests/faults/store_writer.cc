// Writes to a store until it is killed: store_writer STORE FIRST_ID SEED. store_writer.h has what it prints.
#include "tests/faults/store_writer.h"

#include <unistd.h>

#include <cstdlib>
#include <random>

#include "index/intake/failure_rule.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

void Say(const std::string& line) {
  const std::string whole = line + "\n";
  if (::write(STDOUT_FILENO, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) std::_Exit(2);
}

template <typename Outcome>
void Expect(const char* doing, const Outcome& outcome) {
  if (outcome.ok()) return;
  Say(fmt::format("error {}: {}", doing, outcome.error().message));
  std::_Exit(1);
}

std::string Ids(const char* what, const std::vector<WordRun>& runs) {
  std::string line = what;
  for (const WordRun& run : runs) line += fmt::format(" {}", run.id);
  return line;
}

// Runs that name no bug have one of a few failures, and get their bugs by the rule.
Result<IngestResult> CommitFailing(Store& store, const std::vector<WordRun>& words) {
  OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({.rule = FailureRule(), .by = "writer"}));
  SymbolTable symbols;
  for (const WordRun& word : words) {
    Run run = MakeRun(word, symbols);
    if (word.bug.empty()) run.header.failure.fingerprint = FailureOfRun(word.id);
    OSCOPE_RETURN_IF_ERROR(SendRun(run, symbols, *ingest));
  }
  return ingest->Commit();
}

Result<Bug> Edit(Store& store, uint64_t id) {
  return store.EditBug(
      {"demo", "1"},
      [&](const std::optional<Bug>& there) -> Result<Bug> {
        Bug bug = there.value_or(Bug());
        bug.key = {"demo", "1"};
        bug.severity = std::to_string(id);
        return bug;
      },
      "writer", "an edit");
}

void WriteForever(const std::string& path, const uint64_t first_id, const uint64_t seed) {
  std::mt19937_64 random(seed);
  auto opened = Store::Open(PosixFileSystem(), path);
  Expect("open", opened);
  Store store = std::move(opened).value();
  Say("ready");
  std::vector<uint64_t> mine;
  for (uint64_t next_id = first_id;;) {
    std::vector<WordRun> batch;
    for (uint64_t n = 1 + random() % 4; n != 0; --n, ++next_id) {
      batch.push_back({next_id, next_id % 5 == 0 ? "" : fmt::format("{}", next_id % 5), WordOfRun(next_id)});
      mine.push_back(next_id);
    }
    Say(Ids("try", batch));
    Expect("commit", CommitFailing(store, batch));
    Say(Ids("ack", batch));

    const uint64_t then = random() % 12;
    if (then == 0) Expect("compact", store.Compact());
    if (then == 1) Expect("collect", store.Collect());
    if (then == 5) Expect("edit", Edit(store, next_id));
    if (then >= 2 && then < 5) {
      const size_t which = random() % mine.size();
      const uint64_t id = mine[which];
      mine.erase(mine.begin() + static_cast<ptrdiff_t>(which));
      PurgeFilter filter;
      SymbolTable symbols;
      filter.runs = {MakeRun({id, "", "x"}, symbols).header.id};
      Say(fmt::format("purge {}", id));
      Expect("purge", store.Purge(filter));
      Say(fmt::format("purged {}", id));
    }
  }
}

}  // namespace
}  // namespace oscope

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  oscope::WriteForever(argv[1], std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
}
