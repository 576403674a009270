// Writes one JSON object of JSON lines, field by field.
//
// Threads: one at a time.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/import/json_text.h"

namespace oscope {

// One JSON object; a field that holds its default is left out.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string_view type = {}) {
    if (!type.empty()) Text("type", type);
  }

  void Text(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    Name(name);
    AppendJsonText(json_, value);
  }
  void Raw(std::string_view name, std::string_view json) {
    Name(name);
    json_ += json;
  }
  template <typename T>
  void Number(std::string_view name, T value) {
    if (value != T{}) Raw(name, fmt::format("{}", value));
  }
  // Zero is a value here: only a missing one is left out.
  template <typename T>
  void Number(std::string_view name, const std::optional<T>& value) {
    if (value) Raw(name, fmt::format("{}", *value));
  }
  void Time(std::string_view name, const std::optional<int64_t>& time_ns);
  void Flag(std::string_view name, bool value) {
    if (value) Raw(name, "true");
  }
  template <typename List, typename Write>
  void Array(std::string_view name, const List& list, Write write) {
    if (list.empty()) return;
    Name(name);
    json_ += '[';
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) json_ += ',';
      write(json_, list[i]);
    }
    json_ += ']';
  }
  void Texts(std::string_view name, const std::vector<std::string>& texts);
  void Map(std::string_view name, const std::map<std::string, std::string>& map);

  bool empty() const { return json_.size() == 1; }
  std::string Take() { return std::move(json_) + "}"; }
  std::string TakeOpen() { return std::move(json_); }

 private:
  void Name(std::string_view name) {
    json_ += empty() ? "\"" : ",\"";
    json_ += name;
    json_ += "\":";
  }

  std::string json_ = "{";
};

}  // namespace oscope
