// All that a store holds, as text, so that two moments of a store can be compared and a difference can be read.
#pragma once

#include <map>
#include <string>

#include "index/store/store.h"
#include "tests/support/crash_file_system.h"

namespace oscope {

struct StoreContent {
  // One entry for each run (with its bug, events and attributes), each revision of each bug, each quarantined segment,
  // and the settings: "run 3" -> what it says.
  std::map<std::string, std::string> entries;
  // When each of them was stored or edited. Not compared by ==: a change made twice happens at two times.
  std::map<std::string, int64_t> times;

  bool operator==(const StoreContent& other) const { return entries == other.entries; }
};

// Empty when both hold the same, else what is missing, additional or other.
std::string Difference(const StoreContent& expected, const StoreContent& found);
// Empty when whatever both hold has the same time in both.
std::string TimeDifference(const StoreContent& expected, const StoreContent& found);

// Through the snapshot's own reads, and fails like them.
Result<StoreContent> ReadContent(const Snapshot& snapshot);

// The newest version of every store among "s", "other" and "copy" that is there, each entry under its path; a store
// that cannot be opened or read is an entry that says so. Decoding is what a test of a thousand crashes spends its time
// on. So segments are read one by one, and one whose files and manifest entry are, byte for byte, those of a segment
// that was read before is not decoded again.
StoreContent ContentOf(CrashFileSystem& fs);
// Reads the store "s" as its users do, and fails the test where that is not `content`, or a deep check finds something.
void ExpectReadAndChecked(FileSystem& fs, const StoreContent& content);

// The files that a version of a store is made of, and what is left of writers: all but locks and pins, which come and
// go with readers.
std::map<std::string, std::string> FilesOf(const CrashFileSystem& fs);

}  // namespace oscope
