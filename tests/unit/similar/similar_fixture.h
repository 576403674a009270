// Stores of a few bugs whose runs are lists of events, for the tests of the search.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "query/similar/similar_answer.h"
#include "tests/bql/case_store.h"

namespace oscope {

using Names = std::vector<std::string>;

// The id of the run with this number.
inline RunId RunOf(uint64_t number) { return *ParseRunId(fmt::format("{:032x}", number)); }

// A failing run of project P with one trace. An empty bug: it belongs to none.
inline std::string RunLine(uint64_t number, const std::string& bug, const Names& events,
                           const std::string& kind = "execution") {
  std::string list;
  for (const std::string& event : events) list += (list.empty() ? "\"" : ",\"") + event + "\"";
  return fmt::format(
             R"({{"type":"run","id":"{:032x}","project":"P"{},"test":"t","traces":[{{"kind":"{}","events":[{}]}}]}})",
             number, bug.empty() ? "" : fmt::format(R"(,"bug":"{}")", bug), kind, list) +
         "\n";
}

// `count` events a0, a1, … in which those at `changed` are others.
inline Names Events(size_t count, const std::vector<size_t>& changed = {}, const std::string& other = "x") {
  Names events;
  for (size_t i = 0; i < count; ++i) events.push_back(fmt::format("a{}", i));
  for (const size_t at : changed) events[at] = fmt::format("{}{}", other, at);
  return events;
}

class SimilarTest : public testing::Test {
 protected:
  void Make(const Names& commits) {
    Result<CaseStore> made = CaseStore::FromTexts(commits);
    ASSERT_TRUE(made.ok()) << made.error().message;
    cases_.emplace(*std::move(made));
    store_.emplace(*cases_->Open());
  }
  Session Open() const {
    SessionOptions options;
    options.threads = 1;
    return *Session::Open(store_->Share(), options);
  }
  // The ids of the bugs, each with its distance and what that counts: "2:5 levenshtein".
  static Names Bugs(const Result<SimilarAnswer>& answer) {
    if (!answer.ok()) return {answer.error().message};
    Names bugs;
    for (const SimilarBug& bug : answer->bugs) {
      const std::string distance = bug.distance ? std::to_string(*bug.distance) : "-";
      bugs.push_back(fmt::format("{}:{} {}", bug.report.key.id, distance, MetricOf(bug.distance_of)));
    }
    return bugs;
  }
  static Names Ids(const Result<SimilarAnswer>& answer) {
    Names ids;
    for (const std::string& bug : Bugs(answer)) ids.push_back(bug.substr(0, bug.find(':')));
    return ids;
  }

  std::optional<CaseStore> cases_;
  std::optional<Store> store_;
};

}  // namespace oscope
