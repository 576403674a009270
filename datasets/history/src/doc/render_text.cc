#include <algorithm>

#include "quill/doc/render.h"
#include "quill/text/utf8.h"

namespace quill::doc {
namespace {

std::vector<size_t> ColumnWidths(const Grid& grid) {
  std::vector<size_t> widths;
  for (const std::string& name : grid.head()) widths.push_back(text::DisplayWidth(name));
  for (const std::vector<std::string>& row : grid.rows()) {
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text::DisplayWidth(row[i]));
  }
  return widths;
}

std::string ItemMark(const List& list, size_t place) {
  return list.numbered() ? std::to_string(place + 1) + ". " : "- ";
}

}  // namespace

void TextRenderer::Visit(const Heading& heading) {
  BeginBlock();
  AddLine(heading.text());
  if (heading.level() <= 2) {
    AddLine(std::string(text::DisplayWidth(heading.text()), heading.level() == 1 ? '=' : '-'));
  }
}

void TextRenderer::Visit(const Paragraph& paragraph) {
  BeginBlock();
  layout::WrapOptions options;
  options.width = width_;
  options.justify = justify_;
  for (const std::string& line : layout::Wrap(paragraph.text(), options)) AddLine(line);
}

void TextRenderer::Visit(const CodeBlock& code) {
  BeginBlock();
  for (const std::string& line : code.lines()) AddLine("    " + layout::ExpandTabs(line));
}

void TextRenderer::Visit(const List& list) {
  BeginBlock();
  AddItems(list, 0);
}

void TextRenderer::Visit(const Grid& grid) {
  BeginBlock();
  const std::vector<size_t> widths = ColumnWidths(grid);
  AddGridRow(grid, grid.head(), widths);
  std::vector<std::string> rule;
  for (const size_t width : widths) rule.emplace_back(width, '-');
  AddGridRow(grid, rule, widths);
  for (const std::vector<std::string>& row : grid.rows()) AddGridRow(grid, row, widths);
}

void TextRenderer::BeginBlock() {
  if (!out_.empty()) out_ += '\n';
}

void TextRenderer::AddLine(std::string_view line) {
  out_ += line;
  out_ += '\n';
}

void TextRenderer::AddItems(const List& list, size_t depth) {
  for (size_t i = 0; i < list.items().size(); ++i) {
    const ListItem& item = list.items()[i];
    layout::WrapOptions options;
    options.width = width_;
    options.first_indent = std::string(depth * 2, ' ') + ItemMark(list, i);
    options.indent = std::string(options.first_indent.size(), ' ');
    for (const std::string& line : layout::Wrap(item.text, options)) AddLine(line);
    if (item.children != nullptr) AddItems(*item.children, depth + 1);
  }
}

void TextRenderer::AddGridRow(const Grid& grid, const std::vector<std::string>& row,
                              const std::vector<size_t>& widths) {
  std::string line;
  for (size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line += "  ";
    line += layout::Pad(row[i], widths[i], grid.SideOf(i));
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  AddLine(line);
}

std::string RenderText(const Document& document, size_t width, bool justify) {
  TextRenderer renderer(width, justify);
  document.Walk(renderer);
  return renderer.text();
}

}  // namespace quill::doc
