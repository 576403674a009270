#include "base/result.h"

#include <cstring>

namespace oscope {

std::string_view ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid: return "invalid";
    case ErrorCode::kNotFound: return "not-found";
    case ErrorCode::kConflict: return "conflict";
    case ErrorCode::kLimit: return "limit";
    case ErrorCode::kUnsupported: return "unsupported";
    case ErrorCode::kCorrupt: return "corrupt";
    case ErrorCode::kIo: return "io";
    case ErrorCode::kBusy: return "busy";
    case ErrorCode::kCancelled: return "cancelled";
  }
  return "unknown";
}

Error Error::Within(std::string_view what) && { return Error{code, fmt::format("{}: {}", what, message)}; }

Error MakeError(ErrorCode code, fmt::string_view format, fmt::format_args arguments) {
  return Error{code, fmt::vformat(format, arguments)};
}

Error IoError(int error_number, std::string_view doing, std::string_view path) {
  return Error{ErrorCode::kIo, fmt::format("{} {}: {}", doing, path, std::strerror(error_number))};
}

}  // namespace oscope
