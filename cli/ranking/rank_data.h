// Failures whose bugs are known, as `oscope rank` reads them to measure a metric: JSON lines.
//
// A line:   {"id": 7, "frames": ["inner.most", …, "outer.most"], "test": "a.BTest::testC", "exception": "x.YError", …}
//           id is a whole number, each once; test and exception may be missing; other fields (the bug!) are not looked
//           at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"

namespace oscope::cli {

struct RankTrace {
  int64_t id = 0;
  std::vector<std::string> frames;  // outermost first, as everywhere else
  std::string test;
  std::string exception;
};

// kInvalid says the line. `file` is how messages name it.
Result<std::vector<RankTrace>> ParseRankData(std::string_view text, std::string_view file,
                                             const CancelToken& cancel = {});

}  // namespace oscope::cli
