#include "quill/config/config.h"

#include <algorithm>
#include <charconv>

#include "quill/text/strings.h"

namespace quill::config {

void Config::Set(const std::string& name, std::string value) {
  values_[name] = std::move(value);
  resolved_.clear();
}

void Config::Append(const std::string& name, const std::string& value) {
  const auto found = values_.find(name);
  Set(name, found == values_.end() ? value : found->second + "," + value);
}

void Config::Merge(const Config& other) {
  for (const auto& [name, value] : other.values_) Set(name, value);
}

bool Config::Has(const std::string& name) const { return values_.count(name) > 0; }

std::optional<std::string> Config::Get(const std::string& name) const {
  if (!Has(name)) return std::nullopt;
  std::vector<std::string> way;
  return Resolve(name, way);
}

std::string Config::GetOr(const std::string& name, const std::string& fallback) const {
  return Get(name).value_or(fallback);
}

int64_t Config::GetInteger(const std::string& name, int64_t fallback) const {
  const std::optional<std::string> value = Get(name);
  if (!value) return fallback;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error != std::errc() || end != value->data() + value->size()) {
    throw Error(name + ": '" + *value + "' is no integer");
  }
  return number;
}

bool Config::GetBool(const std::string& name, bool fallback) const {
  const std::optional<std::string> value = Get(name);
  if (!value) return fallback;
  const std::string lower = text::ToLower(*value);
  if (lower == "yes" || lower == "true" || lower == "on" || lower == "1") return true;
  if (lower == "no" || lower == "false" || lower == "off" || lower == "0") return false;
  throw Error(name + ": '" + *value + "' is neither yes nor no");
}

std::vector<std::string> Config::GetList(const std::string& name) const {
  std::vector<std::string> items;
  const std::optional<std::string> value = Get(name);
  if (!value || value->empty()) return items;
  for (const std::string& item : text::Split(*value, ',')) items.emplace_back(text::Trim(item));
  return items;
}

std::vector<std::string> Config::Names(std::string_view prefix) const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) {
    if (text::StartsWith(name, prefix)) names.push_back(name);
  }
  return names;
}

std::string Config::Resolve(const std::string& name, std::vector<std::string>& way) const {
  const auto known = resolved_.find(name);
  if (known != resolved_.end()) return known->second;
  const auto found = values_.find(name);
  if (found == values_.end()) throw Error("'" + name + "' is not set");
  if (std::find(way.begin(), way.end(), name) != way.end()) {
    throw Error("'" + name + "' refers to itself");
  }
  way.push_back(name);
  std::string value = Expand(found->second, way);
  way.pop_back();
  resolved_[name] = value;
  return value;
}

std::string Config::Expand(std::string_view value, std::vector<std::string>& way) const {
  std::string expanded;
  for (;;) {
    const size_t begin = value.find("${");
    expanded += value.substr(0, begin);
    if (begin == std::string_view::npos) return expanded;
    const size_t end = value.find('}', begin);
    if (end == std::string_view::npos) throw Error("'${' without '}'");
    expanded += Resolve(std::string(value.substr(begin + 2, end - begin - 2)), way);
    value.remove_prefix(end + 1);
  }
}

}  // namespace quill::config
