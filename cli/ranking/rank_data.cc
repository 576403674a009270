#include "cli/ranking/rank_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace oscope::cli {
namespace {

using Json = nlohmann::json;

Result<std::string> OptionalText(const Json& line, const char* field) {
  const auto value = line.find(field);
  if (value == line.end() || value->is_null()) return std::string();
  if (!value->is_string()) return Invalid("\"{}\" is not a string", field);
  return value->get<std::string>();
}

Result<std::vector<std::string>> Frames(const Json& line) {
  const auto value = line.find("frames");
  if (value == line.end() || !value->is_array()) return Invalid("\"frames\", a list of names, is missing");
  std::vector<std::string> frames;
  for (const Json& frame : *value) {
    if (!frame.is_string()) return Invalid("a frame is not a string");
    frames.push_back(frame.get<std::string>());
  }
  std::reverse(frames.begin(), frames.end());
  return frames;
}

Result<RankTrace> ParseLine(std::string_view text) {
  const Json line = Json::parse(text, nullptr, false);
  if (!line.is_object()) return Invalid("not a JSON object");
  const auto id = line.find("id");
  if (id == line.end() || !id->is_number_integer()) return Invalid("\"id\", a whole number, is missing");
  RankTrace trace;
  trace.id = id->get<int64_t>();
  OSCOPE_ASSIGN_OR_RETURN(trace.frames, Frames(line));
  OSCOPE_ASSIGN_OR_RETURN(trace.test, OptionalText(line, "test"));
  OSCOPE_ASSIGN_OR_RETURN(trace.exception, OptionalText(line, "exception"));
  return trace;
}

}  // namespace

Result<std::vector<RankTrace>> ParseRankData(std::string_view text, std::string_view file, const CancelToken& cancel) {
  std::vector<RankTrace> traces;
  std::unordered_set<int64_t> ids;
  for (uint64_t number = 1; !text.empty(); ++number) {
    OSCOPE_RETURN_IF_ERROR(cancel.Check());
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Result<RankTrace> trace = ParseLine(line);
    if (!trace.ok()) return std::move(trace).error().Within(fmt::format("{}:{}", file, number));
    if (!ids.insert(trace.value().id).second)
      return Invalid("{}:{}: id {} stands twice", file, number, trace.value().id);
    traces.push_back(std::move(trace).value());
  }
  if (traces.empty()) return Invalid("{}: no trace in it", file);
  return traces;
}

}  // namespace oscope::cli
