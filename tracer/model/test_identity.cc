// A test without a name is named by its program and, if it has arguments, by a digest of them: the arguments themselves
// may be long and contain anything.
#include "tracer/model/test_identity.h"

#include <fmt/core.h>

#include <span>

#include "base/checksum.h"

namespace oscope {
namespace {

// The length of each argument counts, so that {"a b"} and {"a", "b"} differ.
uint64_t DigestOf(std::span<const std::string> arguments) {
  WideHasher hasher;
  hasher.UpdateString("oscope arguments");
  for (const std::string& argument : arguments) hasher.UpdateString(argument);
  return hasher.Digest().low;
}

}  // namespace

std::string TestForPeople(const RunHeader& run) {
  if (!run.test.empty() || run.command.empty()) return run.test;
  const std::string& program = run.command.front();
  return program.substr(program.rfind('/') + 1);
}

std::string TestOf(const RunHeader& run) {
  std::string test = TestForPeople(run);
  if (!run.test.empty() || run.command.size() < 2) return test;
  return fmt::format("{} {:08x}", test, DigestOf(std::span(run.command).subspan(1)) & 0xffffffff);
}

std::string FormerTestOf(const RunHeader& run) {
  std::string test = run.test;
  if (!test.empty()) return test;
  for (const std::string& argument : run.command) test += (test.empty() ? "" : " ") + argument;
  return test;
}

}  // namespace oscope
