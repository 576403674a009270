#include "quill/doc/outline.h"

#include <functional>

namespace quill::doc {
namespace {

using Entries = std::vector<std::unique_ptr<OutlineEntry>>;

void WalkEntries(const Entries& entries, size_t depth,
                 const std::function<void(const OutlineEntry&, size_t)>& visit) {
  for (const auto& entry : entries) {
    visit(*entry, depth);
    WalkEntries(entry->children, depth + 1, visit);
  }
}

}  // namespace

Outline::Outline(const Document& document) { document.Walk(*this); }

std::string Outline::ToText() const {
  std::string out;
  WalkEntries(top_, 0, [&out](const OutlineEntry& entry, size_t depth) {
    out += std::string(depth * 2, ' ') + entry.number + " " + entry.text + "\n";
  });
  return out;
}

std::string Outline::NumberOf(const std::string& text) const {
  std::string number;
  WalkEntries(top_, 0, [&](const OutlineEntry& entry, size_t) {
    if (number.empty() && entry.text == text) number = entry.number;
  });
  return number;
}

void Outline::Visit(const Heading& heading) {
  OutlineEntry* const parent = ParentFor(heading.level());
  Entries& siblings = parent != nullptr ? parent->children : top_;
  auto entry = std::make_unique<OutlineEntry>();
  entry->level = heading.level();
  entry->number =
      (parent != nullptr ? parent->number + "." : "") + std::to_string(siblings.size() + 1);
  entry->text = heading.text();
  entry->parent = parent;
  last_ = entry.get();
  siblings.push_back(std::move(entry));
}

// The nearest heading before this one that is of a higher rank.
OutlineEntry* Outline::ParentFor(size_t level) const {
  OutlineEntry* parent = last_;
  while (parent != nullptr && parent->level >= level) parent = parent->parent;
  return parent;
}

}  // namespace quill::doc
