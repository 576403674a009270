// How a run was made, as bytes of a run's record: docs/formats/osct.md has them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "tracer/model/repeat.h"

namespace oscope::osct {

std::string EncodeRepeat(const Repeat& repeat);

// What fills `bytes` exactly. kLimit names a list that is too long, before anything is allocated for it; anything else
// that is wrong is kCorrupt. What the texts say is for Validate to judge.
Result<Repeat> DecodeRepeat(std::string_view bytes);

}  // namespace oscope::osct
