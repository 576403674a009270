// Reads any bytes as a JUnit report, and makes messages, places and titles of what it holds.
#include "tests/fuzz/fuzz_target.h"
#include "tracer/harness/annotation.h"
#include "tracer/harness/failure_message.h"
#include "tracer/harness/junit.h"

std::string oscope::DescribeInput(std::string_view bytes) {
  const Result<std::vector<JUnitCase>> cases = ParseJUnit(bytes);
  if (!cases.ok()) return DescribeError(cases.error());
  size_t kept = 0;
  std::string description = fmt::format("{} cases", cases->size());
  for (const JUnitCase& one : *cases) {
    kept += one.message.size() + one.text.size() + one.output.size();
    const std::string message = FailureMessage(one);
    const std::optional<SourcePlace> place = FindPlace(one);
    const std::string line = GitHubAnnotation(AnnotationLevel::kError, FullName(one), message, place, "/");
    OSCOPE_CHECK(line.find_first_of("\r\n") == std::string::npos);
    OSCOPE_CHECK(Headline(message).find('\n') == std::string::npos);
    static constexpr std::string_view kStates[] = {"passed", "failed", "skipped", "not run"};
    description += fmt::format("; {} {}", FullName(one), kStates[static_cast<size_t>(one.state)]);
    if (one.state == CaseState::kFailed)
      description +=
          fmt::format(" '{}' at {}:{}", Headline(message), place ? place->file : "", place ? place->line : 0);
  }
  // Nothing is expanded: UTF-16 and Latin-1 grow to UTF-8, and no more.
  OSCOPE_CHECK(kept <= 2 * bytes.size());
  return description;
}
