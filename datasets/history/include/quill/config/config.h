// Settings: names with values, in which "${other.name}" stands for another setting's value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quill/error.h"

namespace quill::config {

class Config {
 public:
  void Set(const std::string& name, std::string value);
  // Puts a comma between what was there and the value.
  void Append(const std::string& name, const std::string& value);
  // Takes all settings of the other one over; its values win.
  void Merge(const Config& other);

  bool Has(const std::string& name) const;
  // The value with all references replaced. Fails for a reference to nothing, or in a circle.
  std::optional<std::string> Get(const std::string& name) const;
  std::string GetOr(const std::string& name, const std::string& fallback) const;
  // These fail if the value cannot be read so; the fallback is for a name that is not set.
  int64_t GetInteger(const std::string& name, int64_t fallback) const;
  bool GetBool(const std::string& name, bool fallback) const;
  std::vector<std::string> GetList(const std::string& name) const;
  // The names that begin with the prefix, in order.
  std::vector<std::string> Names(std::string_view prefix = "") const;

 private:
  std::string Resolve(const std::string& name, std::vector<std::string>& way) const;
  std::string Expand(std::string_view value, std::vector<std::string>& way) const;

  std::map<std::string, std::string> values_;
  mutable std::map<std::string, std::string> resolved_;  // what Get has worked out
};

}  // namespace quill::config
