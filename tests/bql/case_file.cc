#include "tests/bql/case_file.h"

#include <algorithm>
#include <sstream>

namespace oscope {
namespace {

constexpr std::string_view kSeparator = "----";
constexpr std::string_view kAnyText = "{*}";

std::vector<std::string> SplitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> SplitWords(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool HasStatement(std::string_view directive) {
  return directive == "query" || directive == "error" || directive == "explain" || directive == "statement";
}

bool IsDirective(const std::string& line) {
  const std::string word = line.substr(0, line.find(' '));
  if (word == "load" || word == "param" || word == "set") return true;
  // A row may begin with one of these, but not be made of them and options alone.
  return HasStatement(word) &&
         (line == word || line.find("pairs") != std::string::npos || line.find("all") != std::string::npos);
}

bool EndsExpectation(const std::string& line) { return line.empty() || line[0] == '#' || IsDirective(line); }

class Parser {
 public:
  explicit Parser(std::string_view text) { file_.lines = SplitLines(text); }

  Result<CaseFile> Run() {
    while (at_ < file_.lines.size()) {
      const std::string& line = file_.lines[at_];
      if (line.empty() || line[0] == '#') {
        ++at_;
      } else {
        OSCOPE_RETURN_IF_ERROR(Block());
      }
    }
    return std::move(file_);
  }

 private:
  Status Block() {
    if (!IsDirective(file_.lines[at_]))
      return Invalid("line {}: expected a directive, not '{}'", at_ + 1, file_.lines[at_]);
    CaseBlock block;
    block.line = at_ + 1;
    block.words = SplitWords(file_.lines[at_++]);
    if (HasStatement(block.directive())) OSCOPE_RETURN_IF_ERROR(Statement(block));
    file_.blocks.push_back(std::move(block));
    return {};
  }

  Status Statement(CaseBlock& block) {
    const auto begin = file_.lines.begin() + static_cast<ptrdiff_t>(at_);
    const auto separator = std::find(begin, file_.lines.end(), kSeparator);
    if (separator == file_.lines.end()) return Invalid("line {}: no {} after the statement", block.line, kSeparator);
    for (auto line = begin; line != separator; ++line) block.statement += (line == begin ? "" : "\n") + *line;
    const auto end = std::find_if(separator + 1, file_.lines.end(), EndsExpectation);
    block.expected.assign(separator + 1, end);
    block.expected_begin = static_cast<size_t>(separator + 1 - file_.lines.begin());
    block.expected_end = at_ = static_cast<size_t>(end - file_.lines.begin());
    return {};
  }

  CaseFile file_;
  size_t at_ = 0;
};

}  // namespace

bool CaseBlock::HasWord(std::string_view word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Result<CaseFile> ParseCaseFile(std::string_view text) { return Parser(text).Run(); }

std::string WithExpectations(const CaseFile& file, const std::vector<std::vector<std::string>>& expected) {
  std::string text;
  size_t at = 0;
  const auto copy_to = [&](size_t end) {
    for (; at < end; ++at) text += file.lines[at] + "\n";
  };
  for (size_t i = 0; i < file.blocks.size(); ++i) {
    const CaseBlock& block = file.blocks[i];
    if (!HasStatement(block.directive())) continue;
    copy_to(block.expected_begin);
    for (const std::string& line : expected[i]) text += line + "\n";
    at = block.expected_end;
  }
  copy_to(file.lines.size());
  return text;
}

bool MatchesExpected(std::string_view expected, std::string_view line) {
  const size_t any = expected.find(kAnyText);
  if (any == std::string_view::npos) return expected == line;
  if (!line.starts_with(expected.substr(0, any))) return false;
  const std::string_view rest = expected.substr(any + kAnyText.size());
  for (size_t i = any; i <= line.size(); ++i) {
    if (MatchesExpected(rest, line.substr(i))) return true;
  }
  return false;
}

}  // namespace oscope
