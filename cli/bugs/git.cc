// Reads one commit through the git program, with every setting switched off that would change the output or run another
// program (external diffs, text conversions, signatures). A revision that begins with a dash is refused, because git
// would take it for an option.
#include "cli/bugs/git.h"

#include <charconv>
#include <vector>

#include "base/limits.h"
#include "base/subprocess.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

Result<std::string> RunGit(const std::string& repository, std::vector<std::string> arguments, std::string_view doing,
                           const CancelToken& cancel) {
  SubprocessOptions options;
  options.argv = {"git", "-C", repository.empty() ? "." : repository, "--no-pager", "-c", "log.showSignature=false"};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.timeout = std::chrono::minutes(2);
  options.max_output_bytes = limits::kMaxTextBytes;
  options.cancel = cancel;
  OSCOPE_ASSIGN_OR_RETURN(SubprocessOutput output, RunSubprocess(options));
  if (output.timed_out) return Busy("git: {}: no answer within two minutes", doing);
  if (!output.ok()) return NotFound("git: {}: {}", doing, OneLine(output.err));
  if (output.truncated) return Limit("git: {}: larger than {} bytes", doing, limits::kMaxTextBytes);
  return std::move(output.out);
}

}  // namespace

Result<GitCommit> ReadGitCommit(const std::string& repository, const std::string& revision, const CancelToken& cancel) {
  if (revision.empty() || revision.front() == '-')
    return Invalid("revision '{}': must not be empty or begin with '-'", revision);
  OSCOPE_ASSIGN_OR_RETURN(std::string id,
                          RunGit(repository, {"rev-parse", "--verify", "--end-of-options", revision + "^{commit}"},
                                 "revision '" + revision + "'", cancel));
  id = OneLine(id);
  OSCOPE_ASSIGN_OR_RETURN(
      const std::string about,
      RunGit(repository, {"show", "-s", "--no-color", "--format=%an%x00%at%x00%B", id}, "commit " + id, cancel));
  GitCommit commit;
  commit.id = id;
  const size_t author_end = about.find('\0');
  const size_t time_end = author_end == std::string::npos ? author_end : about.find('\0', author_end + 1);
  if (time_end == std::string::npos) return Invalid("git: commit {}: unexpected output", id);
  commit.author = about.substr(0, author_end);
  int64_t seconds = 0;
  std::from_chars(about.data() + author_end + 1, about.data() + time_end, seconds);
  commit.at_ns = seconds * 1'000'000'000;
  commit.message = about.substr(time_end + 1);
  while (!commit.message.empty() && commit.message.back() == '\n') commit.message.pop_back();
  OSCOPE_ASSIGN_OR_RETURN(commit.diff, RunGit(repository,
                                              {"show", "--format=", "--patch", "-m", "--first-parent", "--no-color",
                                               "--no-ext-diff", "--no-textconv", id},
                                              "diff of " + id, cancel));
  return commit;
}

}  // namespace oscope::cli
