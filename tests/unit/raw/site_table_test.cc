#include "tracer/raw/site_table.h"

#include <gtest/gtest.h>

namespace oscope::raw {
namespace {

TEST(SiteTableTest, ReadsObjectsSitesAndNotes) {
  SiteTable table;
  ASSERT_TRUE(
      table.Add("object 0 400000 /tmp/a%20b\nsite 0 m 0 1139 _Z1fv\nsite 2 c - 7f00\nthread 1 77\nnote no more room\n")
          .ok());
  ASSERT_EQ(table.objects.size(), 1u);
  EXPECT_EQ(table.objects[0].path, "/tmp/a b");
  EXPECT_EQ(table.objects[0].bias, 0x400000u);
  ASSERT_EQ(table.sites.size(), 3u);
  EXPECT_EQ(table.sites[0].name, "_Z1fv");
  EXPECT_EQ(table.sites[0].address, 0x1139u);
  EXPECT_EQ(table.sites[1].kind, SiteKind::kNone);
  EXPECT_EQ(table.sites[2].kind, SiteKind::kCode);
  EXPECT_FALSE(table.sites[2].object.has_value());
  EXPECT_EQ(table.notes, std::vector<std::string>{"no more room"});
}

TEST(SiteTableTest, LeavesOutTheLineThatAKillCutOff) {
  SiteTable table;
  ASSERT_TRUE(table.Add("object 0 0 /a\nsite 0 m 0 10\nsite 1 m 0 2").ok());
  EXPECT_EQ(table.sites.size(), 1u);
}

TEST(SiteTableTest, RefusesLines) {
  for (const char* line : {"object 1 0 /a\n", "object 0 x /a\n", "site 0 m 0 10\n", "site 0 q - 10\n",
                           "site 999999999999 m - 10\n", "site 70000000 m - 1\n", "object 0 0 /a%\n",
                           "object 0 0 /a%g1\n", "object 0 0 /a b\n", "site 0 m - 10 f g\n", "what\n", "\n"}) {
    SiteTable table;
    EXPECT_EQ(table.Add(line).error().code, ErrorCode::kCorrupt) << line;
  }
}

TEST(SiteTableTest, AForkedProcessHasItsParentsFirstSites) {
  SiteTable parent;
  ASSERT_TRUE(parent.Add("object 0 0 /a\nsite 0 m 0 10\nobject 1 0 /b\nsite 1 m 1 20\nsite 2 m 0 30\n").ok());
  SiteTable child = parent.Head(2, 1);
  ASSERT_EQ(child.sites.size(), 2u);
  EXPECT_EQ(child.sites[1].kind, SiteKind::kNone) << "its object is not the child's";
  ASSERT_TRUE(child.Add("object 1 0 /c\nsite 2 m 1 40\n").ok());
  EXPECT_EQ(child.sites[2].address, 0x40u);
  EXPECT_EQ(child.objects[1].path, "/c");
}

}  // namespace
}  // namespace oscope::raw
