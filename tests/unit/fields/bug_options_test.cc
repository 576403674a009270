// The program itself: every field of a bug that has an option is set by it, shown, queried and exported.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "tests/unit/fields/distinct.h"
#include "tests/unit/fields/text_of.h"

namespace oscope {
namespace {

// A value that survives a shell, a terminal and BQL as it is.
std::string PlainValue(const BugField& row) {
  if (std::holds_alternative<Member<Bug, std::optional<int64_t>>>(row.member)) {
    return fmt::format("2024-01-{:02}", &row - kBugFields.data() + 1);
  }
  if (std::holds_alternative<Member<Bug, BugStatus>>(row.member)) return "reopened";
  return fmt::format("value-of-{}", row.name);
}

class BugOptions : public testing::Test {
 protected:
  BugOptions() {
    std::string path = testing::TempDir() + "oscope-fields-XXXXXX";
    OSCOPE_CHECK(::mkdtemp(path.data()) != nullptr);
    directory_ = path;
  }
  ~BugOptions() override { std::filesystem::remove_all(directory_); }

  // What the program prints; a failure is one of the test.
  std::string Oscope(const std::string& arguments) const {
    const std::string command = fmt::format("cd '{}' && HOME=$PWD '{}' {} 2>&1", directory_, OSCOPE_BINARY, arguments);
    FILE* pipe = ::popen(command.c_str(), "r");
    OSCOPE_CHECK(pipe != nullptr);
    std::string text;
    char buffer[4096];
    for (size_t size = 0; (size = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) text.append(buffer, size);
    EXPECT_EQ(::pclose(pipe), 0) << arguments << "\n" << text;
    return text;
  }

  std::string directory_;
};

TEST_F(BugOptions, SetEveryFieldThatHasOne) {
  std::string options;
  for (const BugField* row : kInOrder<kBugFields, &BugField::option>) {
    options += fmt::format(" --{} {}", row->name, PlainValue(*row));
  }
  Oscope("init --quiet");
  Oscope("bug add 7 --project demo --quiet" + options);
  const std::string shown = Oscope("show bug 7"), json = Oscope("show bug 7 --json"), lines = Oscope("export"),
                    help = Oscope("bug edit --help");
  Oscope("bug add 8 --project demo --quiet");
  for (const BugField* row : kInOrder<kBugFields, &BugField::option>) {
    SCOPED_TRACE(row->name);
    const std::string value = PlainValue(*row);
    EXPECT_TRUE(HasWord(help, std::string("--") + row->name));
    EXPECT_NE(help.find(row->help), std::string::npos);
    EXPECT_NE(json.find(fmt::format("\"{}\": \"{}", row->name, value)), std::string::npos) << json;
    EXPECT_NE(lines.find(fmt::format("\"{}\":\"{}", row->name, value)), std::string::npos) << lines;
    EXPECT_NE(shown.find(value), std::string::npos) << shown;
    const std::string label = *row->label == '\0' ? "" : fmt::format("{}:", row->label);
    EXPECT_NE(shown.find(label), std::string::npos) << shown;
    // The other bug does not have it.
    if (row->bql == 0) continue;
    const std::string found =
        Oscope(fmt::format("query --mode csv 'SELECT b FROM ALL WHERE b.{} = \"{}\"'", row->name, value));
    EXPECT_NE(found.find("demo-7"), std::string::npos) << found;
    EXPECT_EQ(found.find("demo-8"), std::string::npos) << found;
  }
  // One at a time, to the bug that has none.
  for (const BugField* row : kInOrder<kBugFields, &BugField::option>) {
    Oscope(fmt::format("bug edit 8 --{} {} --quiet", row->name, PlainValue(*row)));
    EXPECT_NE(Oscope("show bug 8").find(PlainValue(*row)), std::string::npos) << row->name;
  }
}

}  // namespace
}  // namespace oscope
