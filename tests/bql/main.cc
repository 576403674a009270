// bql_cases ROOT FILE.test: runs a file of BQL cases; paths after `load` are below ROOT.
//
// OSCOPE_UPDATE_GOLDEN=1 rewrites what the file expects to what comes out. For errors and plans; what a query means is
// worked out by hand, from bql/LANGUAGE.md.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/file_system.h"
#include "tests/bql/case_runner.h"

namespace oscope {
namespace {

constexpr uint64_t kMaxFileBytes = 1 << 20;

void Print(const char* title, const std::vector<std::string>& lines) {
  std::printf("  %s:\n", title);
  for (const std::string& line : lines) std::printf("    %s\n", line.c_str());
}

bool AsExpected(const CaseBlock& block, const std::vector<std::string>& lines) {
  if (lines.size() != block.expected.size()) return false;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!MatchesExpected(block.expected[i], lines[i])) return false;
  }
  return true;
}

// Tells of a block that failed; whether it passed.
bool Judge(const std::string& path, const CaseBlock& block, const CaseRunner::Outcome& outcome) {
  const bool agreed = outcome.disagreement.empty();
  const bool expected = AsExpected(block, outcome.lines);
  if (agreed && expected) return true;
  std::printf("%s:%zu: FAILED\n%s\n", path.c_str(), block.line, block.statement.c_str());
  if (!agreed) std::printf("  the engines disagree\n%s", outcome.disagreement.c_str());
  if (!expected) {
    Print("expected", block.expected);
    Print("came", outcome.lines);
  }
  return false;
}

Result<size_t> RunFile(const std::string& root, const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(PosixFileSystem(), path, kMaxFileBytes));
  OSCOPE_ASSIGN_OR_RETURN(const CaseFile file, ParseCaseFile(text));
  const bool update = std::getenv("OSCOPE_UPDATE_GOLDEN") != nullptr;
  CaseRunner runner(root);
  size_t failures = 0, cases = 0;
  std::vector<std::vector<std::string>> lines;
  for (const CaseBlock& block : file.blocks) {
    OSCOPE_ASSIGN_OR_RETURN(const CaseRunner::Outcome outcome, runner.Run(block));
    lines.push_back(AsExpected(block, outcome.lines) ? block.expected : outcome.lines);
    if (block.statement.empty()) continue;
    ++cases;
    if (!Judge(path, block, outcome)) ++failures;
  }
  if (update) std::ofstream(path, std::ios::binary) << WithExpectations(file, lines);
  std::printf("%zu cases, %zu failed\n", cases, failures);
  return failures;
}

}  // namespace
}  // namespace oscope

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: bql_cases ROOT FILE.test\n");
    return 2;
  }
  const oscope::Result<size_t> failures = oscope::RunFile(argv[1], argv[2]);
  if (!failures.ok()) {
    std::fprintf(stderr, "%s: %s\n", argv[2], failures.error().message.c_str());
    return 2;
  }
  return *failures == 0 ? 0 : 1;
}
