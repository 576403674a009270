// The names of functions in a uftrace data directory: its .map and .sym files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/import/import_batch.h"

namespace oscope {

// One .sym file.
class UftraceSymbolFile {
 public:
  explicit UftraceSymbolFile(std::string_view text);

  const std::string& path() const { return path_; }  // of the object; empty: the file does not say
  const std::string& build_id() const { return build_id_; }
  struct Symbol {
    uint64_t address = 0;
    char type = '?';
    std::string_view name;
  };
  // The function that covers an address; nullptr where none does. A stub ('P') counts.
  const Symbol* Find(uint64_t address) const;

 private:
  std::string path_;
  std::string build_id_;
  std::vector<Symbol> symbols_;  // by address
};

// Where the objects of a session lie in memory.
class UftraceSession {
 public:
  // `relative`: addresses in .sym files count from an object's mapping. The symbol files must outlive the session.
  UftraceSession(std::string_view map, const std::vector<UftraceSymbolFile>& symbols, bool relative);

  // A library that was opened later.
  void AddLibrary(uint64_t base, std::string_view path);

  // The function at a run-time address. Without a name it is known by its object.
  StackFrame FrameAt(uint64_t address) const;

 private:
  struct Object {
    uint64_t start = 0;
    uint64_t end = 0;
    std::string path;
    std::string build_id;
    const UftraceSymbolFile* symbols = nullptr;
  };
  const UftraceSymbolFile* SymbolsOf(const std::string& path, const std::string& build_id) const;

  const std::vector<UftraceSymbolFile>& files_;
  bool relative_;
  std::vector<Object> objects_;    // as mapped at the beginning
  std::vector<Object> libraries_;  // opened later; their ends are not known
};

}  // namespace oscope
