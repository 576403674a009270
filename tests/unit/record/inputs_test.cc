// The files of a run that are kept so that it can be repeated.
#include "tracer/record/inputs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace oscope {
namespace {

class InputsTest : public testing::Test {
 protected:
  InputsTest() {
    std::string name = testing::TempDir() + "inputs.XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~InputsTest() override { std::filesystem::remove_all(directory_); }

  std::string Write(const std::string& name, const std::string& bytes) {
    std::ofstream(directory_ + "/" + name, std::ios::binary) << bytes;
    return directory_ + "/" + name;
  }
  // "name=bytes" of each that was taken, in order.
  std::vector<std::string> Take(std::vector<std::string> arguments, const InputLimits& limits = {},
                                bool standard_input = false) {
    too_large_.clear();
    arguments.insert(arguments.begin(), "program");
    std::vector<std::string> taken;
    for (const RunInput& input : TakeInputs(arguments, directory_, standard_input, limits, too_large_))
      taken.push_back(input.name + "=" + input.bytes);
    return taken;
  }

  using Texts = std::vector<std::string>;
  std::string directory_;
  Texts too_large_;
};

TEST_F(InputsTest, FilesThatArgumentsName) {
  Write("a.txt", "one");
  Write("b.txt", "two");
  Write("program", "itself");
  const std::string absolute = Write("c.txt", "three");
  EXPECT_EQ(Take({"a.txt", "--input=b.txt", absolute, "none.txt", "-a.txt", "--flag", "--other="}),
            (Texts{"a.txt=one", "b.txt=two", absolute + "=three"}));
  EXPECT_TRUE(too_large_.empty());
  EXPECT_EQ(Take({"a.txt", "b.txt", "a.txt"}), (Texts{"a.txt=one", "b.txt=two"})) << "each once";
  EXPECT_EQ(Take({}), Texts{}) << "not the program";
}

TEST_F(InputsTest, WhatIsNoDataIsLeft) {
  std::filesystem::create_directory(directory_ + "/folder");
  ASSERT_EQ(::mkfifo((directory_ + "/pipe").c_str(), 0600),
            0);  // nobody writes to it: whoever waits for that waits forever
  Write("helper",
        "\x7f"
        "ELF and so on");
  EXPECT_EQ(Take({"folder", "pipe", "helper", "/dev/zero"}), Texts{});
  EXPECT_TRUE(too_large_.empty());
}

TEST_F(InputsTest, LimitsAreTheLargestThatAreKept) {
  Write("small", "12345");
  Write("large", "123456");
  EXPECT_EQ(Take({"large", "small"}, {.file_bytes = 5, .all_bytes = 100}), Texts{"small=12345"});
  EXPECT_EQ(too_large_, Texts{"large"});
  // What is taken counts, what is left does not.
  Write("other", "67890");
  EXPECT_EQ(Take({"small", "other"}, {.file_bytes = 100, .all_bytes = 10}), (Texts{"small=12345", "other=67890"}));
  EXPECT_EQ(Take({"small", "large", "other"}, {.file_bytes = 100, .all_bytes = 10}),
            (Texts{"small=12345", "other=67890"}));
  EXPECT_EQ(Take({"small", "other"}, {.file_bytes = 100, .all_bytes = 9}), Texts{"small=12345"});
  EXPECT_EQ(too_large_, Texts{"other"});
  const InputLimits usual;
  Write("full", std::string(usual.file_bytes, 'x'));
  EXPECT_EQ(Take({"full"}).size(), 1u);
  Write("full", std::string(usual.file_bytes + 1, 'x'));
  EXPECT_EQ(Take({"full"}).size(), 0u);
}

TEST_F(InputsTest, StandardInputKeepsItsPosition) {
  const std::string path = Write("input", "lines\nof it\n");
  const int kept = ::dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY);
  ASSERT_EQ(::lseek(file, 3, SEEK_SET), 3);
  ::dup2(file, STDIN_FILENO);
  const Texts taken = Take({}, {}, true), left = Take({}, {}, false),
              small = Take({}, {.file_bytes = 3, .all_bytes = 3}, true);
  const off_t position = ::lseek(file, 0, SEEK_CUR);
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
  ::close(file);
  EXPECT_EQ(taken, Texts{"-=lines\nof it\n"});
  EXPECT_EQ(left, Texts{});
  EXPECT_EQ(small, Texts{});
  EXPECT_EQ(too_large_, Texts{"-"});
  EXPECT_EQ(position, 3) << "the program reads on where it was";
}

}  // namespace
}  // namespace oscope
