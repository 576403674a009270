// SiteNames: from the numbers of a recording to events, frames and functions.
//
// Names come from the object file where it can be read (symbol tables, debug files), else from what the recorder knew,
// else they are the object and the offset, "libfoo.so.1+0x1240". A site is named when it is first asked for.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tracer/model/symbols.h"
#include "tracer/raw/site_table.h"
#include "tracer/record/trace_settings.h"
#include "tracer/symbols/object_file.h"
#include "tracer/symbols/source_text.h"

namespace oscope {

// The object files that the sites of a run lie in, each opened once.
class ObjectCache {
 public:
  // nullptr when it cannot be read.
  ObjectFile* Find(const std::string& path);
  SourceText& sources() { return sources_; }

 private:
  std::map<std::string, std::unique_ptr<ObjectFile>> objects_;
  SourceText sources_;
};

// A function that sites lie in.
struct RecordedFunction {
  std::string method;
  std::string signature;
  std::string object;  // a path; empty: generated code
  uint64_t entry = 0;  // its ELF virtual address
  bool kept = true;    // by the rules of the settings
};

struct NamedFrame {
  std::string method;
  SymbolAttributes attributes;
  bool kept = true;
};

class SiteNames {
 public:
  // Borrows all of them. Events are interned in `symbols`.
  SiteNames(const raw::SiteTable& sites, const TraceSettings& settings, std::span<const KeepRule> rules,
            ObjectCache& objects, SymbolTable& symbols);

  static constexpr uint32_t kLeftOut = UINT32_MAX;

  // The symbol of an event at a site, as a number; kLeftOut where the rules leave it out or the site is not defined.
  uint32_t Event(uint32_t site) {
    return site < events_.size() && events_[site] != kUnnamed ? events_[site] : NameEvent(site);
  }
  uint32_t Branch(uint32_t site, bool taken) {
    const uint32_t symbol = Event(site);
    return symbol == kLeftOut || !taken ? symbol : taken_[site];
  }

  // The function of a site of any kind; nullptr when the site is not defined.
  const RecordedFunction* FunctionOf(uint32_t site);
  // A number that is the same for two sites of the same function.
  uint32_t FunctionNumber(uint32_t site);

  // The frames at a code site, innermost first: functions that were inlined there, then the function itself. A code
  // site is an instruction that failed, or lies within a call that is under way (raw_format.h): never a return address,
  // which may be that of the next line or function.
  std::vector<NamedFrame> FramesAt(uint32_t site);

 private:
  static constexpr uint32_t kUnnamed = UINT32_MAX - 1;

  uint32_t NameEvent(uint32_t site);
  uint32_t FunctionAt(const raw::Site& site);  // its number
  ObjectFile* ObjectOf(const raw::Site& site);
  std::string StatementText(const raw::Site& site, const RecordedFunction& function);
  SymbolAttributes AttributesOf(const raw::Site& site, const RecordedFunction& function);
  bool IsValued(const std::string& method) const;

  const raw::SiteTable& sites_;
  const TraceSettings& settings_;
  std::span<const KeepRule> rules_;
  ObjectCache& objects_;
  SymbolTable& symbols_;
  std::vector<uint32_t> events_;  // by site
  std::unordered_map<uint32_t, uint32_t> taken_;
  std::deque<RecordedFunction> functions_;                              // addresses are given out
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> function_numbers_;  // by object and entry
  std::unordered_map<uint32_t, uint32_t> function_of_site_;
};

}  // namespace oscope
