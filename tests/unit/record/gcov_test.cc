// What the recorder counts against what gcov counts, of the same run of the same program: entries of functions, outcomes
// of branches.
//
// Left out: arcs of exceptions, and a `break` or `continue` past a destructor, for which gcov counts an arc where the
// machine has no conditional jump. A floating-point == has two jumps. The programs do without both.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "base/subprocess.h"
#include "tests/support/installed.h"
#include "tracer/model/granularity.h"
#include "tracer/raw/recording_directory.h"
#include "tracer/record/launch.h"
#include "tracer/symbols/linkage_name.h"
#include "tracer/symbols/object_file.h"

namespace oscope {
namespace {

using Counts = std::map<std::string, uint64_t>;
// By line: how often each conditional jump went each way, the smaller first; sorted.
using Branches = std::map<uint32_t, std::vector<std::pair<uint64_t, uint64_t>>>;

std::string RunTool(const std::vector<std::string>& argv, const std::string& directory) {
  SubprocessOptions options;
  options.argv = argv;
  options.working_directory = directory;
  const Result<SubprocessOutput> output = RunSubprocess(options);
  EXPECT_TRUE(output.ok() && output->ok()) << argv[0] << ": " << (output.ok() ? output->err : output.error().message);
  return output.ok() ? output->out : std::string();
}

// Counts what a recording holds of one object, by the names and lines of its file.
struct Counter {
  const raw::SiteTable& sites;
  ObjectFile& object;
  std::string path, source;
  Counts entries;
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> jumps;  // by address: not taken, taken

  bool IsOurs(uint32_t site) const {
    const raw::Site& one = sites.sites.at(site);
    return one.object && sites.objects[*one.object].path == path;
  }
  void OnThread(uint32_t) {}
  void OnStatement(uint32_t) {}
  void OnInstruction(uint32_t) {}
  void OnExtended(raw::ExtendedRecord&) {}
  void OnEntry(uint32_t site, uint32_t) {
    if (!IsOurs(site)) return;
    const std::optional<FunctionSymbol> function = object.FunctionAt(sites.sites[site].address);
    if (function) ++entries[NameOf(function->linkage_name).signature];
  }
  void OnBranch(uint32_t site, bool taken) {
    if (!IsOurs(site)) return;
    auto& jump = jumps[sites.sites[site].address];
    ++(taken ? jump.second : jump.first);
  }

  Branches ByLine() {
    Branches branches;
    for (const auto& [address, counts] : jumps) {
      const std::optional<SourceLine> line = object.LineAt(address);
      if (line && line->file.ends_with(source))
        branches[line->line].push_back(std::minmax(counts.first, counts.second));
    }
    for (auto& [line, counts] : branches) std::ranges::sort(counts);
    return branches;
  }
};

class GcovTest : public testing::TestWithParam<const char*> {
 protected:
  GcovTest() {
    std::string name = testing::TempDir() + "gcov.XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~GcovTest() override { std::filesystem::remove_all(directory_); }
  std::string directory_;
};

TEST_P(GcovTest, EntriesAndBranchesAreEqual) {
  if (const std::string missing = Missing({"valgrind", OSCOPE_GCOV}); !missing.empty()) GTEST_SKIP() << missing;
  const std::string source = std::string(GetParam());
  const std::string path = std::string(OSCOPE_SOURCE_DIR) + "/tests/unit/record/programs/" + source;
  const bool is_c = source.ends_with(".c");
  const std::string compiler = is_c ? OSCOPE_CC : OSCOPE_CXX;
  std::vector<std::string> compile = {compiler,   "-g", "-O0", "--coverage", "-fprofile-update=atomic",
                                      "-pthread", path, "-o",  "program"};
  if (!is_c) compile.insert(compile.begin() + 1, "-std=c++17");
  RunTool(compile, directory_);

  ::setenv("OSCOPE_TOOLS", OSCOPE_TOOLS_DIR, 0);  // a recorder that is given is tested
  const Result<std::unique_ptr<Recorder>> recorder = FindRecorder("valgrind");
  ASSERT_TRUE(recorder.ok()) << recorder.error().message;
  LaunchRequest request;
  request.command = {directory_ + "/program"};
  request.working_directory = directory_;
  request.output_file = directory_ + "/output";
  request.settings.granularity = Granularity::kBlock;
  request.settings.all = true;
  const Result<Recording> recording = Launch(request, **recorder);
  ASSERT_TRUE(recording.ok()) << recording.error().message;
  ASSERT_TRUE(recording->end.passed());
  const Result<raw::RecordingDirectory> read = raw::RecordingDirectory::Read(recording->directory.path());
  ASSERT_TRUE(read.ok() && read->processes.size() == 1);
  Result<ObjectFile> object = ObjectFile::Open(directory_ + "/program");
  ASSERT_TRUE(object.ok());
  Counter counter{read->processes[0].sites, *object, directory_ + "/program", source, {}, {}};
  ASSERT_EQ(read->processes[0].events.Visit(counter), 0u);
  ASSERT_FALSE(read->processes[0].events.overwritten());

  const std::string stem = "program-" + source.substr(0, source.rfind('.'));
  const nlohmann::json report = nlohmann::json::parse(
      RunTool({OSCOPE_GCOV, "--json-format", "--branch-counts", "--branch-probabilities", "--stdout", stem + ".gcda"},
              directory_));
  size_t functions = 0, lines = 0;
  Branches expected;
  for (const nlohmann::json& file : report["files"]) {
    if (!std::string(file["file"]).ends_with(source)) continue;
    Counts counts;
    for (const nlohmann::json& function : file["functions"]) {
      counts[NameOf(std::string(function["name"])).signature] += function["execution_count"].get<uint64_t>();
    }
    for (const auto& [name, count] : counts) {
      EXPECT_EQ(counter.entries[name], count) << name;
      ++functions;
    }
    for (const nlohmann::json& line : file["lines"]) {
      // A conditional has two arcs, one after the other; so has a call that may throw.
      const nlohmann::json& arcs = line["branches"];
      for (size_t i = 0; i + 1 < arcs.size() && arcs.size() % 2 == 0; i += 2) {
        if (arcs[i]["throw"].get<bool>() || arcs[i + 1]["throw"].get<bool>()) continue;
        const uint64_t one = arcs[i]["count"].get<uint64_t>(), other = arcs[i + 1]["count"].get<uint64_t>();
        if (one + other > 0) expected[line["line_number"]].push_back(std::minmax(one, other));
      }
    }
  }
  const Branches actual = counter.ByLine();
  for (auto& [line, counts] : expected) {
    std::ranges::sort(counts);
    const auto found = actual.find(line);
    ASSERT_NE(found, actual.end()) << source << ":" << line;
    EXPECT_EQ(found->second, counts) << source << ":" << line;
    ++lines;
  }
  EXPECT_GT(functions, 5u) << "the comparison is empty";
  EXPECT_GT(lines, 3u);
}

INSTANTIATE_TEST_SUITE_P(Programs, GcovTest, testing::Values("calc.c", "shapes.cc", "crew.cc"), [](const auto& one) {
  const std::string name = one.param;
  return name.substr(0, name.find('.'));
});

}  // namespace
}  // namespace oscope
