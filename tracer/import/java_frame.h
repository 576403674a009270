// The lines of a Java stack trace.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tracer/import/import_batch.h"

namespace oscope {

// "java.base/java.lang.Thread.run(Thread.java:833)", the text after "at ". Loader and module
// prefixes go, as does what a log framework appends (" ~[app.jar:1.0]").
std::optional<StackFrame> ParseJavaFrame(std::string_view text);

// The first line of a throwable.
struct ThrowableLine {
  std::string thread;   // of `Exception in thread "main" …`; else empty
  std::string message;  // "java.lang.IllegalStateException: no bean"
};

// nullopt when the line does not begin with a class's name that is followed by ": " or the end.
std::optional<ThrowableLine> ParseThrowableLine(std::string_view line);

}  // namespace oscope
