// Where a shell's input comes from: a terminal with editing, completion and history, or plain lines.
//
// This header is all the shell knows of GNU readline, so that a build can leave it out (OSCOPE_READLINE=OFF).
// Threads: one at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/text.h"
#include "cli/shell/completer.h"

namespace oscope::cli {

struct Input {
  enum class Kind { kText, kInterrupted, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;  // of kText: whole statements or a command, with their line breaks
};

struct EditorOptions {
  std::string prompt = "oscope> ";
  std::string continuation = "   ...> ";
  bool show_prompts = true;
  Palette palette{false};
  // Whether the text can be run, or goes on in the next line.
  std::function<bool(std::string_view)> is_complete;
  std::function<Completions(std::string_view text, size_t cursor)> complete;
};

class LineEditor {
 public:
  virtual ~LineEditor() = default;
  virtual Input Read() = 0;
  // For the arrow keys; oldest first.
  virtual void Remember(std::string_view entry) = 0;
};

std::unique_ptr<LineEditor> MakePlainEditor(EditorOptions options);
// Null when this build has no readline.
std::unique_ptr<LineEditor> MakeTerminalEditor(EditorOptions options);

}  // namespace oscope::cli
