#include "quill/layout/wrap.h"

#include <utility>

#include "quill/text/strings.h"
#include "quill/text/utf8.h"

namespace quill::layout {
namespace {

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

// Puts words into lines.
class LineFiller {
 public:
  explicit LineFiller(const WrapOptions& options)
      : options_(options), line_(options.first_indent) {}

  void Add(const std::string& word) {
    if (words_ > 0 && text::DisplayWidth(line_) + 1 + text::DisplayWidth(word) > options_.width)
      EndLine();
    if (words_ > 0) line_ += ' ';
    line_ += word;
    ++words_;
  }

  std::vector<std::string> Finish() {
    if (words_ > 0) lines_.push_back(std::move(line_));
    return std::move(lines_);
  }

 private:
  void EndLine() {
    lines_.push_back(options_.justify ? JustifyAfterIndent() : std::move(line_));
    line_ = options_.indent;
    words_ = 0;
  }

  std::string JustifyAfterIndent() const {
    const std::string& indent = lines_.empty() ? options_.first_indent : options_.indent;
    const size_t indent_width = text::DisplayWidth(indent);
    return indent +
           Justify(std::string_view(line_).substr(indent.size()), options_.width - indent_width);
  }

  const WrapOptions& options_;
  std::string line_;
  size_t words_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> Wrap(std::string_view text, const WrapOptions& options) {
  LineFiller filler(options);
  for (const std::string& word : Words(text)) filler.Add(word);
  return filler.Finish();
}

std::string Justify(std::string_view line, size_t width) {
  const std::vector<std::string> words = Words(line);
  size_t letters = 0;
  for (const std::string& word : words) letters += text::DisplayWidth(word);
  if (words.size() < 2 || letters + words.size() - 1 >= width) return std::string(line);
  const size_t gaps = words.size() - 1;
  const size_t each = (width - letters) / gaps;
  const size_t odd = (width - letters) % gaps;
  std::string out = words[0];
  for (size_t i = 0; i < gaps; ++i) {
    out.append(each + (i < odd ? 1 : 0), ' ');
    out += words[i + 1];
  }
  return out;
}

std::string ExpandTabs(std::string_view text, size_t stop) {
  std::string out;
  size_t column = 0;
  while (!text.empty()) {
    const size_t end = text.find_first_of("\t\n");
    const std::string_view piece = text.substr(0, end);
    out += piece;
    column += text::DisplayWidth(piece);
    if (end == std::string_view::npos) break;
    if (text[end] == '\n') {
      out += '\n';
      column = 0;
    } else {
      const size_t blanks = stop - column % stop;
      out.append(blanks, ' ');
      column += blanks;
    }
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string Pad(std::string_view text, size_t width, Side side) {
  const size_t taken = text::DisplayWidth(text);
  if (taken >= width) return std::string(text);
  const size_t blanks = width - taken;
  size_t before = 0;
  if (side == Side::kRight) before = blanks;
  if (side == Side::kCenter) before = blanks / 2;
  return std::string(before, ' ') + std::string(text) + std::string(blanks - before, ' ');
}

}  // namespace quill::layout
