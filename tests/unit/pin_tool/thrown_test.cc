// Real exceptions of the library that this test is linked with.
#include "tracer/pin/thrown.h"

#include <gtest/gtest.h>
#include <sys/uio.h>
#include <unistd.h>

#include <exception>
#include <ios>
#include <stdexcept>
#include <system_error>
#include <typeinfo>

namespace oscope::pin {
namespace {

size_t ReadOwn(void* to, uint64_t from, size_t count) {
  iovec local{to, count}, remote{reinterpret_cast<void*>(from), count};
  const ssize_t copied = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
  return copied < 0 ? 0 : static_cast<size_t>(copied);
}

struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
  int line = 3;
};
struct Deeper : ParseError {
  using ParseError::ParseError;
};
struct Other {
  virtual ~Other() = default;
};
struct TwoBases : Other, std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
Thrown Describe(const T& object, size_t limit = 100) {
  return DescribeThrown(ReadOwn, reinterpret_cast<uint64_t>(&object), reinterpret_cast<uint64_t>(&typeid(T)), limit);
}

TEST(PinThrown, StandardErrorsHaveTheirText) {
  const Thrown thrown = Describe(std::runtime_error("out of tea"));
  EXPECT_EQ(thrown.type, "St13runtime_error");
  EXPECT_TRUE(thrown.has_what);
  EXPECT_EQ(thrown.what, "out of tea");
  EXPECT_EQ(Describe(std::out_of_range("far")).what, "far");
  EXPECT_EQ(Describe(std::logic_error("a longer text")).what, "a longer text");
  EXPECT_EQ(Describe(std::logic_error("a longer text"), 3).what, "a l");
}

TEST(PinThrown, SoHaveClassesDerivedFromOneAlone) {
  EXPECT_EQ(Describe(ParseError("line 3")).what, "line 3");
  EXPECT_EQ(Describe(Deeper("line 4")).what, "line 4");
  EXPECT_NE(Describe(Deeper("x")).type.find("Deeper"), std::string::npos);
  EXPECT_NE(Describe(Deeper("x")).type[0], '*');
  const std::system_error system(ENOENT, std::generic_category(), "open");
  EXPECT_EQ(Describe(system).what, system.what());
}

TEST(PinThrown, OthersHaveTheirTypeOnly) {
  EXPECT_EQ(Describe(42).type, "i");
  EXPECT_FALSE(Describe(42).has_what);
  EXPECT_FALSE(Describe(std::string("text")).has_what);
  EXPECT_FALSE(Describe(TwoBases("hidden")).has_what);
  EXPECT_FALSE(Describe(Other()).has_what);
  const Thrown wild = DescribeThrown(ReadOwn, 0, 0x7fffffffffff0000, 100);
  EXPECT_FALSE(wild.has_type || wild.has_what);
}

TEST(PinThrown, StoredExceptionsAreFound) {
  std::exception_ptr thrown, made = std::make_exception_ptr(std::out_of_range("far"));
  try {
    throw Deeper("line 5");
  } catch (...) {
    thrown = std::current_exception();
  }
  const auto describe = [](const std::exception_ptr& pointer) {
    const StoredException stored = FindStored(ReadOwn, reinterpret_cast<uint64_t>(&pointer));
    return DescribeThrown(ReadOwn, stored.object, stored.type_info, 100);
  };
  EXPECT_EQ(describe(thrown).what, "line 5");
  EXPECT_EQ(describe(made).type, "St12out_of_range");
  EXPECT_EQ(describe(made).what, "far");
  EXPECT_FALSE(describe(std::exception_ptr()).has_type);
}

}  // namespace
}  // namespace oscope::pin
