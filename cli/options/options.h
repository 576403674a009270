// What a command accepts on its command line: options, flags, positional arguments and subcommands; and what its help
// says.
//
// The tree of all commands is declared once, parsed once, and asked afterwards (help and completions walk it). A value
// goes straight into the variable that it was declared with; a variable whose option is not given keeps its value.
//
// Lifetime: the variables and the tree must outlive Parse, and stay where they are. An Option is a handle, valid as
//           long as the Options that it was declared with.
// Threads:  one at a time.
// Example:
//   Options root("Greets people.", "greet");
//   std::string who;
//   uint32_t times = 1;
//   root.Add("NAME", who, "Whom to greet").Value("NAME").Required();
//   root.Add("--times", times, "How often (default 1)").Value("N").Between(1u, 10u);
//   OSCOPE_ASSIGN_OR_RETURN(const Parsed parsed, root.Parse({"World", "--times", "2"}));
//
// The library below is CLI11, whose header alone takes a compiler three seconds. Only options.cc includes it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace oscope::cli {

// One option, flag or positional argument. The functions that declare return the same option, to be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& Value(const std::string& text);  // what help shows for the value, or in place of a positional argument's name
  Option& Group(const std::string& name);  // the heading in help under which it is listed
  Option& Required();
  // May be given several times, each time with one value, for a vector. Else a vector takes all the words that follow.
  Option& Repeatable();
  Option& Excludes(const Option& other);
  Option& Excludes(const std::string& name);  // of an option that is declared already
  Option& Needs(const std::string& name);     // of an option that is declared already

  // Refuses numbers outside of [least, most].
  Option& Between(uint32_t least, uint32_t most);
  Option& Between(uint64_t least, uint64_t most);
  Option& Between(double least, double most);
  Option& OneOf(const std::vector<std::string>& values);
  // `what_is_wrong` returns what is wrong with a value, or the empty string. A value with something wrong is refused.
  Option& Check(std::function<std::string(const std::string&)> what_is_wrong);

  std::vector<std::string> short_names() const;  // without the dash
  std::vector<std::string> long_names() const;   // without the dashes
  std::string description() const;
  bool takes_value() const;

 private:
  CLI::Option* option_;
};

enum class Parsed {
  kArguments,  // the variables have their values
  kHelp,       // --help was given: the rest was not looked at
};

// One command of the tree. It has -h and --help from the start.
class Options {
 public:
  Options() : Options("", "") {}
  Options(const std::string& description, const std::string& name);  // the root
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // `names`: "--long", "-s,--long", or "NAME" for a positional argument.
  Option Add(const std::string& names, std::string& value, const std::string& description);
  Option Add(const std::string& names, std::optional<std::string>& value, const std::string& description);
  Option Add(const std::string& names, std::vector<std::string>& values, const std::string& description);
  Option Add(const std::string& names, uint32_t& value, const std::string& description);
  Option Add(const std::string& names, uint64_t& value, const std::string& description);
  Option Add(const std::string& names, double& value, const std::string& description);
  Option Add(const std::string& names, std::optional<uint32_t>& value, const std::string& description);
  Option Add(const std::string& names, std::optional<uint64_t>& value, const std::string& description);
  Option Add(const std::string& names, std::optional<double>& value, const std::string& description);
  Option AddFlag(const std::string& names, bool& value, const std::string& description);
  Options& AddCommand(std::string_view name, std::string_view summary);
  void Footer(const std::string& text);  // the end of its help: examples
  void TakeOptionsOfParent();            // what is unknown here may be an option of the command above

  // Called once, of the root, with the words after the program's name. kInvalid says which value or use of an option is
  // wrong. Words that nothing takes are no error here: see extras().
  Result<Parsed> Parse(std::vector<std::string> words);

  // After parsing.
  bool chosen() const;                        // the words name this command, or one below it
  const Options* chosen_command() const;      // the one of commands() that the words name; null: none
  const Options& deepest() const;             // this command, or the deepest one below it that the words name
  bool Given(const std::string& name) const;  // an option of this command; false if it has none of this name
  bool has_extras() const;                    // here or below
  std::vector<std::string> extras() const;    // words that nothing here takes

  const Options* parent() const { return parent_; }
  std::string name() const;
  std::string full_name() const;  // "oscope bug add"
  std::string summary() const;
  std::string Help() const;
  std::vector<Option> options() const;
  const std::vector<std::unique_ptr<Options>>& commands() const { return commands_; }

 private:
  Options(CLI::App& app, const Options& parent);
  void Prepare();
  void RefuseNegativeNumbers();

  std::unique_ptr<CLI::App> root_;  // null for a subcommand, which its parent's CLI::App owns
  CLI::App* app_;
  const Options* parent_ = nullptr;
  std::vector<std::unique_ptr<Options>> commands_;
};

}  // namespace oscope::cli
