// Completion scripts for bash, zsh and fish, generated from the tree of options, so that they cannot fall behind it.
// Each shell gets its own form: a case statement of words for bash, descriptions for the other two. Names of bugs and
// runs are not completed: that would have to open the store at every Tab.
#include <fmt/format.h>

#include "cli/context/command.h"

namespace oscope::cli {
namespace {

std::string JoinWords(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<std::string> OptionWords(const Options& command) {
  std::vector<std::string> words;
  for (const Option& option : command.options()) {
    for (const std::string& name : option.short_names()) words.push_back("-" + name);
    for (const std::string& name : option.long_names()) words.push_back("--" + name);
  }
  return words;
}

// Options that take a value: after one of them the next word is a file or anything else, not a subcommand.
std::vector<std::string> ValueOptions(const Options& command) {
  std::vector<std::string> words;
  for (const Option& option : command.options()) {
    if (!option.takes_value()) continue;
    for (const std::string& name : option.short_names()) words.push_back("-" + name);
    for (const std::string& name : option.long_names()) words.push_back("--" + name);
  }
  return words;
}

std::vector<std::string> SubcommandWords(const Options& command) {
  std::vector<std::string> words;
  for (const auto& sub : command.commands()) words.push_back(sub->name());
  return words;
}

// "oscope bug add" -> one case of the shell function.
void AddBashCases(const Options& command, std::string& text) {
  text += fmt::format("    '{}') subs='{}'; opts='{}'; values='{}' ;;\n", command.full_name(),
                      JoinWords(SubcommandWords(command)), JoinWords(OptionWords(command)),
                      JoinWords(ValueOptions(command)));
  for (const auto& sub : command.commands()) AddBashCases(*sub, text);
}

std::string BashScript(const Options& root) {
  std::string cases;
  AddBashCases(root, cases);
  return R"(# bash completion for oscope, made by `oscope completion bash`
_oscope_words() {
  case "$1" in
)" + cases +
         R"(    *) subs=''; opts=''; values='' ;;
  esac
}
_oscope() {
  local cur prev path subs opts values word i skip=0
  cur="${COMP_WORDS[COMP_CWORD]}"
  prev="${COMP_WORDS[COMP_CWORD-1]}"
  path=oscope
  _oscope_words "$path"
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    if ((skip)); then skip=0; continue; fi
    if [[ " $values " == *" $word "* ]]; then skip=1; continue; fi
    if [[ -n "$subs" && " $subs " == *" $word "* ]]; then
      path="$path $word"
      _oscope_words "$path"
    fi
  done
  COMPREPLY=()
  if [[ " $values " == *" $prev "* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  elif [[ "$cur" == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$opts" -- "$cur")
  elif [[ -n "$subs" ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$subs" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -o filenames -o bashdefault -F _oscope oscope
)";
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// In single quotes, where zsh and fish take everything but the quote as it is.
std::string Quoted(const std::string& text) { return "'" + Replaced(text, "'", "'\\''") + "'"; }

std::string FunctionName(const Options& command) { return "_" + Replaced(command.full_name(), " ", "_"); }

std::string ZshOptions(const Options& command) {
  std::string text;
  for (const Option& option : command.options()) {
    const std::string about = Replaced(Replaced(Replaced(option.description(), "[", "("), "]", ")"), ":", " -");
    const std::string value = option.takes_value() ? ":value:_files" : "";
    for (const std::string& name : option.short_names())
      text += fmt::format(" \\\n    {}", Quoted(fmt::format("-{}[{}]{}", name, about, value)));
    for (const std::string& name : option.long_names())
      text += fmt::format(" \\\n    {}", Quoted(fmt::format("--{}[{}]{}", name, about, value)));
  }
  return text;
}

void AddZshFunctions(const Options& command, std::string& text) {
  const auto& subs = command.commands();
  text += fmt::format("{}() {{\n", FunctionName(command));
  if (subs.empty()) {
    text += fmt::format("  _arguments{} \\\n    '*:file:_files'\n}}\n", ZshOptions(command));
    return;
  }
  text += fmt::format("  local state line\n  _arguments -C{} \\\n    '1: :->command' '*::argument:->arguments'\n",
                      ZshOptions(command));
  text += "  case $state in\n    command)\n      local -a commands=(\n";
  for (const auto& sub : subs) text += fmt::format("        {}\n", Quoted(sub->name() + ":" + sub->summary()));
  text += "      )\n      _describe command commands ;;\n    arguments)\n      case $line[1] in\n";
  for (const auto& sub : subs) text += fmt::format("        {}) {} ;;\n", sub->name(), FunctionName(*sub));
  text += "      esac ;;\n  esac\n}\n";
  for (const auto& sub : subs) AddZshFunctions(*sub, text);
}

std::string ZshScript(const Options& root) {
  std::string text = "#compdef oscope\n# zsh completion for oscope, made by `oscope completion zsh`\n";
  AddZshFunctions(root, text);
  return text + "if [ \"$funcstack[1]\" = _oscope ]; then _oscope \"$@\"; else compdef _oscope oscope; fi\n";
}

void AddFishLines(const Options& command, const std::string& condition, std::string& text) {
  const std::string subs = JoinWords(SubcommandWords(command));
  const std::string here =
      subs.empty() ? condition
                   : (condition.empty() ? "" : condition + "; and ") + "not __fish_seen_subcommand_from " + subs;
  for (const auto& sub : command.commands()) {
    text += fmt::format("complete -c oscope -f -n {} -a {} -d {}\n", Quoted(here), Quoted(sub->name()),
                        Quoted(sub->summary()));
  }
  for (const Option& option : command.options()) {
    std::string names;
    for (const std::string& name : option.short_names()) names += " -s " + name;
    for (const std::string& name : option.long_names()) names += " -l " + name;
    if (names.empty()) continue;
    text += fmt::format("complete -c oscope -n {}{}{} -d {}\n", Quoted(here), names, option.takes_value() ? " -r" : "",
                        Quoted(option.description()));
  }
  for (const auto& sub : command.commands()) {
    const std::string seen = "__fish_seen_subcommand_from " + sub->name();
    AddFishLines(*sub, condition.empty() ? seen : condition + "; and " + seen, text);
  }
}

std::string FishScript(const Options& root) {
  std::string text = "# fish completion for oscope, made by `oscope completion fish`\n";
  AddFishLines(root, "", text);
  return text;
}

class CompletionCommand : public Command {
 public:
  std::string_view name() const override { return "completion"; }
  std::string_view summary() const override { return "Print a completion script for bash, zsh or fish"; }

  void Register(Options& options) override {
    options.Add("SHELL", shell_, "bash, zsh or fish").Value("SHELL").Required();
    options.Footer(
        "Examples:\n"
        "  source <(oscope completion bash)\n"
        "  oscope completion zsh > ~/.zfunc/_oscope\n"
        "  oscope completion fish > ~/.config/fish/completions/oscope.fish");
  }

  Result<int> Run(Context& context) override {
    if (shell_ == "bash") {
      context.PrintText(BashScript(context.root()));
    } else if (shell_ == "zsh") {
      context.PrintText(ZshScript(context.root()));
    } else if (shell_ == "fish") {
      context.PrintText(FishScript(context.root()));
    } else {
      return context.FailUsage(fmt::format("unknown shell '{}'; there are bash, zsh and fish", shell_));
    }
    return kExitOk;
  }

 private:
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> MakeCompletionCommand() { return std::make_unique<CompletionCommand>(); }

}  // namespace oscope::cli
