// Runs a fuzz target once over every file of its seed corpus, so that the seeds are regression tests in builds without
// libFuzzer.
//
// usage: fuzz_NAME CORPUS              every seed must give what CORPUS.expected, beside the folder, says of it
//        fuzz_NAME --print CORPUS|FILE...   prints what the seeds give now, as the file has it: to make it anew, and to
//                                           look at a crash
//
// CORPUS.expected has a line "SEED: what comes of it" for every seed, in the order of their names; "…" at the end of a
// line stands for anything. A seed without a line, a line without a seed, and an empty corpus fail too. What a target
// says of its input is in its source.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "base/escape.h"

namespace oscope {

std::string DescribeInput(std::string_view bytes);  // the target's

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnything = "…";
constexpr size_t kShown = 800;

// One line, however long the description.
std::string Line(std::string_view description) {
  const std::string line = EscapeForTerminal(description);
  if (line.size() <= kShown) return line;
  return ToValidUtf8(line.substr(0, kShown)) + fmt::format(" … {} bytes, {:016x}", line.size(), Xxh3(line));
}

// By their names, which are relative to the corpus.
std::map<std::string, fs::path> SeedsIn(const fs::path& corpus) {
  std::map<std::string, fs::path> seeds;
  if (!fs::is_directory(corpus)) return {{corpus.filename(), corpus}};
  for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
    if (entry.is_regular_file()) seeds.emplace(fs::relative(entry.path(), corpus), entry.path());
  }
  return seeds;
}

std::map<std::string, std::string> ReadExpected(const fs::path& file) {
  std::map<std::string, std::string> expected;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) expected.emplace(line.substr(0, colon), line.substr(colon + 2));
  }
  return expected;
}

std::string Describe(const fs::path& seed) {
  std::ifstream file(seed, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  OSCOPE_CHECK(file.good());
  return Line(DescribeInput(bytes));
}

bool Fits(std::string_view expected, std::string_view found) {
  if (!expected.ends_with(kAnything)) return expected == found;
  return found.starts_with(expected.substr(0, expected.size() - kAnything.size()));
}

int Print(const std::vector<std::string>& places) {
  for (const std::string& place : places) {
    for (const auto& [name, path] : SeedsIn(place)) {
      // Said first, so that the output of a crash ends in the seed that made it.
      std::printf("%s: ", name.c_str());
      std::fflush(stdout);
      std::printf("%s\n", Describe(path).c_str());
    }
  }
  return 0;
}

int Check(const std::string& corpus) {
  const fs::path file = corpus + ".expected";
  std::map<std::string, std::string> expected = ReadExpected(file);
  const std::map<std::string, fs::path> seeds = SeedsIn(corpus);
  int wrong = seeds.empty() ? 1 : 0;
  for (const auto& [name, path] : seeds) {
    std::printf("%s\n", name.c_str());
    std::fflush(stdout);
    const std::string found = Describe(path);
    const auto line = expected.extract(name);
    if (!line.empty() && Fits(line.mapped(), found)) continue;
    ++wrong;
    std::printf("  must give: %s\n  gives:     %s\n", line.empty() ? "nothing is said of it" : line.mapped().c_str(),
                found.c_str());
  }
  for (const auto& [name, description] : expected) std::printf("%s: there is no such seed\n", name.c_str());
  wrong += static_cast<int>(expected.size());
  std::printf("%zu seeds, %d not as %s says\n", seeds.size(), wrong, file.c_str());
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace oscope

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() > 1 && words[0] == "--print") return oscope::Print({words.begin() + 1, words.end()});
  if (words.size() == 1) return oscope::Check(words[0]);
  std::fprintf(stderr, "usage: %s CORPUS | --print CORPUS|FILE...\n", argv[0]);
  return 2;
}
