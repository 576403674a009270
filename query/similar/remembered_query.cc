// Remembered queries are in the store's settings: project, test, query. Settings are text in the manifest, so names
// are made valid UTF-8 first.
#include "query/similar/remembered_query.h"

#include "base/escape.h"
#include "tracer/model/test_identity.h"

namespace oscope {
namespace {

// A program's arguments may be any bytes; the settings are text.
std::string KeyOf(std::string_view text) { return ToValidUtf8(text); }

}  // namespace

Result<std::string> RememberedQuery(const Store& store, std::string_view project, std::string_view test) {
  OSCOPE_ASSIGN_OR_RETURN(const StoreSettings settings, store.Settings());
  const auto tests = settings.remembered.find(KeyOf(project));
  if (tests == settings.remembered.end()) return std::string();
  const auto query = tests->second.find(KeyOf(test));
  return query == tests->second.end() ? std::string() : query->second;
}

Status RememberQuery(Store& store, std::string_view project, std::string_view test, std::string_view query) {
  OSCOPE_ASSIGN_OR_RETURN(const std::string known, RememberedQuery(store, project, test));
  if (known == query) return {};  // without the writers' lock
  const auto remember = [&](StoreSettings& settings) -> Status {
    auto& tests = settings.remembered[KeyOf(project)];
    if (query.empty()) {
      tests.erase(KeyOf(test));
    } else {
      tests[KeyOf(test)] = KeyOf(query);
    }
    if (tests.empty()) settings.remembered.erase(KeyOf(project));
    return {};
  };
  OSCOPE_RETURN_IF_ERROR(store.EditSettings(remember));
  return {};
}

Result<std::string> RememberedQuery(const Store& store, const RunHeader& run) {
  OSCOPE_ASSIGN_OR_RETURN(std::string query, RememberedQuery(store, run.project, TestOf(run)));
  if (!query.empty()) return query;
  return RememberedQuery(store, run.project, FormerTestOf(run));
}

Status RememberQuery(Store& store, const RunHeader& run, std::string_view query) {
  const std::string test = TestOf(run), former = FormerTestOf(run);
  if (former != test) OSCOPE_RETURN_IF_ERROR(RememberQuery(store, run.project, former, ""));
  return RememberQuery(store, run.project, test, query);
}

Result<std::vector<RememberedTest>> RememberedQueries(const Store& store) {
  OSCOPE_ASSIGN_OR_RETURN(const StoreSettings settings, store.Settings());
  std::vector<RememberedTest> all;
  for (const auto& [project, tests] : settings.remembered) {
    for (const auto& [test, query] : tests) all.push_back({project, test, query});
  }
  return all;
}

}  // namespace oscope
