// Environments as lists of "NAME=value", changed by CTest's rules. `reset` refers to the value before all
// modifications, so a copy is kept.
#include "tracer/harness/test_environment.h"

#include <unistd.h>

#include <algorithm>

namespace oscope {
namespace {

bool Names(const std::string& entry, std::string_view name) {
  return entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name);
}

void Join(Environment& environment, std::string_view name, std::string_view value, std::string_view separator,
          bool at_end) {
  const std::string old = GetVariable(environment, name).value_or("");
  if (old.empty()) return SetVariable(environment, name, value);
  SetVariable(environment, name,
              at_end ? fmt::format("{}{}{}", old, separator, value) : fmt::format("{}{}{}", value, separator, old));
}

bool Apply(Environment& environment, const Environment& before, std::string_view name, std::string_view operation,
           std::string_view value) {
  if (operation == "reset") {
    UnsetVariable(environment, name);
    if (const auto old = GetVariable(before, name)) SetVariable(environment, name, *old);
  } else if (operation == "set") {
    SetVariable(environment, name, value);
  } else if (operation == "unset") {
    UnsetVariable(environment, name);
  } else if (operation == "string_append" || operation == "string_prepend") {
    Join(environment, name, value, "", operation == "string_append");
  } else if (operation == "path_list_append" || operation == "path_list_prepend") {
    Join(environment, name, value, ":", operation == "path_list_append");
  } else if (operation == "cmake_list_append" || operation == "cmake_list_prepend") {
    Join(environment, name, value, ";", operation == "cmake_list_append");
  } else {
    return false;
  }
  return true;
}

}  // namespace

Environment OwnEnvironment() {
  Environment environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  return environment;
}

std::optional<std::string> GetVariable(const Environment& environment, std::string_view name) {
  const auto entry =
      std::find_if(environment.begin(), environment.end(), [&](const std::string& one) { return Names(one, name); });
  if (entry == environment.end()) return std::nullopt;
  return entry->substr(name.size() + 1);
}

void SetVariable(Environment& environment, std::string_view name, std::string_view value) {
  UnsetVariable(environment, name);
  environment.push_back(fmt::format("{}={}", name, value));
}

void UnsetVariable(Environment& environment, std::string_view name) {
  std::erase_if(environment, [&](const std::string& one) { return Names(one, name); });
}

Status ModifyEnvironment(Environment& environment, const std::vector<std::string>& set,
                         const std::vector<std::string>& modifications) {
  for (const std::string& entry : set) {
    const size_t equals = entry.find('=');
    // CTest takes "NAME" alone as a wish to unset it.
    if (equals == std::string::npos) {
      UnsetVariable(environment, entry);
    } else {
      SetVariable(environment, entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  const Environment before = environment;
  for (const std::string& entry : modifications) {
    const size_t equals = entry.find('=');
    const size_t colon = equals == std::string::npos ? equals : entry.find(':', equals);
    if (colon == std::string::npos)
      return Invalid("ENVIRONMENT_MODIFICATION '{}': expected NAME=OPERATION:VALUE", entry);
    if (!Apply(environment, before, entry.substr(0, equals), entry.substr(equals + 1, colon - equals - 1),
               entry.substr(colon + 1))) {
      return Invalid("ENVIRONMENT_MODIFICATION '{}': unknown operation", entry);
    }
  }
  return {};
}

}  // namespace oscope
