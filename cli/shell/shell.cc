// The loop of the shell: read an entry, remember it, run it. The same loop runs scripts, with three differences: no
// history, no prompts, and an error ends it.
//
// An interrupt belongs to what runs when it comes. One that arrives between two entries is forgotten at the right
// moment only: after the statement has ended, not before it begins, because a user may press Ctrl-C right after Enter.
#include "cli/shell/shell.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/limits.h"
#include "cli/context/exit_codes.h"
#include "cli/context/resolve.h"
#include "cli/shell/dot_commands.h"
#include "cli/shell/interrupts.h"

namespace oscope::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr int kMaxReading = 16;

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool CanMoveCursor() {
  const char* term = std::getenv("TERM");
  return term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
}

// The error is reported now; clearing it prevents a second report when the program ends.
Error WriteError(std::FILE* file, std::string_view name) {
  const int error = errno;
  std::clearerr(file);
  return IoError(error, "write", name);
}

bool IsTerminal() { return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1; }

}  // namespace

bool IsCompleteInput(std::string_view text) {
  text = Trimmed(text);
  if (text.starts_with('.')) return true;
  for (const bql::StatementText& statement : bql::SplitStatements(text)) {
    if (!statement.finished) return false;
  }
  return true;
}

Shell::Shell(const Context& context, Session session, OutputMode mode, bool timer)
    : context_(context),
      interactive_(IsTerminal()),
      session_(std::move(session)),
      runner_(context_, session_,
              {.mode = mode,
               .timer = timer,
               .to_terminal = context.stdout_is_terminal(),
               .write = [this](std::string_view text) { return Write(text); }}) {}

std::unique_ptr<LineEditor> Shell::MakeEditor() {
  EditorOptions options;
  options.show_prompts = interactive_;
  options.palette = Palette(context_.color());
  options.is_complete = IsCompleteInput;
  options.complete = [this](std::string_view text, size_t cursor) { return Complete(session_, text, cursor); };
  std::unique_ptr<LineEditor> editor;
  if (interactive_ && CanMoveCursor()) editor = MakeTerminalEditor(options);
  return editor ? std::move(editor) : MakePlainEditor(options);
}

Result<int> Shell::Run() {
  interrupts::Install(context_.process());
  editor_ = MakeEditor();
  if (interactive_) {
    Result<History> history = History::Open(HistoryPath());
    if (history.ok()) {
      history_ = *std::move(history);
      for (const std::string& entry : history_->entries()) editor_->Remember(entry);
    } else {
      context_.Warn("the history cannot be read, and nothing is added to it: {}", history.error().message);
    }
    context_.Note("statements end with ';'; .help lists the commands, Ctrl-D leaves");
  }
  int code = kExitOk;
  while (!leaving_) {
    const Input input = editor_->Read();
    if (input.kind == Input::Kind::kEnd) break;
    if (input.kind == Input::Kind::kInterrupted) {
      if (!interactive_) return kExitCancelled;
      interrupts::Forget();
      continue;
    }
    // A Ctrl-C right after the line was entered is meant for its statement, so it is not forgotten here.
    Remember(input.text);
    code = RunInput({.name = {}, .text = input.text}, 0, input.text.size());
    // Of a script it is the end, even where the statement was faster.
    if (interactive_) interrupts::Forget();
    if (code != kExitOk && !interactive_) return code;
  }
  return interactive_ ? kExitOk : code;
}

void Shell::Remember(const std::string& input) {
  const std::string entry(Trimmed(input));
  if (!history_ || entry.empty()) return;
  const bool repeated = !history_->entries().empty() && history_->entries().back() == entry;
  if (!repeated) editor_->Remember(entry);
  if (const Status status = history_->Add(entry); !status.ok()) {
    context_.Warn("the history is not kept: {}", status.error().message);
    history_.reset();
  }
}

int Shell::RunInput(const Script& script, size_t begin, size_t end) {
  const std::string_view text = script.text.substr(begin, end - begin);
  if (const std::string_view command = Trimmed(text); command.starts_with('.')) return RunDotCommand(command);
  for (bql::StatementText& statement : bql::SplitStatements(text)) {
    last_statement_ = statement.text;
    statement.offset += static_cast<uint32_t>(begin);
    if (const int code = runner_.Run(script, statement); code != kExitOk) return code;
  }
  return kExitOk;
}

int Shell::RunDotCommand(std::string_view line) {
  const size_t end = std::min(line.find_first_of(kBlanks), line.size());
  const auto command = FindDotCommand(line.substr(0, end));
  Result<int> code = command.ok() ? (*command)->run(*this, std::string(Trimmed(line.substr(end)))) : command.error();
  if (std::fflush(stdout) != 0 && code.ok()) code = WriteError(stdout, "standard output");
  if (code.ok()) return *code;
  context_.Fail(code.error());
  return StatementExitCode(code.error().code);
}

Status Shell::Write(std::string_view text) {
  std::FILE* file = output_ ? output_.get() : stdout;
  if (std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0) return {};
  return WriteError(file, output_ ? output_path_ : "standard output");
}

Status Shell::SetOutput(const std::string& path) {
  output_.reset();
  output_path_.clear();
  if (!path.empty() && path != "-") {
    output_.reset(std::fopen(path.c_str(), "we"));
    if (!output_) {
      const int error = errno;
      presentation().to_terminal = context_.stdout_is_terminal();
      return IoError(error, "open", path);
    }
    output_path_ = path;
  }
  presentation().to_terminal = !output_ && context_.stdout_is_terminal();
  return {};
}

// Statements may span lines; a dot command is one line of its own, between statements.
Result<int> Shell::ReadFile(const std::string& path) {
  if (reading_ >= kMaxReading) return Limit("{}: files read each other more than {} levels deep", path, kMaxReading);
  OSCOPE_ASSIGN_OR_RETURN(const std::string text, ReadInput(path, limits::kMaxTextBytes, context_.cancel()));
  ++reading_;
  int exit_code = kExitOk;
  size_t begin = 0;
  for (size_t at = 0; at < text.size() && exit_code == kExitOk && !leaving_;) {
    const size_t end = std::min(text.find('\n', at), text.size());
    at = end + 1;
    if (end < text.size() && !IsCompleteInput(std::string_view(text).substr(begin, end - begin))) continue;
    exit_code = RunInput({.name = path, .text = text}, begin, end);
    begin = end + 1;
  }
  --reading_;
  return exit_code;
}

}  // namespace oscope::cli
