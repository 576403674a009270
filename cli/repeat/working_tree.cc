// The revision that is checked out, and a digest of uncommitted changes. The digest must be the same on every machine,
// so every setting of git that changes how a difference looks is overridden.
#include "cli/repeat/working_tree.h"

#include <filesystem>
#include <vector>

#include "base/checksum.h"
#include "base/subprocess.h"
#include "tracer/model/repeat.h"

namespace oscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxDifferenceBytes = size_t{64} << 20;

Result<SubprocessOutput> RunGit(const std::string& directory, const CancelToken& cancel,
                                std::vector<std::string> arguments) {
  SubprocessOptions options;
  // The last three: what a user may have set of how differences look must not change their digest.
  options.argv = {"git",
                  "--no-optional-locks",
                  "--no-pager",
                  "-c",
                  "core.fsmonitor=false",
                  "-c",
                  "diff.noprefix=false",
                  "-c",
                  "diff.mnemonicPrefix=false",
                  "-c",
                  "diff.algorithm=default"};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.working_directory = directory;
  options.timeout = std::chrono::seconds(10);
  options.max_output_bytes = kMaxDifferenceBytes;
  options.cancel = cancel;
  return RunSubprocess(options);
}

std::string FirstLine(const Result<SubprocessOutput>& output) {
  if (!output.ok() || !output->ok()) return {};
  return output->out.substr(0, output->out.find('\n'));
}

std::string DigestOfChanges(const std::string& root, const CancelToken& cancel) {
  const Result<SubprocessOutput> difference =
      RunGit(root, cancel,
             {"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--binary", "--full-index",
              "--unified=3", "--inter-hunk-context=0", "--ignore-submodules=none", "HEAD"});
  if (!difference.ok() || !difference->ok() || difference->truncated) return std::string(kUnknownChanges);
  return difference->out.empty() ? std::string() : Sha256Of(difference->out);
}

}  // namespace

std::optional<WorkingTree> ReadWorkingTree(const std::string& directory, const CancelToken& cancel) {
  WorkingTree tree;
  tree.root = FirstLine(RunGit(directory, cancel, {"rev-parse", "--show-toplevel"}));
  if (tree.root.empty()) return std::nullopt;
  tree.revision = FirstLine(RunGit(directory, cancel, {"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}));
  if (!tree.revision.empty()) tree.changes = DigestOfChanges(tree.root, cancel);
  return tree;
}

std::string DirectoryIn(const std::string& root, const std::string& directory) {
  std::error_code error;
  const fs::path from = fs::canonical(root, error);
  if (error) return {};
  const fs::path to = fs::canonical(directory.empty() ? "." : directory, error);
  if (error) return {};
  return to.lexically_relative(from).string();
}

}  // namespace oscope::cli
