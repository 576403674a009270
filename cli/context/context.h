// What every subcommand shares: the global options, where it prints, and how it opens the store.
//
// Answers go to stdout; notes, warnings, progress and errors go to stderr. Text that came from a store, a file or a
// user is printed through base/escape. With --json answers are JSON on stdout and errors JSON on stderr.
// Threads: the main thread only.
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

// Writes to stderr, unchanged. An error of the writing is ignored: it could not be reported anywhere, and must not
// change the exit code.
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

  // Returns the path of the store: that of --store, of $OSCOPE_STORE, or the nearest .oscope/. Fails with kNotFound,
  // and says how to make a store, when there is none.
  Result<std::string> StorePath() const;
  // Opens that store, and prints its warnings (such as a salvaged manifest) to stderr. Fails as Store::Open does; with
  // Access::kWrite also with kIo when the store cannot be written to.
  Result<Store> OpenStore(Access access) const;
  // Returns --project or, without it, what docs/store-and-project.md says. The result is a valid id; fails with
  // kInvalid when the name that was found is none.
  Result<std::string> Project() const;

  template <typename... Args>
  void Print(fmt::format_string<Args...> format, Args&&... args) const {
    PrintText(fmt::format(format, std::forward<Args>(args)...));
  }
  void PrintText(std::string_view text) const;  // to stdout, as it is
  void PrintJson(const nlohmann::ordered_json& value) const;
  void PrintJsonToStderr(
      const nlohmann::ordered_json& value) const;  // on one line; where stdout belongs to somebody else

  // Note and Warn print "oscope: …" to stderr; with --quiet notes are not printed.
  template <typename... Args>
  void Note(fmt::format_string<Args...> format, Args&&... args) const {
    if (!quiet()) PrintLine(fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void Warn(fmt::format_string<Args...> format, Args&&... args) const {
    PrintLine("warning: " + fmt::format(format, std::forward<Args>(args)...));
  }

  // Prints a problem at a place in a file to stderr: "crash.log:12: …". Line 0 stands for the file as a whole.
  void Located(std::string_view file, uint64_t line, std::string_view message) const;

  // Prints the error and returns its exit code.
  int Fail(const Error& error) const;
  int FailUsage(std::string_view message) const;

  // Returns success if `yes` is set, or if the user answers yes to the question on a terminal. Fails with kCancelled
  // when the answer is no, and with kInvalid, which asks for --yes, when there is no terminal.
  Status Confirm(bool yes, std::string_view question) const;

 private:
  void PrintLine(std::string_view text) const;
  int PrintError(std::string_view code, std::string_view message, int exit_code) const;

  const Options& root_;
  CancelSource process_;
};

}  // namespace oscope::cli
