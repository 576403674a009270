// The options that say what is recorded, on top of the table [trace] of oscope.toml.
#include "cli/tracing/trace_options.h"

#include "base/quantity.h"
#include "cli/context/context.h"
#include "cli/options/options.h"
#include "index/store/locate.h"
#include "tracer/model/granularity.h"
#include "tracer/record/trace_config.h"

namespace oscope::cli {
namespace {

constexpr uint64_t kMaxConfigBytes = 1 << 20;

Result<TraceConfig> LoadTraceConfig() {
  const std::optional<std::string> file = FindConfigFile(PosixFileSystem(), WorkingDirectory());
  if (!file) return TraceConfig{};
  OSCOPE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(PosixFileSystem(), *file, kMaxConfigBytes));
  return ParseTraceConfig(text, *file);
}

// "a,b" and two options are the same; commas inside of < > and ( ) belong to a name.
std::vector<std::string> SplitNames(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    int depth = 0;
    std::string name;
    for (const char c : text) {
      if (c == '<' || c == '(') ++depth;
      if (c == '>' || c == ')') --depth;
      if (c != ',' || depth > 0) {
        name += c;
        continue;
      }
      if (!name.empty()) names.push_back(std::move(name));
      name.clear();
    }
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

void AddRules(TraceSettings& settings, const std::vector<std::string>& globs, bool keep, KeepRule::What what) {
  for (const std::string& glob : SplitNames(globs)) settings.rules.push_back({keep, what, glob});
}

}  // namespace

void TraceOptions::Register(Options& options) {
  const auto group = "What is recorded";
  options.Add("--granularity", granularity_, "method, statement, block or instruction (default method)")
      .Value("NAME")
      .Group(group);
  options.Add("--objects", objects_, "Only functions of these programs and libraries (globs of base names or paths)")
      .Value("GLOB")
      .Repeatable()
      .Group(group);
  options.Add("--include", include_, "Only functions of these names (globs)").Value("GLOB").Repeatable().Group(group);
  options.Add("--exclude", exclude_, "No functions of these names (globs)").Value("GLOB").Repeatable().Group(group);
  options.AddFlag("--all", all_, "Also test frameworks, the standard library and the loader").Group(group);
  options
      .Add("--chop", chops_,
           "Where recording starts, stops or changes: 'start NAME', 'stop @ FILE:LINE', 'statement within NAME'")
      .Value("POINT")
      .Repeatable()
      .Group(group);
  options.Add("--values", values_, "Also arguments and results of these functions (globs, separated by commas)")
      .Value("NAMES")
      .Repeatable()
      .Group(group);
  options.AddFlag("--operands", operands_, "Instructions with their operands").Group(group);
  options.Add("--limit", limit_, "Keep the newest N events of a process (default 8M)").Value("N").Group(group);
  options.Add("--processes", processes_, "Record at most N processes (default 256)").Value("N").Group(group);
  options.Add("--threads", threads_, "all, or main: only the main thread of each process (default all)")
      .Value("all|main")
      .Group(group);
  options.Add("--recorder", recorder_, "valgrind or pin (default: pin where it is, else valgrind)")
      .Value("NAME")
      .Group(group);
}

Result<TraceSettings> TraceOptions::Settings() const {
  OSCOPE_ASSIGN_OR_RETURN(TraceConfig config, LoadTraceConfig());
  TraceSettings& settings = config.settings;
  if (granularity_) {
    const Result<Granularity> granularity = ParseGranularity(*granularity_);
    // Coarser ones are made of a trace, not recorded.
    if (!granularity.ok() || *granularity == Granularity::kClass || *granularity == Granularity::kPackage) {
      return Invalid("--granularity '{}': method, statement, block or instruction can be recorded", *granularity_);
    }
    settings.granularity = *granularity;
  }
  if (!objects_.empty()) {
    settings.rules.push_back({false, KeepRule::What::kObject, "*"});
    AddRules(settings, objects_, true, KeepRule::What::kObject);
  }
  if (!include_.empty()) {
    settings.rules.push_back({false, KeepRule::What::kName, "*"});
    AddRules(settings, include_, true, KeepRule::What::kName);
  }
  AddRules(settings, exclude_, false, KeepRule::What::kName);
  settings.all = all_;
  settings.operands = operands_;
  settings.process_limit = processes_;
  for (const std::string& text : chops_) {
    OSCOPE_ASSIGN_OR_RETURN(ChopPoint chop, ParseChopPoint(text));
    settings.chops.push_back(std::move(chop));
  }
  for (std::string& name : SplitNames(values_)) settings.values.push_back(std::move(name));
  if (limit_) {
    OSCOPE_ASSIGN_OR_RETURN(settings.event_limit, ParseCount(*limit_));
  }
  if (threads_ && *threads_ != "all" && *threads_ != "main")
    return Invalid("--threads {}: expected all or main", *threads_);
  settings.main_thread_only = threads_ == "main";
  OSCOPE_RETURN_IF_ERROR(Validate(settings));
  return settings;
}

Result<std::unique_ptr<Recorder>> TraceOptions::FindRecorder() const {
  if (recorder_) return oscope::FindRecorder(*recorder_);
  OSCOPE_ASSIGN_OR_RETURN(const TraceConfig config, LoadTraceConfig());
  return oscope::FindRecorder(config.recorder);
}

}  // namespace oscope::cli
