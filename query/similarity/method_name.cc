#include "query/similarity/method_name.h"

#include <array>

namespace oscope {
namespace {

constexpr std::string_view kOperator = "operator";
// The signs with angle brackets in them; a longer one before what it begins with.
constexpr std::array<std::string_view, 10> kSigns = {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<"};

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// How many bytes an operator's name with angle brackets has at `at`; 0 when there is none.
size_t OperatorAt(std::string_view name, size_t at) {
  if (name.substr(at, kOperator.size()) != kOperator || (at > 0 && IsWordByte(name[at - 1]))) return 0;
  const std::string_view rest = name.substr(at + kOperator.size());
  for (const std::string_view sign : kSigns) {
    if (rest.starts_with(sign)) return kOperator.size() + sign.size();
  }
  return rest.starts_with('>') ? kOperator.size() + 1 : 0;
}

// Where the list that begins at `begin` ends, behind its >; npos when it does not.
size_t EndOfList(std::string_view name, size_t begin) {
  size_t depth = 0;
  for (size_t at = begin; at < name.size(); ++at) {
    if (name[at] == '<') ++depth;
    if (name[at] == '>' && name[at - 1] != '-' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace

std::string MethodName(std::string_view name) {
  std::string plain;
  plain.reserve(name.size());
  for (size_t at = 0; at < name.size();) {
    if (const size_t length = OperatorAt(name, at); length > 0) {
      plain += name.substr(at, length);
      at += length;
      if (name.substr(at).starts_with(" <")) ++at;  // a space parts the sign from the list
      if (at >= name.size() || name[at] != '<') continue;
    } else if (name[at] != '<' || at == 0 || name[at - 1] == '.' || name[at - 1] == ':' || name[at - 1] == ' ' || name[at - 1] == '(') {
      plain += name[at++];
      continue;
    }
    const size_t end = EndOfList(name, at);
    if (end == std::string_view::npos) return plain.append(name.substr(at));
    at = end;
  }
  return plain;
}

}  // namespace oscope
