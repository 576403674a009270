// The parts of a document, and who walks over them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "quill/layout/wrap.h"

namespace quill::doc {

class Heading;
class Paragraph;
class CodeBlock;
class List;
class Grid;

class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void Visit(const Heading& heading) = 0;
  virtual void Visit(const Paragraph& paragraph) = 0;
  virtual void Visit(const CodeBlock& code) = 0;
  virtual void Visit(const List& list) = 0;
  virtual void Visit(const Grid& grid) = 0;
};

class Block {
 public:
  virtual ~Block() = default;
  virtual void Accept(Visitor& visitor) const = 0;
};

using Blocks = std::vector<std::unique_ptr<Block>>;

class Heading : public Block {
 public:
  Heading(size_t level, std::string text) : level_(level), text_(std::move(text)) {}
  void Accept(Visitor& visitor) const override { visitor.Visit(*this); }
  size_t level() const { return level_; }  // from 1
  const std::string& text() const { return text_; }

 private:
  size_t level_;
  std::string text_;
};

class Paragraph : public Block {
 public:
  explicit Paragraph(std::string text) : text_(std::move(text)) {}
  void Accept(Visitor& visitor) const override { visitor.Visit(*this); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class CodeBlock : public Block {
 public:
  explicit CodeBlock(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  void Accept(Visitor& visitor) const override { visitor.Visit(*this); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

struct ListItem {
  std::string text;
  std::unique_ptr<List> children;  // null if there are none
};

class List : public Block {
 public:
  explicit List(bool numbered) : numbered_(numbered) {}
  void Accept(Visitor& visitor) const override { visitor.Visit(*this); }
  bool numbered() const { return numbered_; }
  const std::vector<ListItem>& items() const { return items_; }
  ListItem& Add(std::string text);

 private:
  bool numbered_;
  std::vector<ListItem> items_;
};

// Rows of texts under a head; short rows are filled with empty texts.
class Grid : public Block {
 public:
  explicit Grid(std::vector<std::string> head) : head_(std::move(head)) {}
  void Accept(Visitor& visitor) const override { visitor.Visit(*this); }
  const std::vector<std::string>& head() const { return head_; }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }
  void AddRow(std::vector<std::string> row);
  void Align(size_t column, layout::Side side);
  layout::Side SideOf(size_t column) const;

 private:
  std::vector<std::string> head_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<layout::Side> sides_;
};

class Document {
 public:
  template <typename T, typename... Arguments>
  T& Add(Arguments&&... arguments) {
    auto block = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T& added = *block;
    blocks_.push_back(std::move(block));
    return added;
  }
  void Walk(Visitor& visitor) const;
  const Blocks& blocks() const { return blocks_; }

 private:
  Blocks blocks_;
};

}  // namespace quill::doc
