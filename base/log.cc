// The only source that knows spdlog: its headers are large.
#include "base/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <cstdlib>
#include <memory>

#include "base/escape.h"

namespace oscope {
namespace {

constexpr const char* kPattern = "%Y-%m-%dT%H:%M:%S.%eZ %l %v";

spdlog::level::level_enum Named(std::string_view level) {
  if (level == "debug") return spdlog::level::debug;
  if (level == "info") return spdlog::level::info;
  if (level == "warning") return spdlog::level::warn;
  return spdlog::level::off;
}

spdlog::level::level_enum LevelOf(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarning: return spdlog::level::warn;
  }
  return spdlog::level::warn;
}

std::unique_ptr<spdlog::logger> MakeLogger() {
  auto logger = std::make_unique<spdlog::logger>("oscope", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(kPattern, spdlog::pattern_time_type::utc));
  logger->flush_on(spdlog::level::trace);
  const char* const variable = std::getenv("OSCOPE_LOG");
  const std::string_view asked = variable == nullptr ? std::string_view() : std::string_view(variable);
  const spdlog::level::level_enum level = Named(asked);
  if (level == spdlog::level::off && !asked.empty())
    logger->warn("OSCOPE_LOG is '{}': debug, info and warning are known, and nothing is logged",
                 EscapeForTerminal(asked));
  logger->set_level(level);
  return logger;
}

// Never destroyed: threads may log while the process ends.
spdlog::logger& Logger() {
  static spdlog::logger& logger = *MakeLogger().release();
  return logger;
}

}  // namespace

bool LogsAt(LogLevel level) { return Logger().should_log(LevelOf(level)); }

void WriteLogEntry(LogLevel level, std::string_view text) {
  const std::string shown = EscapeForTerminal(text);
  Logger().log(LevelOf(level), spdlog::string_view_t(shown.data(), shown.size()));
}

}  // namespace oscope
