// The settings of a recording, as tracer/raw/raw_format.h describes them.
//
// Threads: plain values; read once, before the program starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace oscope::pin {

// Numbered as in CHOP records.
enum class Granularity : uint32_t { kOff = 0, kMethod, kStatement, kBlock, kInstruction };

struct KeepRule {
  bool keep = false;
  bool by_object = false;  // else by name
  std::string glob;
};

struct Capture {
  char kind = 's';  // s, S, i
  uint32_t argument = 0;
};

struct MarkRule {
  uint32_t index = 0;
  bool always = true;  // else if `argument` lies in low..high
  uint32_t argument = 0;
  int32_t low = 0;
  int32_t high = 0;
  std::vector<Capture> captures;
  std::string glob;
};

struct ChopPoint {
  enum class Kind { kStart, kStop, kWithin };
  Kind kind = Kind::kStart;
  Granularity granularity = Granularity::kMethod;  // of kWithin
  bool by_line = false;
  std::string place;  // a glob of names, or a file
  uint32_t line = 0;
};

struct Settings {
  Granularity granularity = Granularity::kMethod;
  bool main_thread_only = false;
  uint32_t ring_chunks = 1;
  uint32_t string_limit = 4096;
  uint64_t stdin_limit = 0;
  std::vector<KeepRule> rules;
  std::vector<std::string> values;
  std::vector<MarkRule> marks;
  std::vector<ChopPoint> chops;

  bool Chops(ChopPoint::Kind kind) const;
};

// Arguments that are passed in registers, and so can be recorded.
constexpr uint32_t kArguments = 6;

// Texts are cut here even if the settings allow more, so that six of them and the rest of a record fit into a chunk.
constexpr uint32_t kMaxStringLimit = 32768;

// False, with a sentence in `error`, when a line is not understood.
bool ParseSettings(const std::string& text, Settings* settings, std::string* error);

}  // namespace oscope::pin
