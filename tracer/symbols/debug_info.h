// DebugInfo: lines and inlined functions of an object, from DWARF 2 to 5.
//
// Which compile unit covers an address is read for the whole object at once (a few bytes a unit); a unit's line table
// and its functions are read when an address in it is first asked for. What the linker threw away and left at address 0
// is no answer.
#pragma once

#include <elfutils/libdw.h>

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tracer/symbols/elf_image.h"
#include "tracer/symbols/object_file.h"

namespace oscope {

class DebugInfo {
 public:
  // nullptr when there is no DWARF that can be read. `image` (the object or its debug file) must outlive the answer.
  static std::unique_ptr<DebugInfo> Open(const ElfImage& image, const std::vector<std::string>& debug_roots);
  ~DebugInfo();

  std::optional<SourceLine> LineAt(uint64_t address);            // the last row at or before the address
  std::optional<uint32_t> FirstLineAt(uint64_t function_start);  // the first row at the address itself
  std::vector<InlinedFunction> InlinedAt(uint64_t address);
  std::vector<std::string> Compilers();  // as ObjectFile says

 private:
  struct FunctionRange {
    AddressRange range;
    Dwarf_Die die;
  };
  struct Unit {
    Dwarf_Die die;   // with the line table
    Dwarf_Die body;  // with the functions: another one where they lie in a .dwo file
    std::optional<std::vector<FunctionRange>> functions;  // by start; read when first needed
  };
  struct UnitRange {
    AddressRange range;
    uint64_t reach = 0;  // the largest end so far, as in FunctionTable
    uint32_t unit = 0;
  };

  explicit DebugInfo(const ElfImage& image) : image_(image) {}
  void LinkSharedFile(const std::vector<std::string>& debug_roots);
  void ReadUnits();
  void AddUnitRanges(uint32_t unit);
  Unit* UnitAt(uint64_t address);
  const std::vector<FunctionRange>& FunctionsOf(Unit& unit);
  void ReadFunctions(Unit& unit, std::vector<FunctionRange>& functions);
  const std::string& NameOfInlined(Dwarf_Die& die, const Unit& unit);

  const ElfImage& image_;
  std::unique_ptr<ElfImage> shared_image_;
  Dwarf* shared_dwarf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  std::vector<Unit> units_;
  std::vector<UnitRange> ranges_;                       // by start
  std::unordered_map<const void*, std::string> names_;  // of inlined functions, by where their declaration lies
};

}  // namespace oscope
