// Regular expressions for what usually is a secret: by the name of an option or variable, by position in a URL or
// header, or by the well-known form of the key itself. This is a safety net, not a guarantee: a password that is a
// plain argument looks like any other word.
#include "tracer/record/secrets.h"

#include <re2/re2.h>

namespace oscope {
namespace {

constexpr const char* kMask = "***";

struct Patterns {
  // An option or a variable whose value is secret; the value may follow as the next argument.
  RE2 name{
      R"((?i)^-{0,2}[\w.-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|access[-_]?key|credentials?|private[-_]?key|auth)[\w.-]*$)"};
  RE2 assignment{
      R"((?i)(\b-{0,2}[\w.-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|access[-_]?key|credentials?|private[-_]?key)[\w.-]*\s*[=:]\s*)([^\s&;,'"]+))"};
  RE2 url{R"((\w+://[^/\s:@]*:)[^/\s@]+@)"};
  RE2 header{R"((?i)(authorization\s*:\s*(?:\w+\s+)?)\S+)"};
  RE2 key{
      R"(\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[a-z]-[\w-]{10,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)\b)"};
  RE2 pem{R"((?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*)"};
};

const Patterns& All() {
  static const Patterns patterns;
  return patterns;
}

}  // namespace

std::vector<std::string> MaskSecrets(const std::vector<std::string>& command) {
  const Patterns& patterns = All();
  std::vector<std::string> masked;
  bool value_follows = false;
  for (size_t i = 0; i < command.size(); ++i) {
    std::string argument = command[i];
    if (value_follows && !argument.starts_with("-")) {
      masked.emplace_back(kMask);
      value_follows = false;
      continue;
    }
    value_follows = i > 0 && argument.starts_with("-") && RE2::FullMatch(argument, patterns.name);
    RE2::GlobalReplace(&argument, patterns.assignment, R"(\1***)");
    RE2::GlobalReplace(&argument, patterns.url, R"(\1***@)");
    RE2::GlobalReplace(&argument, patterns.header, R"(\1***)");
    RE2::GlobalReplace(&argument, patterns.key, kMask);
    RE2::GlobalReplace(&argument, patterns.pem, kMask);
    masked.push_back(std::move(argument));
  }
  return masked;
}

}  // namespace oscope
