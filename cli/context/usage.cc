#include "cli/context/usage.h"

#include <algorithm>
#include <vector>

#include "base/escape.h"
#include "cli/context/exit_codes.h"
#include "cli/output/text.h"

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

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> SubcommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

// "unknown option '--fromat' (did you mean --format?)", for the first argument that found no place.
std::string ExplainExtra(const CLI::App& app, const std::string& extra) {
  const std::string shown = EscapeForTerminal(extra.substr(0, 200));
  if (extra.size() > 1 && extra.front() == '-') {
    const std::string name = extra.substr(0, extra.find('='));
    return fmt::format("unknown option '{}'{}", shown, Nearest(name, OptionNames(app)));
  }
  const std::vector<std::string> names = SubcommandNames(app);
  if (names.empty()) return fmt::format("unexpected argument '{}'", shown);
  return fmt::format("unknown command '{}'{}", shown, Nearest(extra, names));
}

}  // namespace

void PrepareApp(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "Print this help and stop");
  app.require_subcommand(0, 1);
  app.group("Commands");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  // Leftovers are reported by FailParse, which knows what is near them.
  app.allow_extras();
}

const CLI::App& DeepestApp(const CLI::App& root) {
  const CLI::App* app = &root;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

std::string FullName(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : FullName(*app.get_parent()) + " " + app.get_name();
}

std::string HelpOf(const CLI::App& app) {
  return app.get_formatter()->make_help(&app, FullName(app), CLI::AppFormatMode::Normal);
}

// The -- before a command is kept among them, but does not count.
bool HasExtras(const CLI::App& root) { return root.remaining_size(true) > 0; }

int FailParse(const Context& context, std::string_view message) {
  const CLI::App& app = DeepestApp(context.root());
  std::string text(message);
  for (const CLI::App* level = &app; level != nullptr; level = level->get_parent()) {
    std::vector<std::string> extras = level->remaining(false);
    std::erase(extras, "--");
    if (!extras.empty()) text = ExplainExtra(*level, extras.front());
  }
  return context.FailUsage(fmt::format("{}\nTry '{} --help'.", text, FullName(app)));
}

}  // namespace oscope::cli
