// Where a command prints, and how it finds its store and project. Answers go to standard output and everything else to
// standard error, so that a script can read the one without the other.
#include "cli/context/context.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/escape.h"
#include "cli/context/exit_codes.h"
#include "cli/context/resolve.h"
#include "cli/options/options.h"
#include "index/store/locate.h"

namespace oscope::cli {

void AddGlobalOptions(Options& options, GlobalOptions& values) {
  const auto group = "Global options";
  options.Add("--store", values.store, "The store, instead of the nearest .oscope/").Value("PATH").Group(group);
  options.Add("--project", values.project, "The project, instead of the one that oscope.toml or git names")
      .Value("NAME")
      .Group(group);
  options.Add("-C", values.directory, "Work in DIR").Value("DIR").Group(group);
  options.AddFlag("--json", values.json, "Print answers and errors as JSON").Group(group);
  options.AddFlag("-q,--quiet", values.quiet, "Print no notes and no progress").Group(group);
  options.AddFlag("--partial", values.partial, "Skip damaged segments, and say which are left out").Group(group);
  options.AddFlag("--salvage", values.salvage, "Read the newest version that is not damaged").Group(group);
  options.AddFlag("--no-color", values.no_color, "Print without colours, as NO_COLOR does").Group(group);
}

std::string WorkingDirectory() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::current_path(error);
  return error ? "." : path.string();
}

void WriteToStderr(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

bool Context::stdout_is_terminal() const { return isatty(STDOUT_FILENO) == 1; }

bool Context::color() const {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (options.no_color || (no_color != nullptr && *no_color != '\0')) return false;
  return stdout_is_terminal() && term != nullptr && std::string_view(term) != "dumb";
}

bool Context::can_ask() const { return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1; }

Result<std::string> Context::StorePath() const {
  Result<std::string> path = FindStore(PosixFileSystem(), options.store, WorkingDirectory());
  if (path.ok() || path.error().code != ErrorCode::kNotFound) return path;
  std::string message = path.error().message;
  if (message.find("oscope init") == std::string::npos) message += "; `oscope init` makes one";
  return Error{ErrorCode::kNotFound, message};
}

Result<Store> Context::OpenStore(Access access) const {
  OSCOPE_ASSIGN_OR_RETURN(const std::string path, StorePath());
  if (access == Access::kWrite && ::access(path.c_str(), W_OK) != 0 && errno != ENOENT) {
    return Error{ErrorCode::kIo, fmt::format("store {}: cannot be written to: {}; change its owner or permissions, or "
                                             "name another with --store",
                                             path, std::strerror(errno))};
  }
  OpenOptions open;
  open.read_only = access == Access::kRead;
  open.salvage = options.salvage;
  open.skip_damaged = options.partial;
  open.cancel = cancel();
  open.on_damaged = [context = *this](const std::string& damage) {
    context.Warn("this answer is partial: {}", damage);
  };
  OSCOPE_ASSIGN_OR_RETURN(Store store, Store::Open(PosixFileSystem(), path, open));
  for (const std::string& warning : store.warnings()) Warn("{}", warning);
  return store;
}

Result<std::string> Context::Project() const {
  std::string name = options.project;
  if (name.empty()) {
    OSCOPE_ASSIGN_OR_RETURN(const ProjectName found, FindProject(PosixFileSystem(), WorkingDirectory(), cancel()));
    name = found.name;
  }
  OSCOPE_RETURN_IF_ERROR(CheckId("project", name));
  return name;
}

void Context::PrintText(std::string_view text) const { std::fwrite(text.data(), 1, text.size(), stdout); }

void Context::PrintJson(const nlohmann::ordered_json& value) const {
  // ASCII only: nothing in it can drive a terminal, and invalid UTF-8 becomes U+FFFD.
  PrintText(value.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

void Context::PrintJsonToStderr(const nlohmann::ordered_json& value) const {
  std::fflush(stdout);
  PrintToStderr("{}\n", value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

void Context::PrintLine(std::string_view text) const {
  std::fflush(stdout);
  PrintToStderr("oscope: {}\n", EscapeForTerminal(text, LineBreaks::kKeep));
}

void Context::Located(std::string_view file, uint64_t line, std::string_view message) const {
  std::fflush(stdout);
  if (json()) {
    return PrintJsonToStderr({{"problem", {{"file", file}, {"line", line}, {"message", message}}}});
  }
  const std::string place = line == 0 ? std::string(file) : fmt::format("{}:{}", file, line);
  PrintToStderr("{}: {}\n", EscapeForTerminal(place), EscapeForTerminal(message));
}

int Context::PrintError(std::string_view code, std::string_view message, int exit_code) const {
  if (error_exit_code && exit_code != kExitCancelled) exit_code = *error_exit_code;
  if (!json()) {
    PrintLine(message);
    return exit_code;
  }
  PrintJsonToStderr({{"error", {{"code", code}, {"message", message}, {"exit_code", exit_code}}}});
  return exit_code;
}

int Context::Fail(const Error& error) const {
  return PrintError(ErrorCodeName(error.code), error.message, ExitCodeOf(error.code));
}

int Context::FailUsage(std::string_view message) const { return PrintError("usage", message, kExitUsage); }

Status Context::Confirm(bool yes, std::string_view question) const {
  if (yes) return {};
  if (!can_ask()) return Invalid("{} Say so with --yes", question);
  PrintToStderr("{} [y/N] ", EscapeForTerminal(question));
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "Y" || answer == "yes") return {};
  return Cancelled("nothing was changed");
}

}  // namespace oscope::cli
