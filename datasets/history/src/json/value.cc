#include "quill/json/value.h"

#include <algorithm>
#include <utility>

namespace quill::json {

Value::Value() : data_(nullptr) {}
Value::Value(std::nullptr_t) : data_(nullptr) {}
Value::Value(bool value) : data_(value) {}
Value::Value(int value) : data_(static_cast<int64_t>(value)) {}
Value::Value(int64_t value) : data_(value) {}
Value::Value(double value) : data_(value) {}
Value::Value(const char* value) : data_(std::string(value)) {}
Value::Value(std::string value) : data_(std::move(value)) {}
Value::Value(Array value) : data_(std::move(value)) {}
Value::Value(Object value) : data_(std::move(value)) {}
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

bool Value::IsNull() const { return std::holds_alternative<std::nullptr_t>(data_); }
bool Value::IsInteger() const { return std::holds_alternative<int64_t>(data_); }
bool Value::IsNumber() const { return IsInteger() || std::holds_alternative<double>(data_); }
bool Value::IsString() const { return std::holds_alternative<std::string>(data_); }
bool Value::IsArray() const { return std::holds_alternative<Array>(data_); }
bool Value::IsObject() const { return std::holds_alternative<Object>(data_); }

template <typename T>
const T& Value::As(const char* wanted) const {
  if (const T* const value = std::get_if<T>(&data_)) return *value;
  throw TypeError(std::string("not ") + wanted);
}

bool Value::AsBool() const { return As<bool>("a boolean"); }
int64_t Value::AsInteger() const { return As<int64_t>("an integer"); }

double Value::AsDouble() const {
  if (IsInteger()) return static_cast<double>(AsInteger());
  return As<double>("a number");
}

const std::string& Value::AsString() const { return As<std::string>("a string"); }
const Array& Value::AsArray() const { return As<Array>("an array"); }
const Object& Value::AsObject() const { return As<Object>("an object"); }

const Value* Value::Find(std::string_view name) const {
  const Object* const members = std::get_if<Object>(&data_);
  if (members == nullptr) return nullptr;
  const auto found = std::find_if(members->begin(), members->end(),
                                  [name](const Member& member) { return member.name == name; });
  return found == members->end() ? nullptr : &found->value;
}

Value* Value::Find(std::string_view name) {
  return const_cast<Value*>(std::as_const(*this).Find(name));
}

const Value& Value::At(std::string_view name) const {
  if (const Value* const found = Find(name)) return *found;
  throw Error("no member '" + std::string(name) + "'");
}

Value& Value::Set(std::string name, Value value) {
  if (IsNull()) data_ = Object();
  if (!IsObject()) throw TypeError("not an object");
  if (Value* const known = Find(name)) {
    *known = std::move(value);
    return *known;
  }
  Object& members = std::get<Object>(data_);
  members.push_back(Member{std::move(name), std::move(value)});
  return members.back().value;
}

bool Value::Remove(std::string_view name) {
  Object* const members = std::get_if<Object>(&data_);
  if (members == nullptr) return false;
  const auto found = std::find_if(members->begin(), members->end(),
                                  [name](const Member& member) { return member.name == name; });
  if (found == members->end()) return false;
  members->erase(found);
  return true;
}

Value& Value::Append(Value value) {
  if (IsNull()) data_ = Array();
  if (!IsArray()) throw TypeError("not an array");
  Array& elements = std::get<Array>(data_);
  elements.push_back(std::move(value));
  return elements.back();
}

Value& Value::ElementAt(size_t index) {
  Array* const elements = std::get_if<Array>(&data_);
  if (elements == nullptr) throw TypeError("not an array");
  if (index >= elements->size()) throw Error("no element " + std::to_string(index));
  return (*elements)[index];
}

bool Value::operator==(const Value& other) const {
  if (IsNumber() && other.IsNumber() && IsInteger() != other.IsInteger()) {
    return AsDouble() == other.AsDouble();
  }
  return data_ == other.data_;
}

bool Member::operator==(const Member& other) const {
  return name == other.name && value == other.value;
}

}  // namespace quill::json
