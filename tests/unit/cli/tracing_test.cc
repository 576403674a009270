// What is recorded by options, what is told of a run, and where that is written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/options/options.h"
#include "cli/output/report_file.h"
#include "cli/tracing/recorded_facts.h"
#include "cli/tracing/trace_options.h"
#include "cli/tracing/trace_report.h"
#include "cli/tracing/traced_run.h"
#include "tests/unit/cli/pretended_recorder.h"
#include "tests/unit/store/store_fixture.h"
#include "tracer/model/granularity.h"

namespace oscope::cli {
namespace {

using Words = std::vector<std::string>;

// In a directory of its own, so that no oscope.toml is found.
class Tracing : public testing::Test {
 protected:
  Tracing() { std::filesystem::current_path(Made()); }
  ~Tracing() override { std::filesystem::current_path(before_); }

  Result<TraceSettings> Settings(const Words& words) const {
    TraceOptions options;
    Options root;
    options.Register(root);
    if (const Result<Parsed> parsed = root.Parse(words); !parsed.ok()) return parsed.error();
    return options.Settings();
  }
  std::string Refused(const Words& words) const {
    const Result<TraceSettings> settings = Settings(words);
    return settings.ok() ? "" : settings.error().message;
  }

  Result<RecordedRun> Traced(const std::string& script, const std::string& input = "") {
    TracedRunRequest request;
    request.project = "demo";
    request.bug = "7";
    request.test = "t";
    request.version = "v7";
    request.launch.command = {"/bin/sh", "-c", script};
    if (!input.empty()) request.launch.command.push_back(input);
    request.launch.no_input = true;
    return TraceCommand(request, recorder_, &end_);
  }

  std::string Made() {
    const std::string path = directory_.path("here");
    std::filesystem::create_directory(path);
    return path;
  }

