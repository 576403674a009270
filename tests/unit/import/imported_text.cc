#include "tests/unit/import/imported_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/unit/import/print_runs.h"

namespace oscope {
namespace {

std::string WithoutWhatIsAlwaysTheSame(const std::string& printed, std::string_view importer) {
  std::istringstream lines(printed);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const bool is_id = line.starts_with("run ");
    const bool is_usual = line == "  project: P" || line == fmt::format("  recorder: import:{}", importer);
    if (!is_usual) kept += is_id ? "run\n" : line + "\n";
  }
  return kept;
}

}  // namespace

ImportedText ImportText(std::string_view importer, std::string_view text, const ImportOptions& options) {
  ImportedText imported;
  const Importer* found = FindImporter(importer);
  EXPECT_NE(found, nullptr) << importer;
  if (found != nullptr) imported.status = found->Import(text, options, imported.collected, imported.problems);
  return imported;
}

std::string Told(std::string_view importer, std::string_view text) {
  const ImportedText imported = ImportText(importer, text);
  if (imported.status.ok()) {
    EXPECT_TRUE(imported.problems.empty());
    return WithoutWhatIsAlwaysTheSame(PrintRuns(imported.collected), importer);
  }
  EXPECT_TRUE(imported.collected.runs.empty());
  EXPECT_TRUE(imported.collected.bugs.empty());
  std::string told;
  for (const ImportProblem& problem : imported.problems) told += fmt::format("{}: {}\n", problem.line, problem.message);
  return imported.problems.empty() ? fmt::format("0: {}\n", imported.status.error().message) : told;
}

void ExpectTold(std::string_view importer, std::span<const TextCase> cases) {
  for (const TextCase& one : cases) EXPECT_EQ(Told(importer, one.text), one.told) << one.name;
}

}  // namespace oscope
