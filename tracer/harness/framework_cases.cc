// Asks a test program for its failing cases through the environment, without knowing which framework it uses:
// GoogleTest and Boost.Test both read options from variables, and other programs ignore them. If a report appears, its
// name tells the framework. If a program crashed before it wrote one, GoogleTest's progress lines say which case was
// running.
#include "tracer/harness/framework_cases.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace oscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBoostReport = "boost.xml";
constexpr std::string_view kGoogleFilter = "GTEST_FILTER", kBoostFilter = "BOOST_TEST_RUN_FILTERS";

// The argument that sets GoogleTest's option, as "--gtest_filter=…" or with one dash.
bool IsGTestOption(std::string_view word, std::string_view option) {
  if (word.starts_with("--")) word.remove_prefix(1);
  return word.starts_with("-gtest_") && word.substr(7).starts_with(option) &&
         word.substr(7 + option.size()).starts_with('=');
}

void DropGTestOption(std::vector<std::string>& command, std::string_view option) {
  if (command.size() < 2) return;
  command.erase(std::remove_if(command.begin() + 1, command.end(),
                               [&](const std::string& word) { return IsGTestOption(word, option); }),
                command.end());
}

bool HasGTestOption(const std::vector<std::string>& command, std::string_view option) {
  return std::any_of(command.begin(), command.end(),
                     [&](const std::string& word) { return IsGTestOption(word, option); });
}

// Boost.Test's option, as "--run_test=…", "--run_test …" or "-t …".
void DropBoostFilter(std::vector<std::string>& command) {
  std::vector<std::string> kept;
  for (size_t at = 0; at < command.size(); ++at) {
    if (at > 0 && command[at].starts_with("--run_test=")) continue;
    if (at > 0 && (command[at] == "--run_test" || command[at] == "-t")) {
      ++at;
    } else {
      kept.push_back(command[at]);
    }
  }
  command = std::move(kept);
}

std::string ReadWhole(const fs::path& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  if (error || size > kMaxJUnitBytes) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> ReportsIn(const std::string& directory) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".xml") paths.push_back(entry->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// "[ RUN      ] Suite.Case" tells what begins, "[  FAILED  ] Suite.Case (3 ms)" and its like what ended.
constexpr std::string_view kRun = "[ RUN      ] ", kOk = "[       OK ] ", kFailed = "[  FAILED  ] ",
                           kSkipped = "[  SKIPPED ] ";

JUnitCase CaseNamed(std::string_view name) {
  JUnitCase one;
  const size_t dot = name.find('.');
  one.classname = name.substr(0, dot);
  if (dot != std::string_view::npos) one.name = name.substr(dot + 1);
  one.state = CaseState::kFailed;
  return one;
}

// Puts together what a program without a report printed.
class PrintedCases {
 public:
  void AddLine(std::string_view line) {
    if (line.starts_with(kRun)) {
      running_ = line.substr(kRun.size());
      printed_.clear();
    } else if (running_.empty()) {
      return;
    } else if (Ends(line, kOk) || Ends(line, kSkipped)) {
      running_.clear();
    } else if (Ends(line, kFailed)) {
      Fail();
    } else {
      printed_.append(line).push_back('\n');
    }
  }

  // What still runs did not come back: it crashed, or was ended.
  std::vector<JUnitCase> Finish() {
    if (!running_.empty()) Fail();
    return std::move(failing_);
  }

 private:
  bool Ends(std::string_view line, std::string_view word) const {
    return line.starts_with(word) && line.substr(word.size()).starts_with(running_);
  }

  void Fail() {
    JUnitCase& one = failing_.emplace_back(CaseNamed(running_));
    one.text = std::move(printed_);
    running_.clear();
    printed_.clear();
  }

  std::string running_, printed_;
  std::vector<JUnitCase> failing_;
};

FailingCases FromOutput(std::string_view output) {
  FailingCases cases;
  PrintedCases printed;
  while (!output.empty()) {
    const size_t end = output.find('\n');
    printed.AddLine(output.substr(0, end));
    output.remove_prefix(end == std::string_view::npos ? output.size() : end + 1);
  }
  cases.failing = printed.Finish();
  if (!cases.failing.empty()) cases.framework = Framework::kGoogleTest;
  return cases;
}

}  // namespace

std::string_view FrameworkName(Framework framework) {
  switch (framework) {
    case Framework::kUnknown: return "";
    case Framework::kGoogleTest: return "GoogleTest";
    case Framework::kBoostTest: return "Boost.Test";
  }
  return "";
}

std::string_view FilterVariable(std::string_view framework_name) {
  if (framework_name == FrameworkName(Framework::kGoogleTest)) return kGoogleFilter;
  return framework_name == FrameworkName(Framework::kBoostTest) ? kBoostFilter : std::string_view();
}

TestInvocation AskForReports(TestInvocation invocation, const std::string& directory) {
  const std::string google = fmt::format("xml:{}/", directory);
  if (HasGTestOption(invocation.command, "output")) {
    DropGTestOption(invocation.command, "output");
    invocation.command.push_back("--gtest_output=" + google);
  }
  SetVariable(invocation.environment, "GTEST_OUTPUT", google);
  if (!GetVariable(invocation.environment, "BOOST_TEST_LOGGER")) {
    SetVariable(invocation.environment, "BOOST_TEST_LOGGER",
                fmt::format("HRF,error,stdout:JUNIT,error,{}/{}", directory, kBoostReport));
  }
  return invocation;
}

FailingCases ReadReports(const std::string& directory, std::string_view output) {
  FailingCases cases;
  for (const fs::path& path : ReportsIn(directory)) {
    Result<std::vector<JUnitCase>> report = ParseJUnit(ReadWhole(path));
    if (!report.ok() || report->empty()) continue;
    cases.framework = path.filename() == kBoostReport ? Framework::kBoostTest : Framework::kGoogleTest;
    for (JUnitCase& one : *report) {
      if (one.state == CaseState::kPassed || one.state == CaseState::kFailed) ++cases.cases_run;
      if (one.state == CaseState::kFailed) cases.failing.push_back(std::move(one));
    }
  }
  return cases.framework == Framework::kUnknown ? FromOutput(output) : cases;
}

std::string CaseName(Framework framework, const JUnitCase& one) {
  if (framework != Framework::kBoostTest) return FullName(one);
  // Its classname is "suite.inner", its filters are paths.
  std::string path = one.classname;
  std::replace(path.begin(), path.end(), '.', '/');
  return path.empty() ? one.name : path + "/" + one.name;
}

TestInvocation OnlyCase(TestInvocation invocation, Framework framework, const JUnitCase& one) {
  const std::string name = CaseName(framework, one);
  if (framework == Framework::kGoogleTest) {
    DropGTestOption(invocation.command, "filter");
    SetVariable(invocation.environment, kGoogleFilter, name);
    // A shard would run its share of this one case, which may be none.
    UnsetVariable(invocation.environment, "GTEST_TOTAL_SHARDS");
    UnsetVariable(invocation.environment, "GTEST_SHARD_INDEX");
    UnsetVariable(invocation.environment, "GTEST_SHARD_STATUS_FILE");
  } else if (framework == Framework::kBoostTest) {
    DropBoostFilter(invocation.command);
    SetVariable(invocation.environment, kBoostFilter, name);
  }
  return invocation;
}

}  // namespace oscope