  const std::filesystem::path before_ = std::filesystem::current_path();
  TemporaryDirectory directory_;
  PretendedRecorder recorder_;
  ProgramEnd end_;
};

TEST_F(Tracing, WithoutOptionsNothingIsChosen) {
  const TraceSettings settings = Must(Settings({}));
  EXPECT_EQ(settings.granularity, Granularity::kMethod);
  EXPECT_TRUE(settings.rules.empty());
  EXPECT_TRUE(settings.chops.empty());
  EXPECT_TRUE(settings.values.empty());
  EXPECT_EQ(settings.event_limit, kDefaultEventLimit);
  EXPECT_EQ(settings.process_limit, kDefaultProcessLimit);
  EXPECT_FALSE(settings.main_thread_only || settings.operands || settings.all);
}

TEST_F(Tracing, Granularities) {
  EXPECT_EQ(Must(Settings({"--granularity", "statement"})).granularity, Granularity::kStatement);
  for (const char* name : {"class", "package", "nothing"}) {
    EXPECT_EQ(Refused({"--granularity", name}),
              fmt::format("--granularity '{}': method, statement, block or instruction can be recorded", name));
  }
}

// What is given by name leaves out everything else first; commas inside of brackets belong to a name.
TEST_F(Tracing, RulesInTheirOrder) {
  using What = KeepRule::What;
  const TraceSettings settings = Must(
      Settings({"--exclude", "x", "--include", "a,,b<c,d>", "--include", "f(int,int),", "--objects", "lib*,prog"}));
  const std::vector<KeepRule> expected = {{false, What::kObject, "*"},       {true, What::kObject, "lib*"},
                                          {true, What::kObject, "prog"},     {false, What::kName, "*"},
                                          {true, What::kName, "a"},          {true, What::kName, "b<c,d>"},
                                          {true, What::kName, "f(int,int)"}, {false, What::kName, "x"}};
  EXPECT_EQ(settings.rules, expected);
  EXPECT_EQ(Must(Settings({"--exclude", "x"})).rules, (std::vector<KeepRule>{{false, What::kName, "x"}}));
  EXPECT_EQ(Must(Settings({"--values", "open,close", "--values", "g"})).values, (Words{"open", "close", "g"}));
}

TEST_F(Tracing, LimitsAndFlags) {
  const TraceSettings settings = Must(Settings(
      {"--all", "--operands", "--limit", "2k", "--processes", "3", "--threads", "main", "--chop", "start work::f"}));
  EXPECT_TRUE(settings.all && settings.operands && settings.main_thread_only);
  EXPECT_EQ(settings.event_limit, 2000u);
  EXPECT_EQ(settings.process_limit, 3u);
  EXPECT_EQ(settings.chops.size(), 1u);
  EXPECT_FALSE(Must(Settings({"--threads", "all"})).main_thread_only);
  EXPECT_EQ(Refused({"--threads", "two"}), "--threads two: expected all or main");
  EXPECT_NE(Refused({"--limit", "x"}), "");
  EXPECT_NE(Refused({"--limit", "0"}), "");
  EXPECT_NE(Refused({"--processes", "0"}), "");
  EXPECT_NE(Refused({"--chop", "nonsense"}), "");
  EXPECT_NE(Refused({"--values", "a\tb"}), "");
}

TEST_F(Tracing, TheNearestFileIsUnderTheOptions) {
  std::ofstream("oscope.toml") << "[trace]\ngranularity = \"statement\"\n";
  EXPECT_EQ(Must(Settings({})).granularity, Granularity::kStatement);
  EXPECT_EQ(Must(Settings({"--granularity", "block"})).granularity, Granularity::kBlock);
  std::ofstream("oscope.toml") << "[trace]\ngranularity = 7\n";
  EXPECT_NE(Refused({}), "");
}

TEST_F(Tracing, ARunThatPassed) {
  const RecordedRun run = Must(Traced("exit 0"));
  EXPECT_EQ(end_.exit_code, 0);
  EXPECT_EQ(FailureReason(run), "");
  EXPECT_FALSE(PlaceOf(run.header().failure));
  EXPECT_EQ(FailureInWords(run), "");
  EXPECT_FALSE(HasStatements(run));
  EXPECT_EQ(
      AsJson(run, {}).dump(),
      R"({"project":"demo","test":"t","version":"v7","recorder":"pretended","outcome":"passed","exit_code":0,"events":2,"processes":1,"threads":1,)"
      R"("partial":false,"incomplete":false,"bug":"demo-7","bug_is_new":false,"reopened":false,"similar":[],"notes":[]})");
}

TEST_F(Tracing, ARunThatFailed) {
  RecordedRun run = Must(Traced("exit 3"));
  EXPECT_EQ(end_.exit_code, 3);
  EXPECT_EQ(FailureReason(run), "exit");
  EXPECT_EQ(FailureInWords(run), "exit code 3");
  run.AddNote("a note");
  const Json json = AsJson(run, {.stored = true,
                                 .file = {},
                                 .bug = {.fate = RunFate::kNew, .bug = {}},
                                 .similar = {},
                                 .error = IoError(ENOSPC, "write", "x")});
  EXPECT_EQ(json["run"], ToString(run.header().id));
  EXPECT_FALSE(json.contains("file"));
  EXPECT_EQ(json["reason"], "exit");
  EXPECT_EQ(json["message"], "exit code 3");
  EXPECT_EQ(json["exit_code"], 3);
  EXPECT_FALSE(json.contains("signal"));
  ASSERT_TRUE(json.contains("fingerprint"));
  EXPECT_EQ(json["fingerprint"], run.fingerprint());
  EXPECT_EQ(json["bug_is_new"], true);
  EXPECT_EQ(json["notes"].dump(), R"(["a note"])");
  EXPECT_EQ(json["error"].dump(), R"({"code":"io","message":"write x: No space left on device"})");
  const Json written = AsJson(run, {.stored = false, .file = "x.osct", .bug = {}, .similar = {}, .error = {}});
  EXPECT_EQ(written["run"], ToString(run.header().id));
  EXPECT_EQ(written["file"], "x.osct");
  EXPECT_FALSE(written.contains("error"));
}

// A bare signal is told with the innermost function of the stack.
TEST_F(Tracing, ASignalIsToldWithItsFunction) {
  recorder_.record = [](raw::RawBytes& bytes) {
    bytes.Entry(0, 900)
        .Entry(1, 800)
        .Extended(OSC_RAW_SIGNAL, {11, 1})
        .Extended(OSC_RAW_STACK, {OSC_RAW_SIGNAL, 2, 2, 3});
  };
  const RecordedRun run = Must(Traced("kill -SEGV $$"));
  EXPECT_EQ(end_.signal, SIGSEGV);
  EXPECT_EQ(FailureReason(run), "SIGSEGV");
  EXPECT_EQ(FailureInWords(run), "SIGSEGV in work::f");
  const Json json = AsJson(run, {});
  EXPECT_EQ(json["signal"], SIGSEGV);
  EXPECT_EQ(json["threads"], 1) << "a stack is no thread";
}

TEST_F(Tracing, ARunIsWrittenWhole) {
  RecordedRun run = Must(Traced("exit 3"));
  ASSERT_OK(WriteRun("run.osct", run));
  EXPECT_GT(std::filesystem::file_size("run.osct"), 0u);
  EXPECT_FALSE(WriteRun("no/run.osct", run).ok());
  std::filesystem::create_symlink("/dev/full", "full");
  EXPECT_FALSE(WriteRun("full", run).ok());
  Store store = Must(Store::Create(PosixFileSystem(), directory_.path("store")));
  EXPECT_EQ(Must(StoreRun(store, run, {})).fate, RunFate::kNew) << "the bug that it names is made";
  EXPECT_FALSE(StoreRun(store, run, {}).ok()) << "it is there already";
}

// The command may have run for an hour.
TEST_F(Tracing, ADamageThatHidesTheBugCostsNoRun) {
  RecordedRun run = Must(Traced("exit 3"));
  TemporaryDirectory directory;
  Store store = Must(Store::Create(PosixFileSystem(), directory.path("s")));
  const BugRule damaged = [](const RunHeader&, KnownBugs&) -> Result<RunDecision> { return Corrupt("segment x"); };
  Must(StoreRun(store, run, damaged));
  EXPECT_TRUE(Must(Must(store.Read()).PlaceOf(run.header().id)));
  ASSERT_FALSE(run.notes().empty());
  EXPECT_EQ(run.notes().back(), "its bug cannot be determined, because the store is damaged: segment x");
  const BugRule refused = [](const RunHeader&, KnownBugs&) -> Result<RunDecision> { return Limit("no number"); };
  RecordedRun other = Must(Traced("exit 3"));
  EXPECT_EQ(StoreRun(store, other, refused).error().code, ErrorCode::kLimit) << "other errors are told";
}

TEST_F(Tracing, ReportFiles) {
  const auto with = [](const Words& words, const std::function<Status(ReportFile&)>& call) {
    ReportFile report;
    Options root;
    report.Register(root);
    EXPECT_TRUE(root.Parse(words).ok());
    return call(report);
  };
  const auto prepare = [](ReportFile& report) { return report.Prepare(); };
  const auto write = [](ReportFile& report) { return report.Write({{"text", "\x1b\xff"}}); };
  EXPECT_OK(with({}, prepare));
  EXPECT_OK(with({}, write));
  EXPECT_TRUE(std::filesystem::is_empty("."));
  EXPECT_EQ(with({"--report", "-"}, prepare).error().message,
            "--report -: expected a file; standard output belongs to the command");
  EXPECT_FALSE(with({"--report", "no/report"}, prepare).ok());
  std::filesystem::create_directory("directory");
  EXPECT_FALSE(with({"--report", "directory"}, prepare).ok());
  // An older report is removed, lest it be taken for this one's.
  std::ofstream("report") << "old";
  EXPECT_OK(with({"--report", "report"}, prepare));
  EXPECT_FALSE(std::filesystem::exists("report"));
  EXPECT_OK(with({"--report", "report"}, prepare));
  EXPECT_OK(with({"--report", "report"}, write));
  std::ifstream file("report");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "{\n  \"text\": \"\\u001b\\ufffd\"\n}\n");
  EXPECT_FALSE(with({"--report", "no/report"}, write).ok());
  std::filesystem::create_symlink("/dev/full", "full");
  EXPECT_FALSE(with({"--report", "full"}, write).ok());
}

}  // namespace
}  // namespace oscope::cli
