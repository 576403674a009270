// The column `repeat` of the runs table: how a run was made; null where nothing is known.
//
//   struct<directory?, revision?, changes?, runner?, framework?, filter?, expected_exit_code? int32, expected_to_fail,
//          expected_output list<text>, forbidden_output list<text>,
//          builds list<struct<path, build_id?, compilers list<text>>>, not_kept list<struct<kind, name?>>>
#pragma once

#include <arrow/api.h>

#include <functional>
#include <memory>

#include "tracer/model/repeat.h"

namespace oscope {

std::shared_ptr<arrow::DataType> RepeatType();

// The column for this number of rows.
std::shared_ptr<arrow::Array> RepeatColumn(size_t rows, const std::function<const Repeat&(size_t)>& repeat);

// Of the type above, or null throughout.
Repeat RepeatAt(const arrow::Array& column, int64_t row);

}  // namespace oscope
