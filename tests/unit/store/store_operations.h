// Every operation that changes a store, and a store that has something for each of them to do: for the tests that
// disturb operations.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/store/store_fixture.h"

namespace oscope {

inline constexpr const char* kStorePath = "s";
inline constexpr const char* kOtherStorePath = "t";  // what a merge takes in

// Two stores. The one at kStorePath: runs 1 to 8 of project demo in four segments, run i started at i * 1000 ns; runs
// 1, 3 and 6 are of bug 7, run 2 of 8, 5 of 9, 8 of 10, and 4 and 7 of none; bug 7 has two revisions. Runs 1 and
// 8 and bug 7 have an attachment, all in a segment of their own.
// The other one: runs 50 and 51, bug 7 with other fields, and bug 70.
const CrashFileSystem& PreparedDisk();

// A run that started at its id * 1000 ns.
Status AddAgedRuns(RunSink& sink, const std::vector<WordRun>& words);
Result<IngestResult> CommitAgedRuns(Store& store, const std::vector<WordRun>& words);
// Gives each of them an attachment of this name, all with the same bytes.
Result<IngestResult> Attach(Store& store, const std::vector<AttachmentOwner>& owners, const std::string& name);
// The segment that holds a run.
std::string SegmentOf(const Store& store, uint64_t run);
// Adds `suffix` to the title of a bug, which is made when it is not there.
Result<Bug> AddToTitle(Store& store, const std::string& bug, const std::string& suffix);

// What a store holds, as text: runs with their bugs and words, bugs with all their revisions, settings, ranges, and how
// much is quarantined. Two stores that went through the same changes in the same order have the same text, however
// often a change was tried.
std::string Describe(const Store& store);

// What an operation returned.
struct Told {
  std::optional<Error> error;
  std::string text;  // the result's counters, or the error's code
  std::optional<PurgeResult> purge;
  std::optional<CompactResult> compact;
  bool ok() const { return !error; }
};

struct StoreOperation {
  std::string name;
  // Looks up in the store as it is now what the operation will be asked to change.
  std::function<std::function<Told(Store&)>(const Store&)> prepare;
};
// Those that publish a version on the prepared disk.
const std::vector<StoreOperation>& ChangingOperations();
const StoreOperation& ChangingOperation(const std::string& name);

// The files in `made` that the newest version of the store does not name: what an operation left behind.
std::vector<std::string> Unnamed(const Store& store, const std::set<std::string>& made);
// Nothing is in tmp/, and after a collection every file that is needed is there and no other is. What the files hold is
// for Describe to read.
void ExpectTidy(FileSystem& disk);

}  // namespace oscope
