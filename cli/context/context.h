// What every subcommand shares: the global options, where it prints, and how it opens the store.
//
// stdout carries answers only; notes, warnings, progress and errors go to stderr. Text that came from a store, a file
// or a user is printed through base/escape. With --json answers are JSON on stdout and errors JSON on stderr.
#pragma once

#include <fmt/core.h>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/cancel.h"
#include "base/result.h"
#include "index/store/store.h"

namespace oscope::cli {

class Options;

struct GlobalOptions {
  std::string store;
  std::string project;
  std::string directory;
  bool json = false;
  bool quiet = false;
  bool no_color = false;
  bool partial = false;
  bool salvage = false;
};

void AddGlobalOptions(Options& options, GlobalOptions& values);

std::string WorkingDirectory();  // absolute

// To stderr, as it is. What cannot be written is lost: there is nobody left to tell, and the exit code must stay what
// it is.
void WriteToStderr(std::string_view text);
template <typename... Args>
void PrintToStderr(fmt::format_string<Args...> format, Args&&... args) {
  WriteToStderr(fmt::format(format, std::forward<Args>(args)...));
}

enum class Access { kRead, kWrite };

class Context {
 public:
  // `process` is what Ctrl-C cancels. Nothing else knows it: whoever works for a command is given a token.
  explicit Context(const Options& root, CancelSource process = CancelSource())
      : root_(root), process_(std::move(process)) {}

  GlobalOptions options;
  std::optional<int> error_exit_code;            // the command's errors exit with it, whatever they are
  const Options& root() const { return root_; }  // the parsed tree, for `help` and `completion`

  const CancelToken& cancel() const { return process_.token(); }
  const CancelSource& process() const { return process_; }  // for a shell, which takes a Ctrl-C back

  bool json() const { return options.json; }
  bool quiet() const { return options.quiet; }
  bool color() const;  // of stdout: a terminal, and neither --no-color nor $NO_COLOR
  bool stdout_is_terminal() const;
  bool wants_pager() const { return stdout_is_terminal() && !json(); }
  bool can_ask() const;  // stdin and stderr are terminals

  // The store that --store, $OSCOPE_STORE or the directory says; kNotFound tells how to make one.
  Result<std::string> StorePath() const;
  // Its warnings (a salvaged manifest, …) go to stderr.
  Result<Store> OpenStore(Access access) const;
  // --project, else what docs/store-and-project.md says; a valid id.
  Result<std::string> Project() const;

  template <typename... Args>
  void Print(fmt::format_string<Args...> format, Args&&... args) const {
    PrintText(fmt::format(format, std::forward<Args>(args)...));
  }
  void PrintText(std::string_view text) const;  // to stdout, as it is
  void PrintJson(const nlohmann::ordered_json& value) const;
  void PrintJsonToStderr(
      const nlohmann::ordered_json& value) const;  // on one line; where stdout belongs to somebody else

  // To stderr as "oscope: …"; notes are silent with --quiet.
  template <typename... Args>
  void Note(fmt::format_string<Args...> format, Args&&... args) const {
    if (!quiet()) PrintLine(fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void Warn(fmt::format_string<Args...> format, Args&&... args) const {
    PrintLine("warning: " + fmt::format(format, std::forward<Args>(args)...));
  }

  // A problem at a place in a file, to stderr: "crash.log:12: …". Line 0 is the file as a whole.
  void Located(std::string_view file, uint64_t line, std::string_view message) const;

  // Prints the error and returns its exit code.
  int Fail(const Error& error) const;
  int FailUsage(std::string_view message) const;

  // Asks on a terminal; elsewhere, and without `yes`, kInvalid that asks for --yes. kCancelled when the answer is no.
  Status Confirm(bool yes, std::string_view question) const;

 private:
  void PrintLine(std::string_view text) const;
  int PrintError(std::string_view code, std::string_view message, int exit_code) const;

  const Options& root_;
  CancelSource process_;
};

}  // namespace oscope::cli
