#include "quill/json/pointer.h"

#include <charconv>
#include <optional>

#include "quill/text/strings.h"

namespace quill::json {
namespace {

std::optional<size_t> ToIndex(std::string_view name) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return index;
}

// "~1" first: "~01" is the name "~1", not "/".
std::string Unescape(std::string name) {
  return text::ReplaceEach(std::move(name), {{"~1", "/"}, {"~0", "~"}});
}

std::string Escape(std::string name) {
  return text::ReplaceEach(std::move(name), {{"~", "~0"}, {"/", "~1"}});
}

const Value* Child(const Value& value, const std::string& name) {
  if (!value.IsArray()) return value.Find(name);
  const std::optional<size_t> index = ToIndex(name);
  if (!index || *index >= value.AsArray().size()) return nullptr;
  return &value.AsArray()[*index];
}

Value& ChildToSet(Value& value, const std::string& name) {
  if (value.IsArray()) {
    if (name == "-") return value.Append(Value());
    const std::optional<size_t> index = ToIndex(name);
    if (!index) throw Error("'" + name + "' is no index");
    return value.ElementAt(*index);
  }
  if (Value* const known = value.Find(name)) return *known;
  return value.Set(name, Value());
}

}  // namespace

Pointer Pointer::FromText(std::string_view text) {
  Pointer pointer;
  if (text.empty()) return pointer;
  if (text.front() != '/') throw Error("a pointer begins with '/'");
  for (std::string& name : text::Split(text.substr(1), '/'))
    pointer.Append(Unescape(std::move(name)));
  return pointer;
}

std::string Pointer::ToText() const {
  std::string text;
  for (const std::string& name : names_) text += "/" + Escape(name);
  return text;
}

Pointer& Pointer::Append(std::string name) {
  names_.push_back(std::move(name));
  return *this;
}

const Value* Pointer::Find(const Value& root) const {
  const Value* value = &root;
  for (const std::string& name : names_) {
    value = Child(*value, name);
    if (value == nullptr) return nullptr;
  }
  return value;
}

void Pointer::Set(Value& root, Value value) const {
  Value* place = &root;
  for (const std::string& name : names_) place = &ChildToSet(*place, name);
  *place = std::move(value);
}

bool Pointer::Remove(Value& root) const {
  if (names_.empty()) return false;
  Pointer parent = *this;
  parent.names_.pop_back();
  Value* const holder = const_cast<Value*>(parent.Find(root));
  return holder != nullptr && holder->Remove(names_.back());
}

}  // namespace quill::json
