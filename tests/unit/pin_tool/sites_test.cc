#include "tracer/pin/sites.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "tests/unit/pin_tool/scratch_recording.h"
#include "tracer/raw/site_table.h"

namespace oscope::pin {
namespace {

std::string Read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(PinSites, LinesAreWhatTheReaderReads) {
  const ScratchRecording recording(1, 1);
  const std::string path = recording.path() + "/0.sites";
  Sites sites;
  sites.Open(path);
  EXPECT_EQ(sites.AddObject(0x7f00, "/bin/a b%c\n"), 0u);
  EXPECT_EQ(sites.Add('m', 0, 0x1234, "_Z1fv"), 0u);
  EXPECT_EQ(sites.Add('b', 0, 0x1238), 1u);
  EXPECT_EQ(sites.Add('c', Sites::kNone, 0xabcdef0123), 2u);
  EXPECT_EQ(sites.Add('m', 0, 0x1234, "_Z1fv"), 0u);
  sites.AddThread(0, 4711);
  sites.AddNote("two\nlines");
  EXPECT_TRUE(sites.Flush());
  EXPECT_EQ(Read(path),
            "object 0 7f00 /bin/a%20b%25c%0A\nsite 0 m 0 1234 _Z1fv\nsite 1 b 0 1238\nsite 2 c - abcdef0123\nthread 0 "
            "4711\nnote two lines\n");

  raw::SiteTable table;
  ASSERT_TRUE(table.Add(Read(path)).ok());
  ASSERT_EQ(table.sites.size(), 3u);
  EXPECT_EQ(table.objects[0].path, "/bin/a b%c\n");
  EXPECT_EQ(table.sites[0].name, "_Z1fv");
  EXPECT_EQ(table.sites[2].address, 0xabcdef0123u);
}

TEST(PinSites, AForkedProcessGoesOnWithItsParentsNumbers) {
  const ScratchRecording recording(2, 1);
  Sites sites;
  sites.Open(recording.path() + "/0.sites");
  sites.AddObject(0, "/bin/p");
  sites.Add('m', 0, 1, "f");
  EXPECT_TRUE(sites.Flush());
  sites.Open(recording.path() + "/1.sites");
  EXPECT_EQ(sites.Add('m', 0, 1, "f"), 0u);
  EXPECT_EQ(sites.Add('m', 0, 2, "g"), 1u);
  EXPECT_TRUE(sites.Flush());
  EXPECT_EQ(Read(recording.path() + "/1.sites"), "site 1 m 0 2 g\n");
}

TEST(PinSites, TellsWhenLinesAreLost) {
  Sites sites;
  sites.Open("/nowhere/at/all/0.sites");
  EXPECT_TRUE(sites.Flush());  // nothing to lose
  sites.Add('m', Sites::kNone, 1);
  EXPECT_FALSE(sites.Flush());
}

TEST(PinSites, TheUmaskOfTheProgramDoesNotLockUsOut) {
  const ScratchRecording recording(1, 1);
  const mode_t before = ::umask(0777);
  Sites sites;
  sites.Open(recording.path() + "/0.sites");
  sites.AddThread(0, 1);
  EXPECT_TRUE(sites.Flush());
  ::umask(before);
  struct stat facts{};
  ASSERT_EQ(::stat((recording.path() + "/0.sites").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

}  // namespace
}  // namespace oscope::pin
