#include "tracer/record/executable.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>

namespace oscope {
namespace {

class ExecutableTest : public testing::Test {
 protected:
  ExecutableTest() {
    std::string name = testing::TempDir() + "executable.XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~ExecutableTest() override { std::filesystem::remove_all(directory_); }

  std::string Write(const std::string& name, const std::string& bytes, mode_t mode) {
    std::string path = directory_ + "/" + name;
    std::ofstream(path) << bytes;
    ::chmod(path.c_str(), mode);
    return path;
  }

  std::string directory_;
};

std::string Elf(char elf_class, char machine) {
  std::string bytes(64, '\0');
  bytes.replace(0, 4,
                "\x7f"
                "ELF");
  bytes[4] = elf_class;
  bytes[16] = 3;
  bytes[18] = machine;
  return bytes;
}

TEST_F(ExecutableTest, FindsProgramsInPath) {
  const Result<std::string> sh = FindExecutable("sh", "", "/nowhere:/usr/bin:/bin");
  ASSERT_TRUE(sh.ok());
  EXPECT_TRUE(sh->ends_with("/bin/sh"));
  Write("prog", Elf(2, 62), 0755);
  EXPECT_EQ(*FindExecutable("./prog", directory_, ""), directory_ + "/./prog");
}

TEST_F(ExecutableTest, SaysWhatIsWrong) {
  const auto code = [&](const std::string& name) {
    return FindExecutable(name, directory_, "/usr/bin:/bin").error().code;
  };
  EXPECT_EQ(code("no-such-program-anywhere"), ErrorCode::kNotFound);
  EXPECT_EQ(code("./none"), ErrorCode::kNotFound);
  EXPECT_EQ(code(""), ErrorCode::kNotFound);
  EXPECT_EQ(code(directory_), ErrorCode::kInvalid) << "a directory";
  EXPECT_EQ(code(Write("plain", Elf(2, 62), 0644)), ErrorCode::kInvalid) << "not executable";
  EXPECT_EQ(code(Write("text", "hello\n", 0755)), ErrorCode::kInvalid);
  EXPECT_EQ(code(Write("empty", "", 0755)), ErrorCode::kInvalid);
  EXPECT_EQ(code(Write("small", Elf(1, 3), 0755)), ErrorCode::kUnsupported) << "32 bits";
  EXPECT_EQ(code(Write("arm", Elf(2, static_cast<char>(183)), 0755)), ErrorCode::kUnsupported);
  EXPECT_EQ(code(Write("lost", "#!/no/such/interpreter\n", 0755)), ErrorCode::kNotFound);
  EXPECT_EQ(code(Write("hollow", "#! \n", 0755)), ErrorCode::kInvalid);
}

TEST_F(ExecutableTest, ScriptsAreTheirInterpreters) {
  EXPECT_TRUE(FindExecutable(Write("script", "#!/bin/sh -e\necho hi\n", 0755), "", "").ok());
  const std::string small = Write("small", Elf(1, 3), 0755);
  const Result<std::string> odd = FindExecutable(Write("odd", "#!" + small + "\n", 0755), "", "");
  EXPECT_EQ(odd.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace oscope
