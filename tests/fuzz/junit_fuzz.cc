// Reads any bytes as a JUnit report, and makes messages, places and titles of what it holds.
#include <cstddef>
#include <cstdint>

#include "tracer/harness/annotation.h"
#include "tracer/harness/failure_message.h"
#include "tracer/harness/junit.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oscope;
  const Result<std::vector<JUnitCase>> cases = ParseJUnit({reinterpret_cast<const char*>(data), size});
  if (!cases.ok()) return 0;
  size_t kept = 0;
  for (const JUnitCase& one : *cases) {
    kept += one.message.size() + one.text.size() + one.output.size();
    const std::string message = FailureMessage(one);
    const std::string line = GitHubAnnotation(AnnotationLevel::kError, FullName(one), message, FindPlace(one), "/");
    OSCOPE_CHECK(line.find_first_of("\r\n") == std::string::npos);
    OSCOPE_CHECK(Headline(message).find('\n') == std::string::npos);
  }
  // Nothing is expanded: UTF-16 and Latin-1 grow to UTF-8, and no more.
  OSCOPE_CHECK(kept <= 2 * size);
  return 0;
}
