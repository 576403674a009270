#include "cli/session/user_metrics.h"

#include <filesystem>

#include "base/file_system.h"
#include "index/store/locate.h"
#include "query/run/user_metric_config.h"

namespace oscope::cli {

Result<UserMetrics> LoadUserMetrics(const std::string& directory) {
  UserMetrics metrics;
  const std::optional<std::string> config = FindConfigFile(PosixFileSystem(), directory);
  if (!config) return metrics;
  OSCOPE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(PosixFileSystem(), *config, 1 << 20));
  OSCOPE_ASSIGN_OR_RETURN(metrics.metrics, ParseUserMetrics(text, *config));
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  metrics.host = {error ? "oscope" : self.string(), kMetricHostCommand};
  return metrics;
}

}  // namespace oscope::cli
