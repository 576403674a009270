// The editor for terminals. GNU readline gives the keys (emacs and vi modes, ~/.inputrc, undo, kill ring, search in the
// history). Drawing, completion and editing of several lines are done here, because readline knows a single line
// without colours.
//
// To readline a statement of several lines is one line with line breaks in it. Enter inserts a break until the
// statement is complete, and the arrow keys move between lines inside the text and go to the history only at its first
// and last line. Each redisplay lays the text out anew (input_screen.h) and moves the cursor by escape sequences
// relative to where it was left. When more keys are already waiting, as during a paste, nothing is drawn.
//
// Reading uses readline's callback interface, not its own loop: we poll the terminal together with the pipe of
// interrupts, so that Ctrl-C works without signal handlers of readline. The library has one global state, and so there
// can be one editor in a process.
//
// Left out: wide selections, a mouse, and completion menus; what Tab finds is listed below the input as a shell does.
#include <poll.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "base/escape.h"
#include "base/utf8.h"
#include "cli/shell/input_screen.h"
#include "cli/shell/interrupts.h"
#include "cli/shell/line_editor.h"

namespace oscope::cli {
namespace {

constexpr size_t kMaxListed = 100;

winsize ScreenSize() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size.ws_col = 80;
  if (size.ws_row == 0) size.ws_row = 24;
  return size;
}

void WriteAll(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

bool IsReadable(int fd) {
  pollfd source{fd, POLLIN, 0};
  return poll(&source, 1, 0) == 1;
}

// Several columns, as `ls` has them.
std::string ListOf(const std::vector<std::string>& candidates, size_t width) {
  size_t widest = 0;
  const size_t count = std::min(candidates.size(), kMaxListed);
  for (size_t i = 0; i < count; ++i) widest = std::max(widest, DisplayWidth(Shown(candidates[i])));
  const size_t columns = std::max<size_t>(1, width / (widest + 2));
  const size_t rows = (count + columns - 1) / columns;
  std::string text;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t i = row; i < count; i += rows) {
      const std::string shown = Truncate(Shown(candidates[i]), width);
      text += shown;
      if (i + rows < count) text.append(widest + 2 - DisplayWidth(shown), ' ');
    }
    text += "\r\n";
  }
  if (candidates.size() > count) text += fmt::format("… and {} more\r\n", candidates.size() - count);
  return text;
}

// Readline is one for the process, and so is its editor.
class ReadlineEditor : public LineEditor {
 public:
  explicit ReadlineEditor(EditorOptions options) : options_(std::move(options)) {
    instance_ = this;
    rl_readline_name = "oscope";
    rl_catch_signals = 0;
    rl_initialize();
    using_history();
    rl_redisplay_function = [] { instance_->Draw(false); };
    for (const char* keys : {"\\C-m", "\\C-j"}) Bind(keys, [](int, int) { return instance_->OnEnter(); });
    Bind("\\C-i", [](int, int) { return instance_->OnTab(); });
    for (const char* keys : {"\\e[A", "\\eOA"}) Bind(keys, [](int, int key) { return instance_->OnUp(key); });
    for (const char* keys : {"\\e[B", "\\eOB"}) Bind(keys, [](int, int key) { return instance_->OnDown(key); });
  }
  ~ReadlineEditor() override { instance_ = nullptr; }

  Input Read() override {
    input_.reset();
    drawn_row_ = 0;
    left_ = false;
    rl_callback_handler_install(options_.prompt.c_str(), [](char* line) { instance_->OnLine(line); });
    while (!input_) {
      pollfd sources[] = {{STDIN_FILENO, POLLIN, 0}, {interrupts::Descriptor(), POLLIN, 0}};
      if (poll(sources, 2, -1) < 0 && errno != EINTR) input_ = Input{};
      if (interrupts::Requested()) {
        OnInterrupt();
      } else if (sources[0].revents != 0) {
        rl_callback_read_char();
      }
    }
    rl_callback_handler_remove();
    return *std::move(input_);
  }

  void Remember(std::string_view entry) override { add_history(std::string(entry).c_str()); }

 private:
  static void Bind(const char* keys, rl_command_func_t* function) {
    rl_bind_keyseq_in_map(keys, function, emacs_standard_keymap);
    rl_bind_keyseq_in_map(keys, function, vi_insertion_keymap);
  }

  std::string_view Line() const { return {rl_line_buffer, static_cast<size_t>(rl_end)}; }

