// What git says of a repository that is made here.
#include "cli/repeat/working_tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/subprocess.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

namespace fs = std::filesystem;

class Tree : public testing::Test {
 protected:
  Tree() : root_(fs::canonical(directory_.path(""))) {
    ::setenv("GIT_CEILING_DIRECTORIES", root_.parent_path().c_str(), 1);
  }
  ~Tree() override { ::unsetenv("GIT_CEILING_DIRECTORIES"); }

  std::string Git(std::vector<std::string> arguments) const {
    SubprocessOptions options;
    options.argv = {"git", "-c", "user.name=T", "-c", "user.email=t@example.org"};
    options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
    options.working_directory = root_;
    const SubprocessOutput output = Must(RunSubprocess(options));
    EXPECT_TRUE(output.ok()) << output.err;
    return output.out.substr(0, output.out.find('\n'));
  }
  void Write(const std::string& name, const std::string& text) const { std::ofstream(root_ / name) << text; }
  void Commit() const {
    Git({"init", "-q"});
    Write("a.c", "int a;\n");
    Git({"add", "."});
    Git({"commit", "-q", "-m", "one"});
  }

  TemporaryDirectory directory_;
  const fs::path root_;
};

TEST_F(Tree, WithoutARepository) {
  EXPECT_FALSE(ReadWorkingTree(root_));
  EXPECT_FALSE(ReadWorkingTree(root_ / "nowhere"));
}

TEST_F(Tree, BeforeTheFirstCommit) {
  Git({"init", "-q"});
  const std::optional<WorkingTree> tree = ReadWorkingTree(root_);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->root, root_);
  EXPECT_EQ(tree->revision, "");
  EXPECT_EQ(tree->changes, "");
}

TEST_F(Tree, OfACommit) {
  Commit();
  fs::create_directory(root_ / "sub");
  const std::optional<WorkingTree> tree = ReadWorkingTree(root_ / "sub");
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->root, root_);
  EXPECT_EQ(tree->revision, Git({"rev-parse", "HEAD"}));
  EXPECT_EQ(tree->changes, "");
}

TEST_F(Tree, ADigestIsTheSameForTheSameChanges) {
  Commit();
  Write("untracked", "x");
  EXPECT_EQ(ReadWorkingTree(root_)->changes, "") << "git does not know the file";
  Write("a.c", "int b;\n");
  const std::string digest = ReadWorkingTree(root_)->changes;
  EXPECT_EQ(digest.size(), 64u);
  fs::create_directory(root_ / "sub");
  EXPECT_EQ(ReadWorkingTree(root_ / "sub")->changes, digest) << "wherever it is asked";
  Git({"add", "a.c"});
  EXPECT_EQ(ReadWorkingTree(root_)->changes, digest) << "staged or not";
  Git({"config", "diff.noprefix", "true"});
  Git({"config", "color.ui", "always"});
  Git({"config", "diff.context", "9"});
  EXPECT_EQ(ReadWorkingTree(root_)->changes, digest) << "however differences are shown";
  Write("a.c", "int c;\n");
  EXPECT_NE(ReadWorkingTree(root_)->changes, digest);
  Write("a.c", "int a;\n");
  EXPECT_EQ(ReadWorkingTree(root_)->changes, "");
}

TEST_F(Tree, DirectoriesAreRelative) {
  fs::create_directories(root_ / "repo/build");
  fs::create_directories(root_ / "beside");
  EXPECT_EQ(DirectoryIn(root_ / "repo", root_ / "repo"), ".");
  EXPECT_EQ(DirectoryIn(root_ / "repo", (root_ / "repo/build/").string()), "build");
  EXPECT_EQ(DirectoryIn(root_ / "repo", root_ / "beside"), "../beside");
  EXPECT_EQ(DirectoryIn(root_ / "repo", root_ / "nowhere"), "");
}

}  // namespace
}  // namespace oscope::cli
