// Errors on their way through Arrow and back. Included by the few sources that touch Arrow, never by a public header.
//
// Arrow keeps an error's text and calls damaged bytes an I/O error too. So an error of the file-operation seam travels
// as a detail of Arrow's status: it comes out with the code it went in with, and whatever else Arrow complains about is
// damage.
#pragma once

#include <arrow/status.h>

#include <memory>
#include <string_view>

#include "base/result.h"

namespace oscope {

class CarriedError : public arrow::StatusDetail {
 public:
  explicit CarriedError(Error error) : error_(std::move(error)) {}
  const char* type_id() const override { return kTypeId; }
  std::string ToString() const override { return error_.message; }
  const Error& error() const { return error_; }

  static constexpr const char* kTypeId = "oscope::CarriedError";

 private:
  Error error_;
};

inline arrow::Status ToArrow(const Status& status) {
  if (status.ok()) return arrow::Status::OK();
  return {arrow::StatusCode::IOError, status.error().message, std::make_shared<CarriedError>(status.error())};
}

inline Error FromArrow(const arrow::Status& status) {
  const std::shared_ptr<arrow::StatusDetail>& detail = status.detail();
  if (detail != nullptr && std::string_view(detail->type_id()) == CarriedError::kTypeId) {
    return static_cast<const CarriedError&>(*detail).error();
  }
  return Error{ErrorCode::kCorrupt, status.message()};
}

#define OSCOPE_ARROW_RETURN_IF_ERROR(expression)                                                                 \
  do {                                                                                                           \
    if (arrow::Status arrow_status = (expression); !arrow_status.ok()) return ::oscope::FromArrow(arrow_status); \
  } while (false)

#define OSCOPE_ARROW_ASSIGN_OR_RETURN(target, expression) \
  OSCOPE_ARROW_ASSIGN_INNER(OSCOPE_CONCAT(arrow_result_, __COUNTER__), target, expression)
#define OSCOPE_ARROW_ASSIGN_INNER(result, target, expression)    \
  auto result = (expression);                                    \
  if (!result.ok()) return ::oscope::FromArrow(result.status()); \
  target = std::move(result).ValueUnsafe()

}  // namespace oscope
