// A list of checks, each of which prints one line: ok, warn or fail, with advice. A check never ends the command, so
// that one run shows everything that is wrong.
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/quantity.h"
#include "base/subprocess.h"
#include "cli/context/command.h"
#include "cli/context/versions.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"
#include "index/store/locate.h"
#include "tracer/record/recorder.h"

namespace oscope::cli {
namespace {

constexpr uint64_t kLowSpace = uint64_t{1} << 30;

enum class Health { kOk, kWarn, kFail };

struct Finding {
  Health health;
  std::string what;
  std::string detail;
  std::string advice;  // empty when all is well
};

std::string_view HealthName(Health health) {
  return health == Health::kOk ? "ok" : health == Health::kWarn ? "warn" : "fail";
}

// The first line of `program --version`; nullopt when it cannot be run.
std::optional<std::string> VersionOf(const std::string& program, const CancelToken& cancel) {
  SubprocessOptions options;
  options.argv = {program, "--version"};
  options.timeout = std::chrono::seconds(5);
  options.max_output_bytes = 1 << 16;
  options.cancel = cancel;
  const Result<SubprocessOutput> output = RunSubprocess(options);
  if (!output.ok() || !output->ok()) return std::nullopt;
  return OneLine(output->out.empty() ? output->err : output->out);
}

class DoctorCommand : public Command {
 public:
  std::string_view name() const override { return "doctor"; }
  std::string_view summary() const override { return "Check the store, the project and the tools"; }

  void Register(Options& options) override {
    options.Footer(
        "Each line is ok, warn or fail, with advice. Exits with 1 when one is fail.\n\n"
        "Examples:\n"
        "  oscope doctor\n"
        "  oscope doctor --json");
  }

  Result<int> Run(Context& context) override {
    CheckStore(context);
    CheckProject(context);
    CheckPrograms(context.cancel());
    CheckRecorder();
    Add(Health::kOk, "oscope", OSCOPE_VERSION);
    for (const LibraryVersion& library : LibraryVersions()) Add(Health::kOk, library.name, library.version);
    Show(context);
    const bool failed = std::any_of(findings_.begin(), findings_.end(),
                                    [](const Finding& finding) { return finding.health == Health::kFail; });
    return failed ? kExitNo : kExitOk;
  }

 private:
  void Add(Health health, std::string what, std::string detail, std::string advice = {}) {
    findings_.push_back({health, std::move(what), std::move(detail), std::move(advice)});
  }

  void CheckStore(const Context& context) {
    const Result<std::string> path = FindStore(PosixFileSystem(), context.options.store, WorkingDirectory());
    if (!path.ok()) {
      Add(Health::kFail, "store", path.error().message, "run `oscope init`, or give --store");
      return;
    }
    const char* variable = std::getenv("OSCOPE_STORE");
    const char* why = !context.options.store.empty()             ? "--store"
                      : variable != nullptr && *variable != '\0' ? "$OSCOPE_STORE"
                                                                 : "the nearest .oscope/";
    Add(Health::kOk, "store", fmt::format("{} (by {})", *path, why));
    OpenOptions read_only;
    read_only.read_only = true;
    read_only.cancel = context.cancel();
    Result<Store> store = Store::Open(PosixFileSystem(), *path, read_only);
    if (!store.ok()) {
      Add(Health::kFail, "store opens", store.error().message, "see `oscope store check`, or restore a backup");
      return;
    }
    CheckContents(*store);
    if (access(path->c_str(), W_OK | X_OK) == 0) {
      Add(Health::kOk, "store writable", "yes");
    } else {
      Add(Health::kWarn, "store writable", "no", "reading works; to import, change its permissions or owner");
    }
    CheckSpace(*path);
  }

  void CheckFormat(const Manifest& manifest) {
    const std::string text = fmt::format("{}, version {} of the contents", manifest.format, manifest.version);
    const bool is_older =
        manifest.format < kStoreFormat || std::any_of(
                                              manifest.segments.begin(), manifest.segments.end(),
                                              [](const SegmentEntry& segment) { return segment.IsOlder(); });
    if (manifest.format > kStoreFormat) {
      Add(Health::kWarn, "store format", text, "a newer release wrote it: this one only reads it");
    } else if (is_older) {
      Add(Health::kWarn, "store format", text + ", some of it older", "works; `oscope store upgrade` rewrites it");
    } else {
      Add(Health::kOk, "store format", text);
    }
  }

