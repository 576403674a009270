// What a user typed, looked up in the store: bugs and runs by abbreviated names, projects with a suggestion for a
// misspelt one.
#include "cli/context/resolve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/descriptor.h"
#include "cli/output/text.h"
#include "index/store/locate.h"

namespace oscope::cli {
namespace {}  // namespace

Result<BugKey> ResolveBug(const Context& context, const Snapshot& snapshot, std::string_view text) {
  std::string project = context.options.project;
  if (project.empty()) {
    if (Result<ProjectName> found = FindProject(PosixFileSystem(), WorkingDirectory(), context.cancel()); found.ok())
      project = found->name;
  }
  return snapshot.ResolveBug(text, project);
}

Result<BugKey> NamedBug(const Snapshot* snapshot, const std::string& project, const std::string& text) {
  if (snapshot != nullptr) {
    if (Result<BugKey> key = snapshot->ResolveBug(text, project); key.ok()) return key;
  }
  BugKey key{project, text};
  const std::string prefix = project + "-";
  if (key.id.starts_with(prefix)) key.id.erase(0, prefix.size());
  OSCOPE_RETURN_IF_ERROR(CheckId("bug", key.id));
  return key;
}

Result<std::vector<RunId>> ResolveRuns(const Snapshot& snapshot, const std::vector<std::string>& texts) {
  std::vector<RunId> runs;
  for (const std::string& text : texts) {
    OSCOPE_ASSIGN_OR_RETURN(const RunId run, snapshot.ResolveRun(text));
    if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(run);
  }
  return runs;
}

Status CheckId(std::string_view what, std::string_view id) {
  if (id.empty()) return Invalid("{}: the name is empty", what);
  return ValidateId(fmt::format("{} '{}'", what, id.substr(0, 100)), id);
}

Status CheckProject(const Context& context, const Snapshot& snapshot) {
  const std::string& project = context.options.project;
  if (project.empty()) return {};
  OSCOPE_RETURN_IF_ERROR(CheckId("project", project));
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> projects, snapshot.Projects());
  if (std::find(projects.begin(), projects.end(), project) != projects.end()) return {};
  return NotFound("project {}: not in this store{}", project, Nearest(project, projects));
}

Result<std::string> ReadInput(const std::string& path, uint64_t max_bytes, const CancelToken& cancel) {
  const std::string shown = path == "-" ? "standard input" : path;
  Descriptor opened;
  if (path != "-") opened = Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int file = path == "-" ? STDIN_FILENO : opened.get();
  if (file < 0) {
    if (errno == ENOENT) return NotFound("{}: no such file", shown);
    // Only a wish to stop interrupts a call, here one that waited for the other end of a pipe.
    if (errno == EINTR) return Cancelled("cancelled");
    return IoError(errno, "open", shown);
  }
  struct stat status{};
  if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) return Invalid("{}: is a directory", shown);
  std::string bytes;
  std::string buffer(1 << 20, '\0');
  for (;;) {
    OSCOPE_RETURN_IF_ERROR(cancel.Check());
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return IoError(errno, "read", shown);
    if (count == 0) return bytes;
    if (bytes.size() + static_cast<size_t>(count) > max_bytes)
      return Limit("{}: larger than {} bytes", shown, max_bytes);
    bytes.append(buffer, 0, static_cast<size_t>(count));
  }
}

void Settle(const Context& context, Store& store) {
  if (Status status = store.CompactIfNeeded(); !status.ok())
    context.Warn("small segments were not merged: {}", status.error().message);
}

void RemoveRemains(const Context& context, Store& store, uint64_t files_pinned) {
  if (const auto collected = store.Collect(); !collected.ok())
    context.Warn("what earlier deletions left was not removed: {}", collected.error().message);
  if (files_pinned != 0)
    context.Warn("{} still held by readers; `oscope store collect` removes them later", Counted(files_pinned, "file"));
}

}  // namespace oscope::cli
