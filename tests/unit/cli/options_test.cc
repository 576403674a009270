// What a command line sets, what it refuses and in which words, what help shows, and the tree that help and completions walk.
#include "cli/options/options.h"

#include <gtest/gtest.h>

namespace oscope::cli {
namespace {

using Words = std::vector<std::string>;

std::string Refused(Options& options, const Words& words) {
  const Result<Parsed> parsed = options.Parse(words);
  return parsed.ok() ? "" : parsed.error().message;
}

TEST(Options, ValuesOfEachTypeAreSet) {
  std::string text = "default";
  std::optional<std::string> maybe_text, other_text;
  Words all, repeated;
  uint32_t small = 0;
  uint64_t large = 0;
  double fraction = 0;
  std::optional<uint32_t> maybe_small;
  std::optional<uint64_t> maybe_large, other_large;
  std::optional<double> maybe_fraction;
  bool flag = false, other_flag = false;
  Options root;
  root.Add("--text", text, "");
  root.Add("--maybe-text", maybe_text, "");
  root.Add("--other-text", other_text, "");
  root.Add("ALL", all, "");
  root.Add("--repeated", repeated, "").Repeatable();
  root.Add("--small", small, "");
  root.Add("-l,--large", large, "");
  root.Add("--fraction", fraction, "");
  root.Add("--maybe-small", maybe_small, "");
  root.Add("--maybe-large", maybe_large, "");
  root.Add("--other-large", other_large, "");
  root.Add("--maybe-fraction", maybe_fraction, "");
  root.AddFlag("--flag", flag, "");
  root.AddFlag("--other-flag", other_flag, "");
  const Result<Parsed> parsed = root.Parse({"a",
                                            "--maybe-text",
                                            "m",
                                            "--repeated",
                                            "r",
                                            "b",
                                            "--repeated",
                                            "s",
                                            "--small",
                                            "4000000000",
                                            "-l",
                                            "18446744073709551615",
                                            "--fraction",
                                            "0.5",
                                            "--maybe-small",
                                            "1",
                                            "--maybe-large=2",
                                            "--maybe-fraction",
                                            "1.5",
                                            "--flag"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(*parsed, Parsed::kArguments);
  EXPECT_EQ(text, "default");
  EXPECT_EQ(maybe_text, "m");
  EXPECT_EQ(other_text, std::nullopt);
  EXPECT_EQ(all, (Words{"a", "b"}));
  EXPECT_EQ(repeated, (Words{"r", "s"}));
  EXPECT_EQ(small, 4'000'000'000u);
  EXPECT_EQ(large, UINT64_MAX);
  EXPECT_EQ(fraction, 0.5);
  EXPECT_EQ(maybe_small, 1u);
  EXPECT_EQ(maybe_large, 2u);
  EXPECT_EQ(other_large, std::nullopt);
  EXPECT_EQ(maybe_fraction, 1.5);
  EXPECT_TRUE(flag);
  EXPECT_FALSE(other_flag);
  EXPECT_TRUE(root.Given("--flag"));
  EXPECT_FALSE(root.Given("--text"));
  EXPECT_FALSE(root.Given("--none"));
}

TEST(Options, WrongValuesAreRefused) {
  const auto refused = [](const Words& words) {
    std::string name, other, needed, odd;
    uint32_t small = 0;
    uint64_t large = 0, plain = 0;
    double fraction = 0;
    Options root;
    root.Add("--name", name, "").OneOf({"x", "y"});
    const Option first = root.Add("--other", other, "").Excludes("--name");
    root.Add("--needed", needed, "").Needs("--name").Excludes(first);
    root.Add("--small", small, "").Between(1u, 9u);
    root.Add("--large", large, "").Between(uint64_t{1}, UINT64_MAX);
    root.Add("--plain", plain, "");
    root.Add("--fraction", fraction, "").Between(1.0, 2.0);
    root.Add("--odd", odd, "").Check([](const std::string& text) { return text == "odd" ? "" : "not odd: " + text; });
    return Refused(root, words);
  };
  EXPECT_EQ(
      refused({"--name", "x", "--needed", "n", "--small", "9", "--large", "1", "--fraction", "2", "--odd", "odd"}), "");
  EXPECT_EQ(refused({"--name", "z"}), "--name: z not in {x,y}");
  EXPECT_EQ(refused({"--name", "x", "--other", "o"}), "--name excludes --other");
  EXPECT_EQ(refused({"--needed", "n"}), "--needed requires --name");
  EXPECT_EQ(refused({"--name", "x", "--needed", "n", "--other", "o"}), "--name excludes --other");
  EXPECT_EQ(refused({"--small", "0"}), "--small: Value 0 not in range 1 to 9");
  EXPECT_EQ(refused({"--small", "10"}), "--small: Value 10 not in range 1 to 9");
  EXPECT_EQ(refused({"--large", "0"}), "--large: Value 0 not in range 1 to 18446744073709551615");
  EXPECT_EQ(refused({"--large", "-1"}), "--large: -1 is less than 0");
  EXPECT_EQ(refused({"--plain", "-1"}), "--plain: -1 is less than 0");
  EXPECT_EQ(refused({"--plain", "x"}), "Could not convert: --plain = x");
  EXPECT_EQ(refused({"--plain"}), "--plain: 1 required UINT missing");
  EXPECT_EQ(refused({"--plain", "1", "--plain", "2"}), "--plain: At Most 1 required but received 2");
  EXPECT_EQ(refused({"--fraction", "2.5"}), "--fraction: Value 2.5 not in range 1.000000 to 2.000000");
  EXPECT_EQ(refused({"--odd", "even"}), "--odd: not odd: even");
}

TEST(Options, ARequiredArgumentThatIsMissing) {
  std::string name;
  Options root;
  root.Add("NAME", name, "").Required();
  EXPECT_EQ(Refused(root, {}), "NAME is required");
}

struct Tree {
  Tree() {
    root.AddFlag("--json", json, "As JSON");
    Options& bug = root.AddCommand("bug", "Work with bugs");
    Options& add = bug.AddCommand("add", "Add one");
    add.Add("ID", id, "Its id").Value("ID").Required();
    add.Add("-c,--count", count, "How many").Value("N");
    add.AddFlag("--json", json, "As JSON").Group("Global options");
    add.Footer("Examples:\n  oscope bug add 1");
    Options& open = bug.AddCommand("open", "Open one");
    open.TakeOptionsOfParent();
    bug.AddFlag("--all", all, "All of them");
  }
  Options root{"Finds bugs.", "oscope"};
  std::string id;
  uint32_t count = 0;
  bool json = false, all = false;
};

TEST(Options, ACommandIsChosen) {
  Tree tree;
  ASSERT_TRUE(tree.root.Parse({"bug", "add", "7", "--json"}).ok());
  EXPECT_EQ(tree.id, "7");
  ASSERT_NE(tree.root.chosen_command(), nullptr);
  EXPECT_EQ(tree.root.chosen_command()->name(), "bug");
  const Options& add = tree.root.deepest();
  EXPECT_EQ(add.full_name(), "oscope bug add");
  EXPECT_EQ(add.summary(), "Add one");
  EXPECT_EQ(add.parent(), tree.root.chosen_command());
  EXPECT_EQ(add.chosen_command(), nullptr);
  EXPECT_TRUE(add.chosen());
  EXPECT_TRUE(add.Given("--json"));
  EXPECT_FALSE(tree.root.Given("--json"));
  EXPECT_FALSE(add.parent()->commands().at(1)->chosen());
  EXPECT_FALSE(tree.root.has_extras());
}

TEST(Options, ACommandMayTakeTheOptionsOfItsParent) {
  Tree tree;
  ASSERT_TRUE(tree.root.Parse({"bug", "open", "--all"}).ok());
  EXPECT_TRUE(tree.all);
  EXPECT_FALSE(tree.root.has_extras());
  Tree other;
  ASSERT_TRUE(other.root.Parse({"bug", "add", "1", "--all"}).ok());
  EXPECT_FALSE(other.all);
  EXPECT_TRUE(other.root.has_extras());
}

TEST(Options, WordsThatNothingTakesAreLeftOver) {
  Tree tree;
  ASSERT_TRUE(tree.root.Parse({"bug", "add", "--", "7", "8", "-x"}).ok());
  EXPECT_TRUE(tree.root.has_extras());
  EXPECT_EQ(tree.root.deepest().extras(), (Words{"8", "-x"}));
  EXPECT_EQ(tree.root.extras(), Words());
  Tree none;
  ASSERT_TRUE(none.root.Parse({"bug", "add", "7", "--"}).ok());
  EXPECT_FALSE(none.root.has_extras());
  EXPECT_EQ(none.root.deepest().extras(), Words());
}

TEST(Options, HelpIsAskedFor) {
  Tree tree;
  const Result<Parsed> parsed = tree.root.Parse({"bug", "add", "--help"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(*parsed, Parsed::kHelp);
  EXPECT_EQ(tree.root.deepest().Help(),
            "Add one\n"
            "\n"
            "Usage: oscope bug add [OPTION...] ID\n"
            "\n"
            "Arguments:\n"
            "  ID                          Its id\n"
            "\n"
            "Options:\n"
            "  -h,--help                   Print this help and stop\n"
            "  -c,--count N                How many\n"
            "\n"
            "Global options:\n"
            "  --json                      As JSON\n"
            "\n"
            "Examples:\n"
            "  oscope bug add 1\n");
}

TEST(Options, TheTreeCanBeWalked) {
  Tree tree;
  ASSERT_EQ(tree.root.commands().size(), 1u);
  const Options& add = *tree.root.commands().at(0)->commands().at(0);
  const std::vector<Option> options = add.options();
  ASSERT_EQ(options.size(), 4u);  // --help is the first
  EXPECT_EQ(options[0].long_names(), Words{"help"});
  EXPECT_FALSE(options[0].takes_value());
  EXPECT_EQ(options[1].long_names(), Words());
  EXPECT_EQ(options[2].short_names(), Words{"c"});
  EXPECT_EQ(options[2].long_names(), Words{"count"});
  EXPECT_EQ(options[2].description(), "How many");
  EXPECT_TRUE(options[2].takes_value());
}

}  // namespace
}  // namespace oscope::cli
