// Reads and writes decisions as custom fields of a report, in which a person may edit them by hand: reading leaves out
// what is no id, and writing sorts and drops repetitions, so that equal decisions are equal texts.
#include "query/clusters/decisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace oscope {
namespace {

void SortIds(std::vector<std::string>& ids, const std::string& own) {
  std::erase(ids, own);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

std::vector<std::string> ReadIds(const Bug& bug, const char* field) {
  const auto found = bug.custom.find(field);
  if (found == bug.custom.end()) return {};
  std::vector<std::string> ids;
  std::string_view text = found->second;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (ValidateId("id", word).ok()) ids.emplace_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  SortIds(ids, bug.key.id);
  return ids;
}

void WriteText(Bug& bug, const char* field, std::string text) {
  if (text.empty()) {
    bug.custom.erase(field);
  } else {
    bug.custom[field] = std::move(text);
  }
}

void WriteIds(Bug& bug, const char* field, std::vector<std::string> ids) {
  SortIds(ids, bug.key.id);
  WriteText(bug, field, fmt::format("{}", fmt::join(ids, " ")));
}

}  // namespace

Decisions ReadDecisions(const Bug& bug) {
  Decisions decisions{.with = ReadIds(bug, kWithField), .apart = ReadIds(bug, kApartField), .id = {}};
  const auto id = bug.custom.find(kClusterIdField);
  if (id != bug.custom.end() && ValidateId("id", id->second).ok()) decisions.id = id->second;
  return decisions;
}

void WriteDecisions(Decisions decisions, Bug& bug) {
  WriteIds(bug, kWithField, std::move(decisions.with));
  WriteIds(bug, kApartField, std::move(decisions.apart));
  WriteText(bug, kClusterIdField, std::move(decisions.id));
}

}  // namespace oscope
