// Annotations as GitHub Actions reads them from a job's output:
//   ::error file=src/parse.cc,line=12,title=parser_test::expected 1%0Agot 2
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tracer/harness/failure_message.h"

namespace oscope {

enum class AnnotationLevel : uint8_t { kWarning, kError };

// A line, without its line break. `root` (an absolute directory) is taken off the file, since annotations are relative
// to the repository; a place outside of it is left out.
std::string GitHubAnnotation(AnnotationLevel level, std::string_view title, std::string_view message,
                             const std::optional<SourcePlace>& place, std::string_view root);

}  // namespace oscope
