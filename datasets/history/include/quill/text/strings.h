// Small functions over strings. Classes of characters are those of ASCII.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quill::text {

bool IsDigit(char c);
bool IsLetter(char c);
// What may stand in a name: a letter, a digit or '_'.
bool IsNameCharacter(char c);

std::string_view Trim(std::string_view text);
std::string ToLower(std::string_view text);
bool StartsWith(std::string_view text, std::string_view prefix);

// "a,,b" has three parts; an empty text has one.
std::vector<std::string> Split(std::string_view text, char separator);
// The lines without their ends. A last line end does not begin another line.
std::vector<std::string> SplitLines(std::string_view text);
std::string Join(const std::vector<std::string>& parts, std::string_view separator);

// Replaces in the order given, each over the result of the one before.
using Replacement = std::pair<std::string_view, std::string_view>;
std::string ReplaceEach(std::string text, const std::vector<Replacement>& replacements);

}  // namespace quill::text
