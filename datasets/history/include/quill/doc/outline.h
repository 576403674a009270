// The headings of a document as a tree, numbered "1", "1.1", "1.2", "2" …
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "quill/doc/node.h"

namespace quill::doc {

struct OutlineEntry {
  size_t level = 0;
  std::string number;
  std::string text;
  OutlineEntry* parent = nullptr;  // null at the top
  std::vector<std::unique_ptr<OutlineEntry>> children;
};

class Outline : public Visitor {
 public:
  explicit Outline(const Document& document);

  const std::vector<std::unique_ptr<OutlineEntry>>& top() const { return top_; }
  // One heading a line: "1.2 Title", indented by its depth.
  std::string ToText() const;
  // The number of the heading with that text; empty if there is none.
  std::string NumberOf(const std::string& text) const;

  void Visit(const Heading& heading) override;
  void Visit(const Paragraph&) override {}
  void Visit(const CodeBlock&) override {}
  void Visit(const List&) override {}
  void Visit(const Grid&) override {}

 private:
  OutlineEntry* ParentFor(size_t level) const;

  std::vector<std::unique_ptr<OutlineEntry>> top_;
  OutlineEntry* last_ = nullptr;
};

}  // namespace quill::doc
