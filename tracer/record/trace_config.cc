// Reads the table [trace] of oscope.toml. An error names file and line, as a compiler does. An unknown key is an error
// and not ignored, since a misspelt `leave_out` would silently record too much.
#include "tracer/record/trace_config.h"

#include <toml++/toml.h>

#include "base/escape.h"
#include "base/suggest.h"
#include "tracer/model/granularity.h"

namespace oscope {
namespace {

const std::vector<std::string> kKeys = {"granularity", "recorder",          "limit",        "leave_out",
                                        "keep",        "leave_out_objects", "keep_objects", "values"};

class ConfigReader {
 public:
  explicit ConfigReader(const std::string& file) : file_(file) {}

  Result<TraceConfig> Read(const toml::table& table) {
    for (const auto& [key, node] : table) OSCOPE_RETURN_IF_ERROR(ReadKey(std::string(key.str()), node));
    OSCOPE_RETURN_IF_ERROR(Validate(config_.settings));
    return std::move(config_);
  }

 private:
  Error At(const toml::node& node, std::string_view message) const {
    return Invalid("{}:{}: {}", file_, node.source().begin.line, message);
  }

  Status ReadKey(const std::string& key, const toml::node& node) {
    if (key == "granularity") {
      OSCOPE_ASSIGN_OR_RETURN(const std::string name, Text(node, key));
      Result<Granularity> granularity = ParseGranularity(name);
      if (!granularity.ok()) return At(node, granularity.error().message);
      config_.settings.granularity = *granularity;
      return {};
    }
    if (key == "recorder") {
      OSCOPE_ASSIGN_OR_RETURN(config_.recorder, Text(node, key));
      return {};
    }
    if (key == "limit") {
      const std::optional<int64_t> limit = node.value<int64_t>();
      if (!limit || *limit <= 0) return At(node, "trace.limit must be a number of events above 0");
      config_.settings.event_limit = static_cast<uint64_t>(*limit);
      return {};
    }
    if (key == "leave_out") return AddRules(node, key, false, KeepRule::What::kName);
    if (key == "keep") return AddRules(node, key, true, KeepRule::What::kName);
    if (key == "leave_out_objects") return AddRules(node, key, false, KeepRule::What::kObject);
    if (key == "keep_objects") return AddRules(node, key, true, KeepRule::What::kObject);
    if (key == "values") {
      OSCOPE_ASSIGN_OR_RETURN(config_.settings.values, Texts(node, key));
      return {};
    }
    std::string message = fmt::format("trace.{}: not known", EscapeForTerminal(key));
    if (const std::string nearest = DidYouMean(Suggest(key, kKeys)); !nearest.empty()) message += "; " + nearest;
    return At(node, message);
  }

  Result<std::string> Text(const toml::node& node, const std::string& key) const {
    const std::optional<std::string> text = node.value<std::string>();
    if (!text) return At(node, fmt::format("trace.{} must be a text", key));
    return *text;
  }

  Result<std::vector<std::string>> Texts(const toml::node& node, const std::string& key) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) return At(node, fmt::format("trace.{} must be a list of texts", key));
    std::vector<std::string> texts;
    for (const toml::node& item : *array) {
      OSCOPE_ASSIGN_OR_RETURN(std::string text, Text(item, key));
      texts.push_back(std::move(text));
    }
    return texts;
  }

  Status AddRules(const toml::node& node, const std::string& key, bool keep, KeepRule::What what) {
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> globs, Texts(node, key));
    for (const std::string& glob : globs) config_.settings.rules.push_back({keep, what, glob});
    return {};
  }

  const std::string& file_;
  TraceConfig config_;
};

}  // namespace

Result<TraceConfig> ParseTraceConfig(std::string_view text, const std::string& file) {
  try {
    const toml::table root = toml::parse(text, file);
    const toml::node* trace = root.get("trace");
    if (trace == nullptr) return TraceConfig{};
    if (!trace->is_table()) return Invalid("{}:{}: trace must be a table: [trace]", file, trace->source().begin.line);
    return ConfigReader(file).Read(*trace->as_table());
  } catch (const toml::parse_error& error) {
    return Invalid("{}:{}: {}", file, error.source().begin.line, error.description());
  }
}

}  // namespace oscope
