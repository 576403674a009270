// Every sample's runs against the .expected file beside it. OSCOPE_UPDATE_GOLDEN=1 rewrites the
// files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/unit/import/print_runs.h"
#include "tests/unit/import/samples.h"
#include "tracer/import/importer.h"

namespace oscope {
namespace {

class ImportGolden : public testing::TestWithParam<Sample> {};

TEST_P(ImportGolden, PrintsAsExpected) {
  const Sample& sample = GetParam();
  const Importer* importer = FindImporter(sample.importer);
  ASSERT_NE(importer, nullptr);
  RunCollector collected;
  std::vector<ImportProblem> problems;
  const Status status = importer->Import(sample.bytes, {.project = "Golden"}, collected, problems);
  ASSERT_TRUE(status.ok()) << status.error().message;

  const std::string expected_path = std::filesystem::path(sample.path).replace_extension(".expected");
  const std::string printed = PrintRuns(collected);
  if (std::getenv("OSCOPE_UPDATE_GOLDEN") != nullptr) std::ofstream(expected_path) << printed;
  EXPECT_EQ(printed, ReadFileOrDie(expected_path)) << expected_path;
}

TEST_P(ImportGolden, IsDetectedByItsContent) {
  const Importer* importer = DetectImporter(GetParam().bytes, "");
  ASSERT_NE(importer, nullptr);
  EXPECT_EQ(importer->name(), GetParam().importer);
}

INSTANTIATE_TEST_SUITE_P(Samples, ImportGolden, testing::ValuesIn(Samples()), [](const auto& sample_info) {
  return sample_info.param.importer + "_" + std::filesystem::path(sample_info.param.path).stem().string();
});

}  // namespace
}  // namespace oscope
