// JUnit XML: the report that nearly every test framework can write (GoogleTest, Catch2, Boost.Test, pytest, CTest,
// Maven, …).
//
//   <testsuites><testsuite name="S"><testcase classname="S" name="Case" file="s.cc" line="3" time="0.1">
//     <failure message="s.cc:4: 1 is not 2" type="EXPECT_EQ">…</failure><system-out>…</system-out>
//   </testcase></testsuite></testsuites>
//
// The dialects differ in which attributes they give; what is missing is empty. Elements that none of them knows are
// passed over. A stranger's file: nothing is expanded (a document type declaration is refused, and with it every entity
// of its own), depth and size are bounded, and what is kept never exceeds a multiple of the bytes that came.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

inline constexpr size_t kMaxJUnitBytes = size_t{256} << 20;
inline constexpr uint32_t kMaxJUnitDepth = 128;

enum class CaseState : uint8_t {
  kPassed,
  kFailed,   // <failure> or <error>
  kSkipped,  // it said so itself
  kNotRun,   // disabled, or it could not be started; CTest's: `message` says why
};

struct JUnitCase {
  std::string suite;  // the innermost <testsuite>'s name
  std::string classname, name;
  std::string file;
  uint64_t line = 0;  // 0: not said
  CaseState state = CaseState::kPassed;
  std::string message, type, text;  // of the first <failure> or <error>, or of <skipped>
  std::string output;               // <system-out>, then <system-err>
  double seconds = 0;
};

// "Suite.Case": classname and name, or the name alone where the classname says nothing more.
std::string FullName(const JUnitCase& one);

// Every case, in the order of the report. kInvalid with the line when it is not well-formed, has a document type or is
// no JUnit report; kLimit when it is larger or deeper than the limits above.
Result<std::vector<JUnitCase>> ParseJUnit(std::string_view xml);

}  // namespace oscope
