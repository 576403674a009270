// The ELF files that are mapped, and places in them.
//
// Threads: under the client lock.
#pragma once

#include <pin.H>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tracer/pin/function_starts.h"

namespace oscope::pin {

struct Image {
  UINT32 id = 0;
  std::string path;  // or "[vdso]"
  uint64_t bias = 0;
  uint32_t object = 0;                                   // its number in the recording
  std::vector<std::pair<ADDRINT, ADDRINT>> regions;      // first and last address
  std::vector<std::pair<ADDRINT, ADDRINT>> stubs;        // linkage sections, first and last address
  std::vector<std::pair<ADDRINT, std::string>> symbols;  // sorted
  ADDRINT unwind_table = 0;                              // 0: none
  bool starts_known = false;
  std::vector<FunctionRange> starts;  // by the unwind table; see FindStart

  bool Holds(ADDRINT address) const;
  bool IsStub(ADDRINT address) const;
};

void OnImageLoad(IMG img, VOID*);
void OnImageUnload(IMG img, VOID*);

Image* FindImage(ADDRINT address);  // nullptr: generated code

// All names of what begins at `address`.
std::vector<std::string> SymbolsAt(const Image& image, ADDRINT address);

// The function that holds `address`, by the unwind table: where it begins.
bool FindStart(Image* image, ADDRINT address, ADDRINT* start);

// The number of a site. Not for use before FlushSites.
uint32_t SiteAt(char kind, ADDRINT address, const std::string& name = std::string());

}  // namespace oscope::pin
