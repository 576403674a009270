// A JSON value. Members of an object keep the order in which they were set.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "quill/error.h"

namespace quill::json {

class Value;
struct Member;
using Array = std::vector<Value>;
using Object = std::vector<Member>;

// A value was not of the type that was asked for.
class TypeError : public Error {
 public:
  using Error::Error;
};

class Value {
 public:
  Value();  // null
  Value(std::nullptr_t);
  Value(bool value);
  Value(int value);
  Value(int64_t value);
  Value(double value);
  Value(const char* value);
  Value(std::string value);
  Value(Array value);
  Value(Object value);
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  bool IsNull() const;
  bool IsInteger() const;
  bool IsNumber() const;
  bool IsString() const;
  bool IsArray() const;
  bool IsObject() const;

  // These fail with TypeError; a number is read as an integer only if it is one.
  bool AsBool() const;
  int64_t AsInteger() const;
  double AsDouble() const;
  const std::string& AsString() const;
  const Array& AsArray() const;
  const Object& AsObject() const;

  // The member or null; null too if this is no object.
  const Value* Find(std::string_view name) const;
  Value* Find(std::string_view name);
  // The member; fails if there is none.
  const Value& At(std::string_view name) const;
  // Sets a member; a null value becomes an object first.
  Value& Set(std::string name, Value value);
  bool Remove(std::string_view name);
  // Adds an element; a null value becomes an array first.
  Value& Append(Value value);
  Value& ElementAt(size_t index);

  bool operator==(const Value& other) const;

 private:
  friend class Writer;
  using Data = std::variant<std::nullptr_t, bool, int64_t, double, std::string, Array, Object>;

  template <typename T>
  const T& As(const char* wanted) const;

  Data data_;
};

struct Member {
  std::string name;
  Value value;
  bool operator==(const Member& other) const;
};

}  // namespace quill::json
