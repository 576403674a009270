// FunctionTable: which function covers an address, by the symbol tables of an object and, where they are silent, by
// .eh_frame.
//
// The symbols are those of the object's .symtab, else of its debug file's, else .dynsym. Only STT_FUNC in code counts:
// an ifunc's symbol names what it resolves to, not the resolver it points at.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tracer/symbols/elf_image.h"
#include "tracer/symbols/object_file.h"

namespace oscope {

class FunctionTable {
 public:
  // `debug_file` may be nullptr. Both must outlive the table, which borrows their names.
  FunctionTable(const ElfImage& object, const ElfImage* debug_file);

  // See ObjectFile::FunctionAt.
  std::optional<FunctionSymbol> At(uint64_t address) const;

  size_t size() const { return functions_.size(); }

 private:
  struct Function {
    std::string_view name;
    uint64_t start = 0;
    uint64_t end = 0;
    uint64_t reach = 0;  // the largest end up to and including this function: none before it covers an address beyond
    uint64_t entry = 0;
    bool has_size = false;
  };
  class Builder;

  static std::optional<FunctionSymbol> Answer(const Function* function, AddressRange range);
  const Function* Covering(uint64_t address) const;
  const Function* StartingAt(uint64_t address) const;
  std::optional<AddressRange> UnwindRangeAt(uint64_t address) const;
  const std::vector<AddressRange>& unwind_ranges() const;

  const ElfImage& object_;
  std::vector<Function> functions_;                                 // by start, which differ
  std::vector<AddressRange> stubs_;                                 // .plt sections
  mutable std::optional<std::vector<AddressRange>> unwind_ranges_;  // read when first needed
};

}  // namespace oscope
