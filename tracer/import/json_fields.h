// JsonFields: the fields of one JSON object, taken by name into the model, every problem collected.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/import/import_batch.h"

namespace oscope {

// A JSON string, or {"base64": "…"}; a problem and nullopt for anything else.
std::optional<std::string> JsonTextOf(const nlohmann::json& value);

class JsonFields {
 public:
  // `object` must be one; it and the batch are borrowed. `where` names it in problems: "trace 2".
  JsonFields(const nlohmann::json& object, std::string where, uint64_t line, ImportBatch& batch)
      : object_(object), where_(std::move(where)), line_(line), batch_(batch) {}

  // Each leaves `out` alone when the field is not there or is null.
  void Text(const char* name, std::string& out);
  void Flag(const char* name, bool& out);
  void Time(const char* name,
            std::optional<int64_t>& out);  // ISO 8601, or nanoseconds since the epoch
  void Map(const char* name, std::map<std::string, std::string>& out);
  void Texts(const char* name, std::vector<std::string>& out);

  template <typename T>
  void Number(const char* name, T& out) {
    if (const auto value = Integer(name, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())) {
      out = static_cast<T>(*value);
    }
  }
  template <typename T>
  void Number(const char* name, std::optional<T>& out) {
    T value{};
    if (Find(name) == nullptr) return;
    Number(name, value);
    out = value;
  }

  // A field that `parse` (ParseOutcome and the like) turns into `out`.
  template <typename T, typename Parse>
  void Named(const char* name, T& out, Parse parse) {
    std::string text;
    Text(name, text);
    if (text.empty()) return;
    if (auto value = parse(text); value.ok()) {
      out = *value;
    } else {
      Wrong(name, value.error().message);
    }
  }

  // nullptr when it is not there, or is something else, which is a problem.
  const nlohmann::json* Array(const char* name);
  const nlohmann::json* Object(const char* name);
  // The fields of each object in an array.
  std::vector<JsonFields> Objects(const char* name);
  std::optional<JsonFields> Inner(const char* name);

  void Wrong(const char* name, std::string_view why);
  // Reports the fields that were not asked for.
  void Finish();

  uint64_t line() const { return line_; }

 private:
  const nlohmann::json* Find(const char* name);
  // Bounds are 128-bit so that both int64 and uint64 fit.
  std::optional<__int128> Integer(const char* name, __int128 low, __int128 high);

  const nlohmann::json& object_;
  std::string where_;
  uint64_t line_;
  ImportBatch& batch_;
  std::set<std::string_view> asked_;
};

}  // namespace oscope
