#include "quill/doc/render.h"
#include "quill/text/strings.h"

namespace quill::doc {

// "&" first: those that the others bring in must stay.
std::string EscapeHtml(std::string_view text) {
  return text::ReplaceEach(std::string(text),
                           {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

void HtmlRenderer::Visit(const Heading& heading) {
  AddElement("h" + std::to_string(heading.level()), heading.text());
  out_ += '\n';
}

void HtmlRenderer::Visit(const Paragraph& paragraph) {
  AddElement("p", paragraph.text());
  out_ += '\n';
}

void HtmlRenderer::Visit(const CodeBlock& code) {
  AddElement("pre", text::Join(code.lines(), "\n"));
  out_ += '\n';
}

void HtmlRenderer::Visit(const List& list) {
  const std::string tag = list.numbered() ? "ol" : "ul";
  out_ += "<" + tag + ">";
  for (const ListItem& item : list.items()) {
    out_ += "<li>" + EscapeHtml(item.text);
    if (item.children != nullptr) Visit(*item.children);
    out_ += "</li>";
  }
  out_ += "</" + tag + ">\n";
}

void HtmlRenderer::Visit(const Grid& grid) {
  out_ += "<table>";
  AddCells("th", grid.head());
  for (const std::vector<std::string>& row : grid.rows()) AddCells("td", row);
  out_ += "</table>\n";
}

void HtmlRenderer::AddElement(std::string_view tag, std::string_view text) {
  out_ += "<" + std::string(tag) + ">" + EscapeHtml(text) + "</" + std::string(tag) + ">";
}

void HtmlRenderer::AddCells(std::string_view tag, const std::vector<std::string>& cells) {
  out_ += "<tr>";
  for (const std::string& cell : cells) AddElement(tag, cell);
  out_ += "</tr>";
}

std::string RenderHtml(const Document& document) {
  HtmlRenderer renderer;
  document.Walk(renderer);
  return renderer.text();
}

}  // namespace quill::doc
