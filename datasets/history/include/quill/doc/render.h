// Documents as plain text and as HTML.
#pragma once

#include <string>
#include <string_view>

#include "quill/doc/node.h"

namespace quill::doc {

std::string EscapeHtml(std::string_view text);

class TextRenderer : public Visitor {
 public:
  explicit TextRenderer(size_t width = 72, bool justify = false)
      : width_(width), justify_(justify) {}

  void Visit(const Heading& heading) override;
  void Visit(const Paragraph& paragraph) override;
  void Visit(const CodeBlock& code) override;
  void Visit(const List& list) override;
  void Visit(const Grid& grid) override;
  const std::string& text() const { return out_; }

 private:
  void BeginBlock();
  void AddLine(std::string_view line);
  void AddItems(const List& list, size_t depth);
  void AddGridRow(const Grid& grid, const std::vector<std::string>& row,
                  const std::vector<size_t>& widths);

  size_t width_;
  bool justify_;
  std::string out_;
};

class HtmlRenderer : public Visitor {
 public:
  void Visit(const Heading& heading) override;
  void Visit(const Paragraph& paragraph) override;
  void Visit(const CodeBlock& code) override;
  void Visit(const List& list) override;
  void Visit(const Grid& grid) override;
  const std::string& text() const { return out_; }

 private:
  void AddElement(std::string_view tag, std::string_view text);
  void AddCells(std::string_view tag, const std::vector<std::string>& cells);

  std::string out_;
};

std::string RenderText(const Document& document, size_t width = 72, bool justify = false);
std::string RenderHtml(const Document& document);

}  // namespace quill::doc
