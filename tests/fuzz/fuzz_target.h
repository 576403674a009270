// What every fuzz target implements: DescribeInput. It takes any bytes, aborts where something that must hold does not,
// and says what came of them, so that each seed can be told what it must give (cmake/fuzz_replay_main.cc; the lists are
// corpus/*.expected).
//
// Included by one source of a program: it defines libFuzzer's entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace oscope {

// The same for the same bytes, on every machine: no addresses, no order of hashes.
std::string DescribeInput(std::string_view bytes);

inline std::string DescribeError(const Error& error) {
  return fmt::format("{}: {}", ErrorCodeName(error.code), error.message);
}

}  // namespace oscope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)oscope::DescribeInput({reinterpret_cast<const char*>(data), size});
  return 0;
}
