// Takes fields by name and remembers which were asked for, so that Finish can report those that nobody knows. Every
// problem is added to the batch with its line; reading goes on.
#include "tracer/import/json_fields.h"

#include "base/timestamp.h"
#include "tracer/import/base64.h"

namespace oscope {

using Json = nlohmann::json;

std::optional<std::string> JsonTextOf(const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>();
  if (!value.is_object() || value.size() != 1) return std::nullopt;
  const auto encoded = value.find("base64");
  if (encoded == value.end() || !encoded->is_string()) return std::nullopt;
  auto bytes = DecodeBase64(encoded->get_ref<const std::string&>());
  if (!bytes.ok()) return std::nullopt;
  return *std::move(bytes);
}

const Json* JsonFields::Find(const char* name) {
  asked_.insert(name);
  const auto at = object_.find(name);
  return at == object_.end() || at->is_null() ? nullptr : &*at;
}

void JsonFields::Wrong(const char* name, std::string_view why) {
  const std::string place = where_.empty() ? "" : where_ + ", ";
  batch_.AddProblem(line_, fmt::format("{}'{}': {}", place, name, why));
}

void JsonFields::Text(const char* name, std::string& out) {
  const Json* value = Find(name);
  if (value == nullptr) return;
  if (auto text = JsonTextOf(*value)) {
    out = *std::move(text);
  } else {
    Wrong(name, "expected a text, or an object with its base64");
  }
}

void JsonFields::Flag(const char* name, bool& out) {
  const Json* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_boolean()) return Wrong(name, "expected true or false");
  out = value->get<bool>();
}

void JsonFields::Time(const char* name, std::optional<int64_t>& out) {
  const Json* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_string()) return Number(name, out);
  if (auto time = ParseTimestamp(value->get_ref<const std::string&>()); time.ok()) {
    out = *time;
  } else {
    Wrong(name, time.error().message);
  }
}

// An object, or, for keys that are not UTF-8, an array of {"key", "value"}.
void JsonFields::Map(const char* name, std::map<std::string, std::string>& out) {
  const Json* value = Find(name);
  if (value == nullptr) return;
  if (value->is_array()) {
    for (JsonFields& pair : Objects(name)) {
      std::string key;
      pair.Text("key", key);
      pair.Text("value", out[key]);
      pair.Finish();
    }
    return;
  }
  if (!value->is_object()) return Wrong(name, "expected an object");
  for (const auto& [key, field] : value->items()) {
    if (auto text = JsonTextOf(field)) {
      out[key] = *std::move(text);
    } else {
      Wrong(name, "expected texts");
    }
  }
}

void JsonFields::Texts(const char* name, std::vector<std::string>& out) {
  const Json* values = Array(name);
  if (values == nullptr) return;
  for (const Json& value : *values) {
    auto text = JsonTextOf(value);
    if (!text) return Wrong(name, "expected texts");
    out.push_back(*std::move(text));
  }
}

const Json* JsonFields::Array(const char* name) {
  const Json* value = Find(name);
  if (value == nullptr || value->is_array()) return value;
  Wrong(name, "expected an array");
  return nullptr;
}

const Json* JsonFields::Object(const char* name) {
  const Json* value = Find(name);
  if (value == nullptr || value->is_object()) return value;
  Wrong(name, "expected an object");
  return nullptr;
}

std::vector<JsonFields> JsonFields::Objects(const char* name) {
  std::vector<JsonFields> fields;
  const Json* values = Array(name);
  if (values == nullptr) return fields;
  const std::string prefix = where_.empty() ? "" : where_ + ", ";
  for (const Json& value : *values) {
    if (!value.is_object()) {
      Wrong(name, "expected objects");
      break;
    }
    fields.emplace_back(value, fmt::format("{}{} {}", prefix, name, fields.size() + 1), line_, batch_);
  }
  return fields;
}

std::optional<JsonFields> JsonFields::Inner(const char* name) {
  const Json* value = Object(name);
  if (value == nullptr) return std::nullopt;
  return JsonFields(*value, where_.empty() ? name : where_ + ", " + name, line_, batch_);
}

std::optional<__int128> JsonFields::Integer(const char* name, __int128 low, __int128 high) {
  const Json* value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number_integer()) {
    Wrong(name, "expected a whole number");
    return std::nullopt;
  }
  const __int128 number = value->is_number_unsigned() ? static_cast<__int128>(value->get<uint64_t>())
                                                      : static_cast<__int128>(value->get<int64_t>());
  if (number >= low && number <= high) return number;
  Wrong(name, "the number is out of range");
  return std::nullopt;
}

void JsonFields::Finish() {
  for (const auto& [name, value] : object_.items()) {
    if (!asked_.contains(name)) Wrong(name.substr(0, 100).c_str(), "not a field that is known here");
  }
}

}  // namespace oscope
