// Which compilers made an object, and with which flags.
#include <gtest/gtest.h>

#include "tests/unit/symbols/built_program.h"
#include "tracer/symbols/object_file.h"

namespace oscope {
namespace {

std::vector<std::string> CompilersOf(const std::string& path) {
  Result<ObjectFile> object = ObjectFile::Open(path);
  EXPECT_TRUE(object.ok()) << object.error().message;
  return object->Compilers();
}

TEST(Compilers, AreThoseOfDebugInformation) {
  const BuildDirectory directory;
  directory.Write("a.c", "int main(void) { return 0; }\n");
  const std::vector<std::string> compilers = CompilersOf(directory.Compile("a", "a.c", {"-g", "-O1"}));
  ASSERT_EQ(compilers.size(), 1u);
  // Debug information as binutils reads it is the oracle.
  const std::string printed = directory.Run({"readelf", "--debug-dump=info", directory.Path("a")});
  EXPECT_NE(printed.find(compilers[0]), std::string::npos) << compilers[0];
}

TEST(Compilers, WithoutDebugInformationNoneIsKnown) {
  const BuildDirectory directory;
  directory.Write("a.c", "int main(void) { return 0; }\n");
  EXPECT_TRUE(CompilersOf(directory.Compile("a", "a.c", {"-g0"})).empty());
}

// Two units of one compiler with the same flags, and one with others.
TEST(Compilers, EachIsToldOnce) {
  const BuildDirectory directory;
  directory.Write("a.c", "int f(void); int g(void); int main(void) { return f() + g(); }\n");
  const std::string second = directory.Write("b.c", "int f(void) { return 0; }\n");
  directory.Write("c.c", "int g(void) { return 0; }\n");
  const std::string object = directory.Compile("c.o", "c.c", {"-g", "-O2", "-c"});
  const std::string program = directory.Compile("a", "a.c", {"-g", "-O0", second, object});
  const std::vector<std::string> compilers = CompilersOf(program);
  ASSERT_GE(compilers.size(), 1u);
  EXPECT_LE(compilers.size(), 2u) << "clang tells no flags";
  EXPECT_TRUE(compilers.size() == 1 || compilers[0] != compilers[1]);
}

}  // namespace
}  // namespace oscope
