#include "cli/answer/answer_json.h"

namespace oscope::cli {
namespace {

Json ValueAsJson(const Value& value) {
  if (const auto* number = std::get_if<uint64_t>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

Json PairAsJson(const TracePair& pair) {
  return {{"ours", ToString(pair.ours)}, {"theirs", pair.theirs ? Json(ToString(*pair.theirs)) : Json(nullptr)}};
}

}  // namespace

Json RowAsJson(const Answer& answer, const AnswerRow& row) {
  Json json = Json::object();
  if (!row.bugs.empty()) {
    json["bugs"] = Json::array();
    for (const BugKey& bug : row.bugs) json["bugs"].push_back(ToString(bug));
    json["distance"] = row.distance ? Json(*row.distance) : Json(nullptr);
    json["pair"] = row.pair ? PairAsJson(*row.pair) : Json(nullptr);
  }
  json["values"] = Json::object();
  for (size_t i = 0; i < answer.columns.size() && i < row.cells.size(); ++i) {
    json["values"][answer.columns[i]] = ValueAsJson(row.cells[i]);
  }
  return json;
}

Json StatsAsJson(const QueryStats& stats) {
  return {{"traces", stats.traces},
          {"removed_by_length", stats.by_length},
          {"removed_by_sketch", stats.by_sketch},
          {"removed_by_postings", stats.by_postings},
          {"verified", stats.verified},
          {"check_ns", stats.check_ns},
          {"plan_ns", stats.plan_ns},
          {"run_ns", stats.run_ns}};
}

std::string Dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace oscope::cli
