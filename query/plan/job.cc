// A job as JSON. The query travels as BQL text, in its canonical form, and is compiled again by whoever receives it. A
// serialised tree would be a second format of the language, with versions of its own; text has a grammar and a checker
// already.
#include "query/plan/job.h"

#include <nlohmann/json.hpp>

#include "bql/check/check.h"
#include "bql/check/print.h"

namespace oscope {
namespace {

using Json = nlohmann::ordered_json;

Result<uint64_t> Number(const Json& json, const char* name) {
  const auto member = json.find(name);
  if (member == json.end() || !member->is_number_unsigned()) return Corrupt("job: '{}' must be a whole number", name);
  return member->get<uint64_t>();
}

}  // namespace

std::string EncodeJob(const Job& job) {
  const Json json = {
      {"job", kJobVersion},     {"manifest", job.manifest_version}, {"query", bql::Print(job.select)},
      {"index", job.use_index}, {"max_rows", job.max_rows},         {"max_memory", job.max_memory_bytes}};
  return json.dump();
}

Result<Job> DecodeJob(std::string_view text, const bql::Catalog& catalog) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Corrupt("job: not a JSON object");
  OSCOPE_ASSIGN_OR_RETURN(const uint64_t version, Number(json, "job"));
  if (version != kJobVersion) return Unsupported("job: version {}, this program knows {}", version, kJobVersion);
  Job job;
  OSCOPE_ASSIGN_OR_RETURN(job.manifest_version, Number(json, "manifest"));
  OSCOPE_ASSIGN_OR_RETURN(job.max_rows, Number(json, "max_rows"));
  OSCOPE_ASSIGN_OR_RETURN(job.max_memory_bytes, Number(json, "max_memory"));
  const auto index = json.find("index"), query = json.find("query");
  if (index == json.end() || !index->is_boolean()) return Corrupt("job: 'index' must be true or false");
  job.use_index = index->get<bool>();
  if (query == json.end() || !query->is_string()) return Corrupt("job: 'query' must be a text");
  const std::string bql_text = query->get<std::string>();
  bql::CheckedStatement checked = bql::Compile(bql_text, catalog, {});
  if (!checked.ok() || !checked.select) {
    return Corrupt("job: 'query' is not a query: {}", bql::RenderShort(bql_text, checked.diagnostics));
  }
  job.select = *std::move(checked.select);
  return job;
}

}  // namespace oscope
