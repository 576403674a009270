// The sites of a process: what the numbers in its events mean (the .sites file of raw_format.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope::raw {

enum class SiteKind : uint8_t { kNone, kMethod, kBranch, kStatement, kInstruction, kCode };

struct Object {
  uint64_t bias = 0;
  std::string path;
};

struct Site {
  SiteKind kind = SiteKind::kNone;  // kNone: this number was not defined
  std::optional<uint32_t> object;   // of the table's objects
  uint64_t address = 0;             // the ELF virtual address; without an object the run-time address
  std::string name;                 // the symbol the recorder knows; may be empty
};

struct SiteTable {
  std::vector<Object> objects;
  std::vector<Site> sites;
  std::vector<std::string> notes;

  // The first sites and objects, with which a forked process begins.
  SiteTable Head(uint32_t site_count, uint32_t object_count) const;

  // Adds the lines of a file. A last line without its end is what a kill cut off, and is left out. kCorrupt names the
  // line.
  Status Add(std::string_view text);
};

}  // namespace oscope::raw
