#include "index/store/locate.h"

#include "base/subprocess.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

class LocateTest : public ::testing::Test {
 protected:
  TemporaryDirectory directory_;
  FileSystem& fs_ = PosixFileSystem();

  void Git(std::vector<std::string> arguments) {
    SubprocessOptions options;
    options.argv = std::move(arguments);
    options.argv.insert(options.argv.begin(), "git");
    EXPECT_TRUE(Must(RunSubprocess(options)).ok());
  }

  void SetUp() override {
    unsetenv("OSCOPE_STORE");
    std::filesystem::create_directories(directory_.path("work/src/deep"));
  }
};

TEST_F(LocateTest, WalksUpAsGitDoes) {
  EXPECT_EQ(FindStore(fs_, "", directory_.path("work/src/deep")).error().code, ErrorCode::kNotFound);
  Must(Store::Create(fs_, directory_.path("work/.oscope")));
  EXPECT_EQ(Must(FindStore(fs_, "", directory_.path("work/src/deep"))), directory_.path("work/.oscope"));
  Must(Store::Create(fs_, directory_.path("other")));
  EXPECT_EQ(Must(FindStore(fs_, directory_.path("other"), directory_.path("work"))), directory_.path("other"));
  setenv("OSCOPE_STORE", directory_.path("other").c_str(), 1);
  EXPECT_EQ(Must(FindStore(fs_, "", directory_.path("work"))), directory_.path("other"));
  setenv("OSCOPE_STORE", directory_.path("nowhere").c_str(), 1);
  EXPECT_FALSE(FindStore(fs_, "", directory_.path("work")).ok()) << "a wrong name is not passed over";
  unsetenv("OSCOPE_STORE");
  EXPECT_FALSE(FindStore(fs_, directory_.path("nowhere"), directory_.path("work")).ok());
}

TEST_F(LocateTest, TheProjectIsConfiguredOrGitsOrTheDirectorys) {
  const std::string deep = directory_.path("work/src/deep");
  Must(Store::Create(fs_, directory_.path("work/.oscope")));
  EXPECT_EQ(Must(FindProject(fs_, deep)).name, "work");
  Git({"init", "-q", directory_.path("work")});
  Git({"-C", deep, "remote", "add", "origin", "git@host:team/my-parser.git"});
  EXPECT_EQ(Must(FindProject(fs_, deep)).name, "my-parser");
  EXPECT_EQ(Must(FindProject(fs_, deep)).from, "git origin");
  Must(WriteDurably(fs_, directory_.path("work/oscope.toml"), "project = \"Beanutils\"\n"));
  EXPECT_EQ(Must(FindProject(fs_, deep)).name, "Beanutils");
}

TEST_F(LocateTest, ABrokenConfigurationIsNamedWithItsLine) {
  Must(WriteDurably(fs_, directory_.path("work/oscope.toml"), "\nproject = = 3\n"));
  const auto broken = FindProject(fs_, directory_.path("work"));
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().message.find("oscope.toml:2"), std::string::npos) << broken.error().message;
  std::filesystem::remove(directory_.path("work/oscope.toml"));
  Must(WriteDurably(fs_, directory_.path("work/oscope.toml"), "project = \"../../etc\"\n"));
  EXPECT_FALSE(FindProject(fs_, directory_.path("work")).ok());
}

}  // namespace
}  // namespace oscope
