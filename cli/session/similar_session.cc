#include "cli/session/similar_session.h"

#include <utility>

#include "cli/session/user_metrics.h"

namespace oscope::cli {

SessionOpening StartSession(const Context& context, Store store, Readiness readiness) {
  SessionOptions options;
  options.skip_damaged = context.options.partial;
  if (const Result<std::string> project = context.Project(); project.ok()) options.default_project = *project;
  Result<UserMetrics> metrics = LoadUserMetrics(WorkingDirectory());
  if (!metrics.ok()) return SessionOpening::Failed(std::move(metrics).error());
  options.user_metrics = *std::move(metrics);
  return SessionOpening::Start(std::move(store), std::move(options), readiness);
}

}  // namespace oscope::cli
