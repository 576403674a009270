// Small stores drawn from a seed: the bugs and runs that the engines are compared on.
//
// Every kind and granularity, several threads and processes, marks, passing runs, bugs without runs, runs without bugs,
// empty traces, an id in two projects; most traces are a few edits away from one of a handful, so that near pairs are
// common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace oscope {

struct RandomStore {
  // JSON lines (docs/formats/jsonl.md). Each list is a commit, each text a line of its own.
  std::vector<std::vector<std::string>> commits;
  std::vector<std::string> projects;
  std::vector<std::string> bugs;    // "P-b1"
  std::vector<std::string> runs;    // ids; those without a bug last
  std::vector<std::string> events;  // event texts that occur, or may

  std::vector<std::string> Texts() const;  // a text a commit, as CaseStore::FromTexts takes them
};

RandomStore MakeRandomStore(uint64_t seed);

}  // namespace oscope
