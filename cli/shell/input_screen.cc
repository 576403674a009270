// Lays out prompt and input as rows of the terminal's width, and finds where the cursor stands. It is separate from the
// drawing (readline_editor.cc) so that it can be tested without a terminal.
#include "cli/shell/input_screen.h"

#include "base/escape.h"
#include "base/utf8.h"

namespace oscope::cli {
namespace {

class Layout {
 public:
  Layout(const Palette& palette, size_t width) : palette_(palette), width_(width < 2 ? 2 : width) {
    screen_.rows.emplace_back();
  }

  void AddPrompt(std::string_view prompt) {
    SetColor(palette_.bold);
    for (const char c : prompt) Add(std::string_view(&c, 1));
  }

  void AddCharacter(std::string_view bytes, TextStyle style) {
    SetColor(ColorOf(style));
    Add(EscapeForTerminal(bytes));
  }

  void StartRow() {
    SetColor({});
    screen_.rows.emplace_back();
    column_ = 0;
  }

  void PlaceCursor() {
    // The cursor cannot stand behind the last column.
    if (column_ >= width_) StartRow();
    screen_.cursor_row = screen_.rows.size() - 1;
    screen_.cursor_column = column_;
  }

  InputScreen Finish() {
    SetColor({});
    return std::move(screen_);
  }

 private:
  std::string_view ColorOf(TextStyle style) const {
    switch (style) {
      case TextStyle::kPlain: return {};
      case TextStyle::kKeyword: return palette_.blue;
      case TextStyle::kQuoted: return palette_.green;
      case TextStyle::kNumber: return palette_.cyan;
      case TextStyle::kParameter: return palette_.magenta;
      case TextStyle::kComment: return palette_.dim;
      case TextStyle::kError: return palette_.red;
    }
    return {};
  }

  void SetColor(std::string_view color) {
    if (color == color_) return;
    if (!color_.empty()) screen_.rows.back() += palette_.reset;
    screen_.rows.back() += color;
    color_ = color;
  }

  void Add(std::string_view shown) {
    const size_t columns = DisplayWidth(shown);
    if (column_ + columns > width_) {
      const std::string_view color = color_;
      StartRow();
      SetColor(color);
    }
    screen_.rows.back() += shown;
    column_ += columns;
  }

  const Palette& palette_;
  const size_t width_;
  InputScreen screen_;
  size_t column_ = 0;
  std::string_view color_;
};

}  // namespace

InputScreen LayOut(const InputText& input, const std::vector<TextStyle>& styles, const Palette& palette, size_t width) {
  Layout layout(palette, width);
  layout.AddPrompt(input.prompt);
  const std::string_view text = input.text;
  for (size_t at = 0; at < text.size();) {
    if (at == input.cursor) layout.PlaceCursor();
    const size_t next = Utf8CharacterEnd(text, at);
    if (text[at] == '\n') {
      layout.StartRow();
      layout.AddPrompt(input.continuation);
    } else {
      layout.AddCharacter(text.substr(at, next - at), styles[at]);
    }
    at = next;
  }
  if (input.cursor >= text.size()) layout.PlaceCursor();
  return layout.Finish();
}

}  // namespace oscope::cli
