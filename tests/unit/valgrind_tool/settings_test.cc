// The file of settings: every line that is understood, and every way in which one is not.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "tests/unit/valgrind_tool/tool_parts.h"

namespace {

namespace fs = std::filesystem;

class ValgrindSettings : public testing::Test {
 protected:
  ValgrindSettings() {
    std::string name = testing::TempDir() + "settings.XXXXXX";
    directory_ = ::mkdtemp(name.data());
    TakeSettings();
  }
  ~ValgrindSettings() override { fs::remove_all(directory_); }

  void Write(const std::string& text) const { std::ofstream(directory_ + "/settings", std::ios::binary) << text; }
  std::string Read(const std::string& text) const {
    Write(text);
    SettingsRead(directory_.c_str());
    return TakeSettings();
  }
  // What is behind the first line, which every file has.
  std::string Told(const std::string& line) const {
    const std::string all = Read(line + "\n");
    return all.substr(all.find('\n') + 1);
  }
  void ExpectRefused(const std::string& line) const {
    Write("version\t1\n" + line + "\n");
    EXPECT_EXIT(SettingsRead(directory_.c_str()), testing::ExitedWithCode(125), "settings: line 2\n") << line;
  }

  std::string directory_;
};

TEST_F(ValgrindSettings, AreTheseUnlessTheFileSaysOtherwise) {
  EXPECT_EQ(Read(""), "granularity 1 main 0 ring 64 string 256 stdin 0\n");
  EXPECT_EQ(Read("version\t1\n\n"), "granularity 1 main 0 ring 64 string 256 stdin 0\n");
}

TEST_F(ValgrindSettings, NumbersAreTakenUpToTheirLimits) {
  EXPECT_EQ(Read("granularity\toff\nthreads\tmain\nring-chunks\t1\nstring-limit\t0\nstdin-limit\t0"),
            "granularity 0 main 1 ring 1 string 0 stdin 0\n");
  EXPECT_EQ(Read("granularity\tstatement\nthreads\tmain\nthreads\tall\nring-chunks\t16777216\nstring-"
                 "limit\t16383\nstdin-limit\t4611686018427387904\n"),
            "granularity 2 main 0 ring 16777216 string 16383 stdin 4611686018427387904\n");
  EXPECT_EQ(Read("granularity\tblock\nstring-limit\t16384\n"), "granularity 3 main 0 ring 64 string 16384 stdin 0\n");
  EXPECT_EQ(Read("granularity\tinstruction\nstring-limit\t2147483647\n"),
            "granularity 4 main 0 ring 64 string 16384 stdin 0\n")
      << "texts have a limit of their own";
  EXPECT_EQ(Read("granularity\tmethod\n"), "granularity 1 main 0 ring 64 string 256 stdin 0\n");
}

TEST_F(ValgrindSettings, FiltersAndValuesKeepTheirOrder) {
  EXPECT_EQ(Told("leave-out\tobject\tlib*\nkeep\tname\tstd::*\nleave-out\tname\tf\nkeep\tobject\t/bin/"
                 "x\nvalues\tf\nvalues\tg h"),
            "leave-out object [lib*]\nkeep name [std::*]\nleave-out name [f]\nkeep object [/bin/x]\nvalues [f]\nvalues "
            "[g h]\n");
}

TEST_F(ValgrindSettings, MarksHaveAConditionAndCaptures) {
  EXPECT_EQ(Told("mark\t7\t-\t1\t2\t-\tabort"), "mark 7 always 1 argument 0 0..0 [abort]\n");
  EXPECT_EQ(Told("mark\t2147483647\t63\t-2147483648\t2147483647\ts0,S1,i63\texit"),
            "mark 2147483647 always 0 argument 63 -2147483648..2147483647 s0 S1 i63 [exit]\n");
  EXPECT_EQ(Told("mark\t0\t0\t1\t1\ts0,s1,s2,s3,s4,s5,s6,s7\tf"),
            "mark 0 always 0 argument 0 1..1 s0 s1 s2 s3 s4 s5 s6 s7 [f]\n")
      << "as many as there may be";
}

TEST_F(ValgrindSettings, ChopPointsAreByNameOrLine) {
  EXPECT_EQ(
      Told(
          "chop\tstart\tname\tf\nchop\tstop\tline\ta/b.c:12\nchop\twithin\tblock\tname\tg\nchop\tstart\tline\tc:d.c:1"),
      "chop start 0 name [f]\nchop stop 0 line [a/b.c] 12\nchop within 3 name [g]\nchop start 0 line [c:d.c] 1\n");
}

TEST_F(ValgrindSettings, ALongFileIsReadWhole) {
  std::string text, expected;
  for (int i = 0; i < 1000; ++i) {
    text += "keep\tname\tfunction" + std::to_string(i) + "\n";
    expected += "keep name [function" + std::to_string(i) + "]\n";
  }
  EXPECT_EQ(Told(text), expected);
}

TEST_F(ValgrindSettings, LinesThatAreNotUnderstoodAreNamed) {
  for (const char* line : {"colour\tred", "version\t2", "version", "version\t1\t1", "granularity", "granularity\tfine",
                           "granularity\tmethod\tx", "threads\tsome", "threads\tmain\tx"}) {
    ExpectRefused(line);
  }
}

TEST_F(ValgrindSettings, NumbersBeyondTheirLimitsAreRefused) {
  for (const char* line :
       {"ring-chunks\t0", "ring-chunks\t16777217", "ring-chunks\t", "ring-chunks\t1x", "ring-chunks\t1\t1",
        "string-limit\t-1", "string-limit\t2147483648", "string-limit\tx", "string-limit\t1\t2", "stdin-limit\t-1",
        "stdin-limit\t4611686018427387905", "stdin-limit\t1\t2"}) {
    ExpectRefused(line);
  }
}

TEST_F(ValgrindSettings, FiltersThatAreNoneAreRefused) {
  for (const char* line : {"keep\tname", "keep\tname\tf\tg", "keep\tfile\tf", "leave-out\tname", "leave-out\tother\tf",
                           "values", "values\tf\tg"})
    ExpectRefused(line);
}

TEST_F(ValgrindSettings, MarksThatAreNoneAreRefused) {
  for (const char* line : {"mark\t1\t-\t0\t0\t-", "mark\t1\t-\t0\t0\t-\tf\tg", "mark\t-1\t-\t0\t0\t-\tf",
                           "mark\t2147483648\t-\t0\t0\t-\tf", "mark\t1\t64\t0\t0\t-\tf", "mark\t1\t0\tx\t0\t-\tf",
                           "mark\t1\t0\t0\tx\t-\tf", "mark\t1\t0\t-2147483649\t0\t-\tf",
                           "mark\t1\t0\t0\t2147483648\t-\tf", "mark\t1\t-\t0\t0\tx0\tf", "mark\t1\t-\t0\t0\ts\tf",
                           "mark\t1\t-\t0\t0\ts64\tf", "mark\t1\t-\t0\t0\ts0,s1,s2,s3,s4,s5,s6,s7,s8\tf"}) {
    ExpectRefused(line);
  }
}

TEST_F(ValgrindSettings, ChopPointsThatAreNoneAreRefused) {
  for (const char* line :
       {"chop\tstart\tname", "chop\tbegin\tname\tf", "chop\tstart\tfile\ta.c:1", "chop\tstart\tline\ta.c",
        "chop\tstart\tline\t:3", "chop\tstart\tline\ta.c:0", "chop\tstart\tline\ta.c:2147483648",
        "chop\tstart\tline\ta.c:x", "chop\twithin\tfine\tname\tf", "chop\twithin\tblock\tline\ta.c:1"}) {
    ExpectRefused(line);
  }
}

TEST_F(ValgrindSettings, AFileThatIsNotThereOrTooLongIsRefused) {
  EXPECT_EXIT(SettingsRead((directory_ + "/none").c_str()), testing::ExitedWithCode(125),
              "cannot read the settings: .*/none/settings\n");
  fs::create_directory(directory_ + "/folder");
  fs::create_directory(directory_ + "/folder/settings");
  EXPECT_EXIT(SettingsRead((directory_ + "/folder").c_str()), testing::ExitedWithCode(125), "cannot read the settings");
  Write(std::string((16 << 20) + 1, '\n'));
  EXPECT_EXIT(SettingsRead(directory_.c_str()), testing::ExitedWithCode(125), "the settings are too long");
  EXPECT_EQ(Read(std::string(16 << 20, '\n')), "granularity 1 main 0 ring 64 string 256 stdin 0\n");
}

}  // namespace
