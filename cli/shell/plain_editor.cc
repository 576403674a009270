// Reads lines from a pipe, a file or a simple terminal. It polls standard input together with the pipe of interrupts,
// since a blocking read would not end at Ctrl-C.
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "cli/shell/interrupts.h"
#include "cli/shell/line_editor.h"

namespace oscope::cli {
namespace {

// Lines from standard input: a script, a pipe, or a terminal that cannot move its cursor.
class PlainEditor : public LineEditor {
 public:
  explicit PlainEditor(EditorOptions options) : options_(std::move(options)) {}

  Input Read() override {
    std::string text;
    for (;;) {
      Prompt(text.empty() ? options_.prompt : options_.continuation);
      std::string line;
      const Input::Kind kind = ReadLine(line);
      if (kind == Input::Kind::kInterrupted) return {kind, {}};
      text += line;
      if (kind == Input::Kind::kEnd) return text.empty() ? Input{kind, {}} : Input{Input::Kind::kText, text};
      if (options_.is_complete(text)) return {Input::Kind::kText, text};
      text += '\n';
    }
  }

  void Remember(std::string_view) override {}

 private:
  void Prompt(const std::string& prompt) const {
    if (!options_.show_prompts) return;
    std::fwrite(prompt.data(), 1, prompt.size(), stdout);
    std::fflush(stdout);
  }

  Input::Kind ReadLine(std::string& line) {
    for (;;) {
      if (const size_t end = ahead_.find('\n'); end != std::string::npos) {
        line = ahead_.substr(0, end);
        ahead_.erase(0, end + 1);
        return Input::Kind::kText;
      }
      const Input::Kind kind = ReadMore();
      if (kind == Input::Kind::kText) continue;
      if (kind == Input::Kind::kEnd) line = std::exchange(ahead_, {});
      return kind;
    }
  }

  Input::Kind ReadMore() {
    pollfd sources[] = {{STDIN_FILENO, POLLIN, 0}, {interrupts::Descriptor(), POLLIN, 0}};
    if (poll(sources, 2, -1) < 0 && errno != EINTR) return Input::Kind::kEnd;
    if (interrupts::Requested()) return interrupts::LeaveRequested() ? Input::Kind::kEnd : Input::Kind::kInterrupted;
    char buffer[65'536];
    const ssize_t count = sources[0].revents == 0 ? -1 : read(STDIN_FILENO, buffer, sizeof buffer);
    if (count > 0) ahead_.append(buffer, static_cast<size_t>(count));
    if (count < 0 && (errno == EINTR || sources[0].revents == 0)) return Input::Kind::kText;
    return count > 0 ? Input::Kind::kText : Input::Kind::kEnd;
  }

  const EditorOptions options_;
  std::string ahead_;  // read, and not yet asked for
};

}  // namespace

std::unique_ptr<LineEditor> MakePlainEditor(EditorOptions options) {
  return std::make_unique<PlainEditor>(std::move(options));
}

}  // namespace oscope::cli
