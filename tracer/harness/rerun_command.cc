// Splits a command as a shell would and fills in placeholders afterwards, word by word. A value with blanks or quotes
// therefore stays one argument.
#include "tracer/harness/rerun_command.h"

#include <algorithm>
#include <optional>

namespace oscope {
namespace {

std::optional<std::string> ValueOf(std::string_view placeholder, const JUnitCase& one) {
  if (placeholder == "name") return one.name;
  if (placeholder == "classname") return one.classname;
  if (placeholder == "suite") return one.suite;
  if (placeholder == "file") return one.file;
  if (placeholder == "line") return one.line == 0 ? "" : std::to_string(one.line);
  return std::nullopt;
}

// Puts the values of `one` in; lists the placeholders.
Result<std::string> Fill(std::string_view word, const JUnitCase& one, std::vector<std::string>& placeholders) {
  std::string filled;
  for (size_t at = 0; at < word.size(); ++at) {
    const bool doubled = at + 1 < word.size() && word[at + 1] == word[at];
    if (word[at] == '{' && !doubled) {
      const size_t end = word.find('}', at);
      if (end == std::string_view::npos)
        return Invalid("'{}': a {{ without its }}; write {{{{ for an ordinary one", word);
      const std::string name(word.substr(at + 1, end - at - 1));
      const auto value = ValueOf(name, one);
      if (!value) {
        return Invalid("unknown placeholder {}: there are {{name}}, {{classname}}, {{suite}}, {{file}} and {{line}}",
                       word.substr(at, end - at + 1));
      }
      filled += *value;
      placeholders.push_back(name);
      at = end;
    } else {
      filled += word[at];
      if ((word[at] == '{' || word[at] == '}') && doubled) ++at;
    }
  }
  return filled;
}

}  // namespace

Result<std::vector<std::string>> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    const bool more = at + 1 < text.size();
    if (quote == '\'') {
      byte == quote ? static_cast<void>(quote = 0) : word->push_back(byte);
    } else if (byte == '\\' && more &&
               (quote == 0 || std::string_view("\"\\$`").find(text[at + 1]) != std::string_view::npos)) {
      if (!word) word.emplace();
      word->push_back(text[++at]);
    } else if (quote == '"') {
      byte == quote ? static_cast<void>(quote = 0) : word->push_back(byte);
    } else if (byte == '\'' || byte == '"') {
      if (!word) word.emplace();
      quote = byte;
    } else if (byte == ' ' || byte == '\t' || byte == '\n') {
      if (word) words.push_back(*std::move(word));
      word.reset();
    } else {
      if (!word) word.emplace();
      word->push_back(byte);
    }
  }
  if (quote != 0) return Invalid("a {} that does not end in: {}", quote, text);
  if (word) words.push_back(*std::move(word));
  return words;
}

Result<RerunCommand> RerunCommand::Parse(std::string_view text) {
  OSCOPE_ASSIGN_OR_RETURN(std::vector<std::string> words, SplitWords(text));
  if (words.empty()) return Invalid("an empty command");
  std::vector<std::string> placeholders;
  for (const std::string& word : words) OSCOPE_RETURN_IF_ERROR(Fill(word, {}, placeholders));
  if (placeholders.empty())
    return Invalid("'{}' has no placeholder such as {{name}}: it would run the same for every test", text);
  return RerunCommand(std::move(words));
}

std::vector<std::string> RerunCommand::For(const JUnitCase& one) const {
  std::vector<std::string> command, placeholders;
  for (const std::string& word : words_) command.push_back(Fill(word, one, placeholders).value());
  return command;
}

std::string RerunCommand::Missing(const JUnitCase& one) const {
  std::vector<std::string> placeholders;
  for (const std::string& word : words_) (void)Fill(word, one, placeholders);
  const auto missing = std::find_if(placeholders.begin(), placeholders.end(),
                                    [&](const std::string& name) { return ValueOf(name, one).value_or("").empty(); });
  return missing == placeholders.end() ? "" : *missing;
}

}  // namespace oscope
