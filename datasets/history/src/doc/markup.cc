#include "quill/doc/markup.h"

#include <optional>

#include "quill/text/strings.h"

namespace quill::doc {
namespace {

constexpr std::string_view kFence = "```";

struct ItemMark {
  size_t indent = 0;
  bool numbered = false;
  size_t length = 0;  // of the indent and the mark together
};

size_t IndentOf(std::string_view line) {
  const size_t indent = line.find_first_not_of(' ');
  return indent == std::string_view::npos ? line.size() : indent;
}

// Nothing if the line is no item of a list.
std::optional<ItemMark> FindItemMark(std::string_view line) {
  ItemMark mark;
  mark.indent = IndentOf(line);
  const std::string_view rest = line.substr(mark.indent);
  if (text::StartsWith(rest, "- ")) {
    mark.length = mark.indent + 2;
    return mark;
  }
  size_t digits = 0;
  while (digits < rest.size() && text::IsDigit(rest[digits])) ++digits;
  if (digits == 0 || !text::StartsWith(rest.substr(digits), ". ")) return std::nullopt;
  mark.numbered = true;
  mark.length = mark.indent + digits + 2;
  return mark;
}

size_t HeadingLevel(std::string_view line) {
  size_t level = 0;
  while (level < line.size() && line[level] == '#') ++level;
  return level < line.size() && line[level] == ' ' ? level : 0;
}

bool BeginsBlock(std::string_view line) {
  return HeadingLevel(line) > 0 || text::StartsWith(line, kFence) || text::StartsWith(line, "|") ||
         FindItemMark(line).has_value();
}

std::vector<std::string> GridCells(std::string_view line) {
  line = text::Trim(line);
  line.remove_prefix(1);
  if (!line.empty() && line.back() == '|') line.remove_suffix(1);
  std::vector<std::string> cells;
  for (const std::string& cell : text::Split(line, '|')) cells.emplace_back(text::Trim(cell));
  return cells;
}

}  // namespace

MarkupReader::MarkupReader(std::string_view text) : lines_(text::SplitLines(text)) {}

Document MarkupReader::Read() {
  Document document;
  while (!AtEnd()) {
    if (text::Trim(Line()).empty()) {
      ++at_;
    } else if (HeadingLevel(Line()) > 0) {
      ReadHeading(document);
    } else if (text::StartsWith(Line(), kFence)) {
      ReadCode(document);
    } else if (text::StartsWith(Line(), "|")) {
      ReadGrid(document);
    } else if (FindItemMark(Line())) {
      ReadList(document);
    } else {
      ReadParagraph(document);
    }
  }
  return document;
}

void MarkupReader::ReadHeading(Document& document) {
  const size_t level = HeadingLevel(Line());
  document.Add<Heading>(level, std::string(text::Trim(Line().substr(level))));
  ++at_;
}

void MarkupReader::ReadCode(Document& document) {
  std::vector<std::string> lines;
  for (++at_; !AtEnd() && !text::StartsWith(Line(), kFence); ++at_) lines.push_back(Line());
  if (!AtEnd()) ++at_;
  document.Add<CodeBlock>(std::move(lines));
}

void MarkupReader::ReadList(Document& document) {
  const ItemMark mark = *FindItemMark(Line());
  ReadItems(document.Add<List>(mark.numbered), mark.indent);
}

void MarkupReader::ReadItems(List& list, size_t indent) {
  while (!AtEnd()) {
    const std::optional<ItemMark> mark = FindItemMark(Line());
    if (!mark || mark->indent < indent) return;
    if (mark->indent >= indent + 2 && !list.items().empty()) {
      auto children = std::make_unique<List>(mark->numbered);
      ReadItems(*children, mark->indent);
      const_cast<ListItem&>(list.items().back()).children = std::move(children);
      continue;
    }
    list.Add(Line().substr(mark->length));
    ++at_;
  }
}

void MarkupReader::ReadGrid(Document& document) {
  Grid& grid = document.Add<Grid>(GridCells(Line()));
  for (++at_; !AtEnd() && text::StartsWith(Line(), "|"); ++at_) grid.AddRow(GridCells(Line()));
}

void MarkupReader::ReadParagraph(Document& document) {
  std::string text = Line();
  for (++at_; !AtEnd() && !text::Trim(Line()).empty() && !BeginsBlock(Line()); ++at_)
    text += "\n" + Line();
  document.Add<Paragraph>(std::move(text));
}

}  // namespace quill::doc
