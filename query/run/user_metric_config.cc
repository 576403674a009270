// Reads [metrics.NAME] tables. Unknown keys are errors with a suggestion, since a misspelt `timeout_ms` would
// otherwise be ignored in silence; every error names its line.
#include "query/run/user_metric_config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>

#include "base/escape.h"
#include "base/suggest.h"

namespace oscope {
namespace {

const std::vector<std::string> kKeys = {"library", "command", "timeout_ms"};

bool IsMetricName(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || !is_letter(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// Reads one file's metrics; every error is located.
class ConfigReader {
 public:
  explicit ConfigReader(const std::string& file) : file_(file) {}

  Result<std::vector<UserMetricConfig>> Read(const toml::table& root) const {
    std::vector<UserMetricConfig> configs;
    const toml::node* metrics = root.get("metrics");
    if (metrics == nullptr) return configs;
    if (!metrics->is_table()) return At(*metrics, "metrics must be tables: [metrics.NAME]");
    for (const auto& [name, node] : *metrics->as_table()) {
      if (!node.is_table())
        return At(node, fmt::format("metrics.{} must be a table: [metrics.{}]", Shown(name.str()), Shown(name.str())));
      OSCOPE_ASSIGN_OR_RETURN(UserMetricConfig config, ReadMetric(std::string(name.str()), *node.as_table()));
      configs.push_back(std::move(config));
    }
    std::sort(configs.begin(), configs.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return configs;
  }

 private:
  static std::string Shown(std::string_view text) { return EscapeForTerminal(text); }

  Error At(const toml::node& node, std::string_view message) const {
    return Invalid("{}:{}: {}", file_, node.source().begin.line, message);
  }

  std::string FromFile(const std::string& path) const {
    return (std::filesystem::path(file_).parent_path() / path).lexically_normal().string();
  }

  Result<UserMetricConfig> ReadMetric(const std::string& name, const toml::table& table) const {
    if (!IsMetricName(name))
      return At(table, fmt::format("'{}': a metric's name is letters, digits and '_'", Shown(name)));
    UserMetricConfig config;
    config.name = name;
    for (const auto& [key, node] : table) {
      if (key == "library") {
        OSCOPE_ASSIGN_OR_RETURN(const std::string path, Text(node, "library"));
        config.library = FromFile(path);
      } else if (key == "command") {
        OSCOPE_ASSIGN_OR_RETURN(config.command, Command(node));
      } else if (key == "timeout_ms") {
        OSCOPE_ASSIGN_OR_RETURN(config.timeout_ms, Timeout(node));
      } else {
        const std::string hint = DidYouMean(Suggest(key.str(), kKeys));
        return At(node, fmt::format("metrics.{}: unknown key '{}'{}{}", name, Shown(key.str()),
                                    hint.empty() ? "" : ": ", hint));
      }
    }
    if (config.library.empty() == config.command.empty())
      return At(table, fmt::format("metrics.{} needs either library or command", name));
    return config;
  }

  Result<std::string> Text(const toml::node& node, std::string_view key) const {
    const auto text = node.value<std::string>();
    if (!text || text->empty() || text->find('\0') != std::string::npos)
      return At(node, fmt::format("{} must be a text that is not empty", key));
    return *text;
  }

  Result<std::vector<std::string>> Command(const toml::node& node) const {
    const toml::array* words = node.as_array();
    if (words == nullptr || words->empty())
      return At(node, "command must be a list of texts: [\"python3\", \"metric.py\"]");
    std::vector<std::string> command;
    for (const toml::node& word : *words) {
      OSCOPE_ASSIGN_OR_RETURN(command.emplace_back(), Text(word, "each word of command"));
    }
    if (command[0].find('/') != std::string::npos) command[0] = FromFile(command[0]);
    return command;
  }

  Result<uint32_t> Timeout(const toml::node& node) const {
    const auto value = node.value_exact<int64_t>();
    if (!value || *value < 1 || *value > kMaxMetricTimeoutMs)
      return At(node, fmt::format("timeout_ms must be from 1 to {}", kMaxMetricTimeoutMs));
    return static_cast<uint32_t>(*value);
  }

  const std::string& file_;
};

}  // namespace

Result<std::vector<UserMetricConfig>> ParseUserMetrics(std::string_view text, const std::string& file) {
  try {
    return ConfigReader(file).Read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return Invalid("{}:{}: {}", file, error.source().begin.line, error.description());
  }
}

}  // namespace oscope
