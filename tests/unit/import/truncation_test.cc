// A text may be cut anywhere: each importer, on each prefix of each sample, answers and sends
// nothing when it fails.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/import/samples.h"
#include "tracer/import/importer.h"

namespace oscope {
namespace {

// The own importer sees every prefix of up to this many, evenly spread; the others a few.
constexpr size_t kOwnPrefixes = 600;
constexpr size_t kForeignPrefixes = 20;

class ImportTruncation : public testing::TestWithParam<const Importer*> {};

TEST_P(ImportTruncation, NeverCrashesNorSendsHalf) {
  const Importer* importer = GetParam();
  for (const Sample& sample : Samples()) {
    const size_t count = sample.importer == importer->name() ? kOwnPrefixes : kForeignPrefixes;
    const size_t step = std::max<size_t>(1, sample.bytes.size() / count);
    for (size_t length = 0; length <= sample.bytes.size(); length += step) {
      RunCollector collected;
      std::vector<ImportProblem> problems;
      const std::string prefix = sample.bytes.substr(0, length);
      const Status status = importer->Import(prefix, {.project = "P"}, collected, problems);
      importer->Sniff(prefix);
      EXPECT_EQ(status.ok(), !(collected.runs.empty() && collected.bugs.empty())) << sample.path << " " << length;
      if (status.ok()) {
        EXPECT_TRUE(problems.empty());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ImportTruncation, testing::ValuesIn(AllImporters().begin(), AllImporters().end()),
                         [](const auto& sample_info) { return std::string(sample_info.param->name()); });

}  // namespace
}  // namespace oscope