  void CheckContents(const Store& store) {
    const Result<Snapshot> snapshot = store.Read();
    if (!snapshot.ok()) {
      Add(Health::kFail, "store opens", snapshot.error().message, "see `oscope store check`");
      return;
    }
    const StoreStats stats = snapshot->Stats();
    CheckFormat(snapshot->manifest());
    if (stats.quarantined == 0) {
      Add(Health::kOk, "store contents",
          fmt::format("{} in {}", Counted(stats.runs, "run"), FormatByteSize(stats.bytes)));
    } else {
      Add(Health::kWarn, "store contents", Counted(stats.quarantined, "quarantined segment"),
          "answers are partial; restore them from a backup with `oscope store merge`");
    }
  }

  void CheckSpace(const std::string& path) {
    struct statvfs disk{};
    if (statvfs(path.c_str(), &disk) != 0) return;
    const uint64_t free = uint64_t{disk.f_bavail} * disk.f_frsize;
    if (free < kLowSpace) {
      Add(Health::kWarn, "disk space", FormatByteSize(free) + " free", "see `oscope store purge` and `store compact`");
    } else {
      Add(Health::kOk, "disk space", FormatByteSize(free) + " free");
    }
  }

  void CheckProject(const Context& context) {
    if (!context.options.project.empty()) {
      const Status valid = ValidateId("project", context.options.project);
      Add(valid.ok() ? Health::kOk : Health::kFail, "project",
          fmt::format("{} (by --project)", context.options.project), valid.ok() ? "" : valid.error().message);
      return;
    }
    const Result<ProjectName> project = FindProject(PosixFileSystem(), WorkingDirectory(), context.cancel());
    if (!project.ok()) {
      Add(Health::kFail, "project", project.error().message, "write project = \"NAME\" into oscope.toml");
      return;
    }
    Add(Health::kOk, "project", fmt::format("{} (by {})", project->name, project->from));
  }

  void CheckPrograms(const CancelToken& cancel) {
    CheckProgram("git", "`oscope bug fix --commit` needs it", cancel);
    CheckProgram("gdb", "stack traces of crashes can be imported from it", cancel);
    CheckProgram("valgrind", "recording runs needs it", cancel);
    const char* root = std::getenv("PIN_ROOT");
    if (root != nullptr && *root != '\0' && access(JoinPath(root, "pin").c_str(), X_OK) != 0) {
      Add(Health::kWarn, "pin", fmt::format("PIN_ROOT is {}, which has no pin", root), "unset or correct PIN_ROOT");
    } else if (root != nullptr && *root != '\0') {
      Add(Health::kOk, "pin", JoinPath(root, "pin"));
    } else {
      const std::optional<std::string> version = VersionOf("pin", cancel);
      Add(Health::kOk, "pin", version.value_or("not there (optional)"));
    }
  }

  // Which recorder `oscope trace` would take.
  void CheckRecorder() {
    const Result<std::unique_ptr<Recorder>> recorder = FindRecorder({});
    if (recorder.ok()) {
      Add(Health::kOk, "recorder", std::string((*recorder)->name()));
    } else {
      Add(Health::kWarn, "recorder", recorder.error().message, "`oscope trace` and `oscope test` need it");
    }
  }

  void CheckProgram(const std::string& program, const std::string& use, const CancelToken& cancel) {
    if (const std::optional<std::string> version = VersionOf(program, cancel)) {
      Add(Health::kOk, program, *version);
    } else {
      Add(Health::kWarn, program, "not there", use);
    }
  }

  void Show(const Context& context) const {
    if (context.json()) {
      Json json = {{"checks", Json::array()}};
      for (const Finding& finding : findings_) {
        json["checks"].push_back({{"health", HealthName(finding.health)},
                                  {"what", finding.what},
                                  {"detail", finding.detail},
                                  {"advice", finding.advice}});
      }
      context.PrintJson(json);
      return;
    }
    const Palette palette(context.color());
    for (const Finding& finding : findings_) {
      if (context.quiet() && finding.health == Health::kOk) continue;
      const std::string_view colour = finding.health == Health::kOk     ? palette.green
                                      : finding.health == Health::kWarn ? palette.yellow
                                                                        : palette.red;
      context.Print("{}{:<4}{}  {:<14}  {}\n", colour, HealthName(finding.health), palette.reset, finding.what,
                    Shown(finding.detail));
      if (!finding.advice.empty()) context.Print("                      {}\n", Shown(finding.advice));
    }
  }

  std::vector<Finding> findings_;
};

}  // namespace

std::unique_ptr<Command> MakeDoctorCommand() { return std::make_unique<DoctorCommand>(); }

}  // namespace oscope::cli
