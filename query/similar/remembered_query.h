// The query that is asked about the failing runs of a test: the last one that was named for it, kept in the
// store's settings.
//
// A test is a text: its name in its framework, or what stands for the command (tracer/model/test_identity.h). What
// changes nothing makes no new version of the store, so that remembering after every run costs nothing.
// Every function fails with the store's own error when its settings cannot be read or written.
// Threads: as the store (index/store/store.h); two that remember at once both take effect, one after the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/store/store.h"

namespace oscope {

// As the name of a query it means the usual search, and that nothing is remembered any longer. A saved query of this
// name cannot be named so.
inline constexpr std::string_view kUsualSearch = "usual";

// The query that is remembered for a test of a project; empty when there is none.
Result<std::string> RememberedQuery(const Store& store, std::string_view project, std::string_view test);
// Remembers the query in place of what was remembered. An empty query forgets.
Status RememberQuery(Store& store, std::string_view project, std::string_view test, std::string_view query);

// The same for the test of a run. What an earlier release remembered under the run's command line counts until
// something else is remembered or forgotten for the test.
Result<std::string> RememberedQuery(const Store& store, const RunHeader& run);
Status RememberQuery(Store& store, const RunHeader& run, std::string_view query);

struct RememberedTest {
  std::string project, test, query;
  bool operator==(const RememberedTest&) const = default;
};
// All that is remembered in the store, by project and test.
Result<std::vector<RememberedTest>> RememberedQueries(const Store& store);

}  // namespace oscope