  // The rows that fit, with the cursor's among them. `always`: also when more keys wait, which a paste is full of.
  void Draw(bool always) {
    if (left_ || (!always && IsReadable(STDIN_FILENO))) return;
    const winsize size = ScreenSize();
    const std::string_view prompt = rl_display_prompt == nullptr ? "" : rl_display_prompt;
    const InputScreen screen = LayOut({prompt, options_.continuation, Line(), static_cast<size_t>(rl_point)},
                                      Highlight(Line()), options_.palette, size.ws_col);
    const size_t height = size.ws_row;
    const size_t first = screen.cursor_row >= height ? screen.cursor_row - height + 1 : 0;
    const size_t last = std::min(screen.rows.size(), first + height);
    std::string text = "\r";
    if (drawn_row_ > 0) text += fmt::format("\x1b[{}A", drawn_row_);
    text += "\x1b[J";
    for (size_t row = first; row < last; ++row) {
      if (row > first) text += "\r\n";
      text += screen.rows[row];
    }
    text += "\r";
    if (last - 1 > screen.cursor_row) text += fmt::format("\x1b[{}A", last - 1 - screen.cursor_row);
    if (screen.cursor_column > 0) text += fmt::format("\x1b[{}C", screen.cursor_column);
    drawn_row_ = screen.cursor_row - first;
    WriteAll(text);
  }

  // Leaves what is written on the screen, and the cursor below it.
  void LeaveLine(std::string_view last_words) {
    rl_point = rl_end;
    Draw(true);
    WriteAll(std::string(last_words) + "\r\n");
    drawn_row_ = 0;
  }

  int OnEnter() {
    if (options_.is_complete(Line())) {
      LeaveLine({});
      left_ = true;
      rl_done = 1;
    } else {
      rl_insert_text("\n");
    }
    return 0;
  }

  void OnLine(char* line) {
    if (line == nullptr) {
      LeaveLine({});
      left_ = true;
      input_ = Input{};
    } else {
      input_ = Input{Input::Kind::kText, line};
      std::free(line);
    }
    rl_callback_handler_remove();
  }

  void OnInterrupt() {
    LeaveLine("^C");
    left_ = true;
    rl_free_line_state();
    rl_callback_sigcleanup();
    rl_replace_line("", 0);
    input_ = Input{interrupts::LeaveRequested() ? Input::Kind::kEnd : Input::Kind::kInterrupted, {}};
  }

  int OnTab() {
    const Completions found = options_.complete(Line(), static_cast<size_t>(rl_point));
    if (found.candidates.empty()) return rl_ding();
    const std::string common = CommonPrefix(found.candidates);
    const size_t written = static_cast<size_t>(rl_point) - found.begin;
    const bool only = found.candidates.size() == 1;
    if (only || common.size() > written) {
      Replace(found.begin, only ? WithSpace(common) : common);
      return 0;
    }
    const std::string list = ListOf(found.candidates, ScreenSize().ws_col);
    const int point = rl_point;
    LeaveLine({});
    rl_point = point;
    WriteAll(list);
    Draw(true);
    return 0;
  }

  // A word that is whole is followed by a blank; what asks for more (a bracket, a directory) is not.
  static std::string WithSpace(const std::string& word) {
    const bool open = word.empty() || std::string_view("(/\"'`").find(word.back()) != std::string_view::npos;
    const bool blank_follows = rl_point < rl_end && rl_line_buffer[rl_point] == ' ';
    return open || blank_follows ? word : word + " ";
  }

  static void Replace(size_t begin, const std::string& text) {
    rl_begin_undo_group();
    rl_delete_text(static_cast<int>(begin), rl_point);
    rl_point = static_cast<int>(begin);
    rl_insert_text(text.c_str());
    rl_end_undo_group();
  }

  // Within a statement of several lines the arrows move from line to line.
  int OnUp(int key) {
    const std::string_view line = Line();
    const size_t start = LineStart(line, static_cast<size_t>(rl_point));
    if (start == 0) return rl_get_previous_history(1, key);
    const size_t above = LineStart(line, start - 1);
    MoveTo(above, start - 1, static_cast<size_t>(rl_point) - start);
    return 0;
  }

  int OnDown(int key) {
    const std::string_view line = Line();
    const size_t end = line.find('\n', static_cast<size_t>(rl_point));
    if (end == std::string_view::npos) return rl_get_next_history(1, key);
    const size_t column = static_cast<size_t>(rl_point) - LineStart(line, static_cast<size_t>(rl_point));
    MoveTo(end + 1, std::min(line.find('\n', end + 1), line.size()), column);
    return 0;
  }

  static size_t LineStart(std::string_view line, size_t at) {
    const size_t before = at == 0 ? std::string_view::npos : line.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
  }

  void MoveTo(size_t begin, size_t end, size_t column) {
    size_t at = std::min(begin + column, end);
    while (at > begin && at < end && IsUtf8Continuation(rl_line_buffer[at])) --at;
    rl_point = static_cast<int>(at);
  }

  static inline ReadlineEditor* instance_ = nullptr;
  const EditorOptions options_;
  std::optional<Input> input_;
  bool left_ = false;     // the input is done: readline's last redisplays would draw it again
  size_t drawn_row_ = 0;  // the cursor's, counted from the first row that is drawn
};

}  // namespace

std::unique_ptr<LineEditor> MakeTerminalEditor(EditorOptions options) {
  return std::make_unique<ReadlineEditor>(std::move(options));
}

}  // namespace oscope::cli
