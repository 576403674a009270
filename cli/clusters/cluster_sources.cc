// One query for the pairs, and the reports.
#include "cli/clusters/cluster_sources.h"

#include <algorithm>

#include "base/progress.h"
#include "cli/output/text.h"
#include "cli/session/own_statement.h"
#include "query/clusters/trace_pairs.h"

namespace oscope::cli {
namespace {

// of 50 events; the clusters' own sizes follow from the data, this only bounds the work
constexpr uint32_t kDefaultDistance = 30;

// The rows, and the distance that was asked for: where nobody asked for one and the pairs are too many, the nearer ones
// must do.
struct Asked {
  Answer answer;
  uint32_t distance = 0;
};

Result<Asked> AskForPairs(const Context& context, Session& session, const ClusterOptions& options) {
  uint32_t distance = options.distance.value_or(std::min(kDefaultDistance, options.suffix));
  while (true) {
    Result<Answer> answer = RunOwnStatement(context, session, PairStatement(options.suffix, distance));
    if (answer.ok()) return Asked{*std::move(answer), distance};
    if (answer.error().code != ErrorCode::kLimit || options.distance || distance == 0) return std::move(answer).error();
    context.Note("too many bugs are within {} of each other: trying {}", Counted(distance, "edit"), distance / 2);
    distance /= 2;
  }
}

}  // namespace

Bug* ClusterSources::FindBug(const BugKey& key) {
  const auto found = std::find_if(bugs.begin(), bugs.end(), [&](const Bug& bug) { return bug.key == key; });
  return found == bugs.end() ? nullptr : &*found;
}

Result<BugClusters> ClusterSources::Cluster(const Context& context) const {
  Progress progress("clustering", "bugs", bugs.size(), context.quiet());
  return ClusterBugs(bugs, pairs, EditShare(distance, suffix) + 1, context.cancel(), [&] { progress.Add(1); });
}

Result<ClusterSources> ReadClusterSources(const Context& context, const std::string& project,
                                          const ClusterOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kRead));
  OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
  SessionOptions session_options;
  session_options.skip_damaged = context.options.partial;
  OSCOPE_ASSIGN_OR_RETURN(Session session, Session::Open(std::move(store), std::move(session_options)));
  session.SetParameter("project", project);
  OSCOPE_ASSIGN_OR_RETURN(const Asked asked, AskForPairs(context, session, options));
  OSCOPE_ASSIGN_OR_RETURN(const TraceLengths lengths, TraceLengths::Read(snapshot, project));
  ClusterSources sources{.project = project,
                         .bugs = {},
                         .pairs = PairsOf(asked.answer, lengths, options.suffix),
                         .suffix = options.suffix,
                         .distance = asked.distance,
                         .traced = {},
                         .damaged = asked.answer.damaged};
  OSCOPE_ASSIGN_OR_RETURN(sources.bugs, snapshot.Bugs(project));
  for (const Bug& bug : sources.bugs) {
    if (lengths.HasTrace(bug.key)) sources.traced.insert(bug.key);
  }
  return sources;
}

Json ClusterJson(const BugClusters& found, const BugCluster& cluster) {
  Json json = {{"id", ToString(cluster.id)}, {"size", cluster.bugs.size()}};
  if (cluster.nearest) {
    json["nearest"] = {{"bugs", {ToString(cluster.nearest->a), ToString(cluster.nearest->b)}},
                       {"distance", cluster.nearest->edits},
                       {"events", cluster.nearest->events}};
  }
  json["newest"] = ToString(found.bugs[cluster.bugs.back()].key);
  json["representative"] = ToString(found.bugs[cluster.representative].key);
  json["title"] = found.bugs[cluster.representative].title;
  json["bugs"] = Json::array();
  for (const uint32_t bug : cluster.bugs) json["bugs"].push_back(ToString(found.bugs[bug].key));
  return json;
}

}  // namespace oscope::cli
