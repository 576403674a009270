// Reads documents written in a light markup:
//
//   # Title, ## Section        headings
//   - item, 1. item            lists; two more blanks before the mark nest one level deeper
//   | a | b |                  a grid; its first row is the head
//   ``` … ```                  code, up to the closing mark or the end
//   anything else              paragraphs, with empty lines between them
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quill/doc/node.h"

namespace quill::doc {

class MarkupReader {
 public:
  explicit MarkupReader(std::string_view text);
  Document Read();

 private:
  bool AtEnd() const { return at_ == lines_.size(); }
  const std::string& Line() const { return lines_[at_]; }

  void ReadHeading(Document& document);
  void ReadCode(Document& document);
  void ReadList(Document& document);
  void ReadItems(List& list, size_t indent);
  void ReadGrid(Document& document);
  void ReadParagraph(Document& document);

  std::vector<std::string> lines_;
  size_t at_ = 0;
};

}  // namespace quill::doc
