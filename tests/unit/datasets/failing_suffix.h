// What a search by suffix compares, straight from a data set's files.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "tracer/import/importer.h"

namespace oscope {

inline void Load(const std::string& file, const ImportOptions& options, RunCollector& into) {
  const std::string path = std::string(OSCOPE_SOURCE_DIR) + "/datasets/" + file;
  const Result<std::string> bytes = ReadWholeFile(PosixFileSystem(), path, 1 << 20);
  ASSERT_TRUE(bytes.ok()) << bytes.error().message;
  const Importer* importer = DetectImporter(*bytes, path);
  ASSERT_NE(importer, nullptr) << path;
  std::vector<ImportProblem> problems;
  const Status status = importer->Import(*bytes, options, into, problems);
  ASSERT_TRUE(status.ok()) << path << ": " << status.error().message;
}

// The last `length` events up to the mark of the failing thread of each failing run, by bug ("Ini-1"). Events of one
// text have one number.
inline std::map<std::string, std::vector<uint32_t>> FailingSuffixes(const RunCollector& loaded, size_t length) {
  std::map<std::string, std::vector<uint32_t>> suffixes;
  std::map<std::string, uint32_t> numbers;
  for (const oscope::Run& run : loaded.runs) {
    if (!IsFailing(run.header.outcome)) continue;
    for (const Trace& trace : run.traces) {
      const ThreadRef thread{trace.header.process, trace.header.thread};
      if (run.header.failing_thread.value_or(thread) != thread) continue;
      const size_t end = trace.header.mark ? trace.header.mark->events : trace.events.size();
      std::vector<uint32_t>& suffix = suffixes[ToString(BugKey{run.header.project, run.header.bug})];
      EXPECT_TRUE(suffix.empty()) << "one failing trace a bug";
      for (size_t i = end - std::min(end, length); i < end; ++i)
        suffix.push_back(
            numbers.try_emplace(loaded.symbols.name(trace.events[i]), static_cast<uint32_t>(numbers.size()))
                .first->second);
    }
  }
  return suffixes;
}

}  // namespace oscope
