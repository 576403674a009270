// The only source that includes CLI11, which takes a compiler three seconds. A handle (Option) is a pointer into the
// library's own tree, and Options mirrors that tree so that help and completion can walk it without the library.
//
// CLI11 has settings that would let mistakes pass; they are changed here for all commands: an option that is given
// twice is an error, numbers below zero are refused, and words that fit nowhere are left over for the caller, who can
// suggest a name.
#include "cli/options/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace oscope::cli {
namespace {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(30);
    label("OPTIONS", "OPTION...");
    label("SUBCOMMAND", "COMMAND");
    label("Subcommands", "Commands");
    label("Positionals", "Arguments");
  }
  // What one needs first comes first: the commands before the options.
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const std::string text = make_description(app) + "\n" + make_usage(app, std::move(name)) + make_positionals(app) +
                             make_subcommands(app, mode) + make_groups(app, mode) + "\n" + make_footer(app);
    return WithoutDoubleBlanks(text);
  }
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    if (positional && !option->get_option_text().empty()) return option->get_option_text();
    return Formatter::make_option_name(option, positional);
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_option_text().empty() || option->get_positional()) return {};
    return " " + option->get_option_text();
  }
  std::string make_option_usage(const CLI::Option* option) const override {
    const std::string name = make_option_name(option, true);
    return option->get_required() ? name : "[" + name + "]";
  }

 private:
  static std::string WithoutDoubleBlanks(std::string text) {
    for (size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
    return text;
  }
};

// CLI11 reads -1 as the largest number there is.
std::string RefuseNegative(const std::string& text) { return text.starts_with('-') ? text + " is less than 0" : ""; }

}  // namespace

Option& Option::Value(const std::string& text) {
  option_->option_text(text);
  return *this;
}

Option& Option::Group(const std::string& name) {
  option_->group(name);
  return *this;
}

Option& Option::Required() {
  option_->required();
  return *this;
}

Option& Option::Repeatable() {
  option_->take_all()->allow_extra_args(false);
  return *this;
}

Option& Option::Excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::Excludes(const std::string& name) {
  option_->excludes(name);
  return *this;
}

Option& Option::Needs(const std::string& name) {
  option_->needs(name);
  return *this;
}

Option& Option::Between(uint32_t least, uint32_t most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::Between(uint64_t least, uint64_t most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::Between(double least, double most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::OneOf(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}

Option& Option::Check(std::function<std::string(const std::string&)> what_is_wrong) {
  option_->check(std::move(what_is_wrong));
  return *this;
}

std::vector<std::string> Option::short_names() const { return option_->get_snames(); }
std::vector<std::string> Option::long_names() const { return option_->get_lnames(); }
std::string Option::description() const { return option_->get_description(); }
bool Option::takes_value() const { return option_->get_items_expected_max() != 0; }

Options::Options(const std::string& description, const std::string& name)
    : root_(std::make_unique<CLI::App>(description, name)), app_(root_.get()) {
  Prepare();
}

Options::Options(CLI::App& app, const Options& parent) : app_(&app), parent_(&parent) { Prepare(); }

Options::~Options() = default;

void Options::Prepare() {
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->set_help_flag("-h,--help", "Print this help and stop");
  app_->require_subcommand(0, 1);
  app_->group("Commands");
  app_->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  // Whoever reports the leftovers knows what is near them.
  app_->allow_extras();
}

#define OSCOPE_DEFINE_ADD(Type)                                                                \
  Option Options::Add(const std::string& names, Type& value, const std::string& description) { \
    return Option(app_->add_option(names, value, description));                                \
  }
OSCOPE_DEFINE_ADD(std::string)
OSCOPE_DEFINE_ADD(std::optional<std::string>)
OSCOPE_DEFINE_ADD(std::vector<std::string>)
OSCOPE_DEFINE_ADD(uint32_t)
OSCOPE_DEFINE_ADD(uint64_t)
OSCOPE_DEFINE_ADD(double)
OSCOPE_DEFINE_ADD(std::optional<uint32_t>)
OSCOPE_DEFINE_ADD(std::optional<uint64_t>)
OSCOPE_DEFINE_ADD(std::optional<double>)
#undef OSCOPE_DEFINE_ADD

Option Options::AddFlag(const std::string& names, bool& value, const std::string& description) {
  return Option(app_->add_flag(names, value, description));
}

Options& Options::AddCommand(std::string_view name, std::string_view summary) {
  CLI::App* app = app_->add_subcommand(std::string(name), std::string(summary));
  commands_.push_back(std::unique_ptr<Options>(new Options(*app, *this)));
  return *commands_.back();
}

void Options::Footer(const std::string& text) { app_->footer(text); }

void Options::TakeOptionsOfParent() { app_->fallthrough(); }

void Options::RefuseNegativeNumbers() {
  for (CLI::Option* option : app_->get_options()) {
    if (option->get_type_name().starts_with("UINT")) option->check(RefuseNegative);
  }
  for (const auto& command : commands_) command->RefuseNegativeNumbers();
}

Result<Parsed> Options::Parse(std::vector<std::string> words) {
  RefuseNegativeNumbers();
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
  try {
    app_->parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return Parsed::kHelp;
  } catch (const CLI::ParseError& error) {
    return Error{ErrorCode::kInvalid, error.what()};
  }
  return Parsed::kArguments;
}

bool Options::chosen() const { return app_->parsed(); }

const Options* Options::chosen_command() const {
  const std::vector<CLI::App*> chosen = std::as_const(*app_).get_subcommands();
  for (const auto& command : commands_) {
    if (!chosen.empty() && command->app_ == chosen.front()) return command.get();
  }
  return nullptr;
}

const Options& Options::deepest() const {
  const Options* command = chosen_command();
  return command == nullptr ? *this : command->deepest();
}

bool Options::Given(const std::string& name) const {
  const CLI::Option* option = std::as_const(*app_).get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

// A -- before a command is kept among the leftovers, but is none.
bool Options::has_extras() const { return app_->remaining_size(true) > 0; }

std::vector<std::string> Options::extras() const {
  std::vector<std::string> words = app_->remaining(false);
  std::erase(words, "--");
  return words;
}

std::string Options::name() const { return app_->get_name(); }

std::string Options::full_name() const { return parent_ == nullptr ? name() : parent_->full_name() + " " + name(); }

std::string Options::summary() const { return app_->get_description(); }

std::string Options::Help() const {
  return app_->get_formatter()->make_help(app_, full_name(), CLI::AppFormatMode::Normal);
}

std::vector<Option> Options::options() const {
  std::vector<Option> all;
  for (CLI::Option* option : app_->get_options()) all.emplace_back(option);
  return all;
}

}  // namespace oscope::cli
