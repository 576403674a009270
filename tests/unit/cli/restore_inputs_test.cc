// Inputs of a run are written back, never over what is there, and never outside.
#include "cli/repeat/restore_inputs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class Restore : public testing::Test {
 protected:
  Restore() {
    fs::create_directory(directory_.path("here"));
    fs::current_path(directory_.path("here"));
  }
  ~Restore() override { fs::current_path(before_); }

  static RunHeader With(std::vector<RunInput> inputs) {
    RunHeader run;
    run.inputs = std::move(inputs);
    return run;
  }
  static void Write(const std::string& name, const std::string& bytes) { std::ofstream(name) << bytes; }
  static std::string Text(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const fs::path before_ = fs::current_path();
  TemporaryDirectory directory_;
};

TEST_F(Restore, WritesWhatIsNotThere) {
  const std::string bytes("a\0\xff", 3);
  const RunHeader run = With({{"in.txt", bytes}, {"deep/er/in.txt", "b"}, {"-", "standard input"}, {"empty", ""}});
  EXPECT_EQ(Must(RestoreInputs(run, false)), (Names{"in.txt", "deep/er/in.txt", "empty"}));
  EXPECT_EQ(Text("in.txt"), bytes);
  EXPECT_EQ(Text("deep/er/in.txt"), "b");
  EXPECT_TRUE(fs::exists("empty"));
  EXPECT_FALSE(fs::exists("-"));
  EXPECT_EQ(Must(RestoreInputs(run, false)), Names{}) << "all is there";
}

TEST_F(Restore, WhatIsThereStaysUnlessForced) {
  Write("b.txt", "of the user");
  const RunHeader run = With({{"a.txt", "a"}, {"b.txt", "b"}});
  const Result<Names> refused = RestoreInputs(run, false);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "input 'b.txt': exists with other contents; --force replaces it");
  EXPECT_EQ(Text("b.txt"), "of the user");
  EXPECT_FALSE(fs::exists("a.txt")) << "nothing is written where not all can be";
  EXPECT_EQ(Must(RestoreInputs(run, true)), (Names{"a.txt", "b.txt"}));
  EXPECT_EQ(Text("b.txt"), "b");
}

TEST_F(Restore, NothingIsWrittenOutside) {
  fs::create_directory(directory_.path("other"));
  fs::create_directory_symlink(directory_.path("other"), "link");
  for (const std::string& name : {directory_.path("absolute"), std::string("../beside"), std::string("a/../../beside"),
                                  std::string("link/x"), std::string("."), std::string(), std::string("a\0b", 3)}) {
    for (const bool force : {false, true}) {
      const Result<Names> refused = RestoreInputs(With({{name, "x"}}), force);
      ASSERT_FALSE(refused.ok()) << name;
      EXPECT_EQ(refused.error().code, ErrorCode::kInvalid) << name;
    }
  }
  fs::create_symlink(directory_.path("other/new"), "dangling");
  EXPECT_FALSE(RestoreInputs(With({{"dangling", "x"}}), true).ok());
  EXPECT_TRUE(fs::is_empty(directory_.path("other")));
  EXPECT_FALSE(fs::exists(directory_.path("beside")));
  EXPECT_FALSE(fs::exists(directory_.path("absolute")));
}

// As most tests name them: what did not change need not be written.
TEST_F(Restore, AFileOutsideThatIsTheSameIsFine) {
  Write(directory_.path("absolute"), "x");
  EXPECT_EQ(Must(RestoreInputs(With({{directory_.path("absolute"), "x"}}), false)), Names{});
}

// Reading it would wait for ever.
TEST_F(Restore, APipeIsNotRead) {
  ASSERT_EQ(::mkfifo(directory_.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(RestoreInputs(With({{directory_.path("pipe"), "x"}}), true).ok());
}

TEST_F(Restore, WhatCannotBeWrittenIsAnError) {
  fs::create_directory("in.txt");
  EXPECT_FALSE(RestoreInputs(With({{"in.txt", "x"}}), false).ok());
  EXPECT_FALSE(RestoreInputs(With({{"in.txt", "x"}}), true).ok()) << "a directory is not replaced";
  Write("file", "");
  EXPECT_FALSE(RestoreInputs(With({{"file/in.txt", "x"}}), true).ok());
}

}  // namespace
}  // namespace oscope::cli
