// How a run was made, as the field `repeat` of a run's line: docs/formats/jsonl.md.
#pragma once

#include <string>

#include "tracer/import/json_fields.h"
#include "tracer/model/repeat.h"

namespace oscope {

// What is wrong is reported through `fields`.
Repeat ReadRepeat(JsonFields& fields);

std::string JsonOf(const Repeat& repeat);

}  // namespace oscope
