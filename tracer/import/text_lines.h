// Small readers of lines, shared by the importers of text. All views borrow from the text that they were given.
//
// The Consume functions remove what they read from the front of `text`. When it is not there they return false or
// nullopt and leave `text` unchanged.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/model/run.h"

namespace oscope {

// Returns the lines of `bytes` without their ends, which are "\n" or "\r\n"; the last line needs none. The line with
// index i has the number i + 1.
std::vector<std::string_view> SplitLines(std::string_view bytes);

// Returns `line` without terminal colours (ESC [ … m), which tools put around names. If there were any, the result
// borrows from `storage`.
std::string_view WithoutColour(std::string_view line, std::string& storage);

std::string_view Trim(std::string_view text);
size_t IndentOf(std::string_view line);  // leading spaces and tabs
bool IsBlank(std::string_view line);
bool Contains(std::string_view text, std::string_view part);

bool Consume(std::string_view& text, std::string_view prefix);

// A decimal number; "0x" and hexadecimal digits. A number that does not fit in 64 bits counts as none.
std::optional<uint64_t> ConsumeNumber(std::string_view& text);
std::optional<uint64_t> ConsumeHex(std::string_view& text);
std::optional<uint64_t> ConsumeHexDigits(std::string_view& text);  // without "0x"

// Returns the whole of `text` as a decimal number; nullopt when it is anything else.
std::optional<uint64_t> ParseNumber(std::string_view text);

std::string_view BaseNameOf(std::string_view path);

// Sets file and line from "file:12:3" or "file:12" (the column is dropped), or the file alone when there is no number.
void ParseLocation(std::string_view location, SymbolAttributes& attributes);

// Returns the number of a signal ("SIGSEGV" is 11 on Linux); nullopt when there is no signal of this name.
std::optional<int32_t> SignalNumber(std::string_view name);
void SetSignal(RunHeader& run, int32_t signal);

// Returns "c++", "c", "rust" and so on, judging by the files and names of the frames; empty when they do not tell.
struct StackFrame;
std::string NativeLanguageOf(const std::vector<StackFrame>& frames);

}  // namespace oscope
