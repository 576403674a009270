// Small readers of lines, shared by the importers of text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/model/run.h"

namespace oscope {

// Borrows from `bytes`; "\n" and "\r\n" end a line, and a last line needs neither. Line i has the
// number i + 1.
std::vector<std::string_view> SplitLines(std::string_view bytes);

// `line` without terminal colours (ESC [ … m), which the tools themselves put around names.
// `storage` holds the text if it changed.
std::string_view WithoutColour(std::string_view line, std::string& storage);

std::string_view Trim(std::string_view text);
size_t IndentOf(std::string_view line);  // leading spaces and tabs
bool IsBlank(std::string_view line);
bool Contains(std::string_view text, std::string_view part);

// Removes `prefix` from the front; false, and no change, when it is not there.
bool Consume(std::string_view& text, std::string_view prefix);

// Removes a decimal number, or "0x" and hexadecimal digits. nullopt, and no change, when there is
// none or it does not fit.
std::optional<uint64_t> ConsumeNumber(std::string_view& text);
std::optional<uint64_t> ConsumeHex(std::string_view& text);
std::optional<uint64_t> ConsumeHexDigits(std::string_view& text);  // without "0x"

// All of `text` as a decimal number.
std::optional<uint64_t> ParseNumber(std::string_view text);

std::string_view BaseNameOf(std::string_view path);

// Splits "file:12:3" or "file:12"; the file alone when there is no number. The column goes.
void ParseLocation(std::string_view location, SymbolAttributes& attributes);

// "SIGSEGV" -> 11 on Linux; nullopt for a name that is none.
std::optional<int32_t> SignalNumber(std::string_view name);
void SetSignal(RunHeader& run, int32_t signal);

// "c++", "c", "rust", … by the frames' files and names; empty when they do not tell.
struct StackFrame;
std::string NativeLanguageOf(const std::vector<StackFrame>& frames);

}  // namespace oscope
