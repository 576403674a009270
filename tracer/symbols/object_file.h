// ObjectFile: an ELF executable or shared library, asked what lies at an address.
//
// Addresses are ELF virtual addresses: the run-time address less the bias at which the object was loaded. Names come
// from the symbol tables alone, lines and inlined functions from DWARF, which is opened at the first question for it
// and read one compile unit at a time. Both may lie in a separate debug file (Open says where it is looked for);
// nothing is downloaded.
// Cost:     Open reads the symbol tables (21 ms for the 44,459 symbols of libLLVM-14); FunctionAt is a binary search
//           (below 1 us).
// Bytes:    of the file are not trusted: what cannot be read is an answer that is missing, never a crash.
// Threads:  one at a time for an object; different objects are independent.
//
// Example:
//   OSCOPE_ASSIGN_OR_RETURN(ObjectFile object, ObjectFile::Open("/usr/bin/jq"));
//   if (auto function = object.FunctionAt(0x4010)) name = NameOf(function->linkage_name).method;
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace oscope {

struct FunctionSymbol {
  // as the symbol table has it (mangled), without version and ".cold"; empty: no symbol covers the place, and the
  // extent is what .eh_frame says (a stripped object)
  std::string linkage_name;
  uint64_t start = 0;
  uint64_t size = 0;
  // where the function is entered: `start`, but for a ".cold" part the start of the function that it belongs to
  uint64_t entry = 0;
  bool operator==(const FunctionSymbol&) const = default;
};

struct SourceLine {
  std::string file;  // absolute where DWARF says so
  uint32_t line = 0;
  bool operator==(const SourceLine&) const = default;
};

struct Instruction {
  std::string opcode;  // upper case, without prefixes: "MOV", "MOVSB"
  // "rax, qword ptr [rip]": what moves with the code is left out; a direct call or jump has the name of the function it
  // goes to, or the offset in its own, "+0x1c"
  std::string operands;
  uint32_t size = 0;  // in bytes
  bool operator==(const Instruction&) const = default;
};

// A function that the compiler put into another one.
struct InlinedFunction {
  std::string linkage_name;  // for NameOf, as in FunctionSymbol; the qualified name where DWARF has no linkage name
  SourceLine call;           // where the next outer function calls it; line 0: unknown
  bool operator==(const InlinedFunction&) const = default;
};

class ObjectFile {
 public:
  struct Options {
    // Where distributions keep debug files: <root>/.build-id/ab/cdef.debug and <root>/<directory of the object>/<debug
    // link>. A debug link is looked for beside the object and in .debug/ there too.
    std::vector<std::string> debug_roots = {"/usr/lib/debug"};
  };

  // `path` as the process had it. kNotFound when there is no such file, kIo when it cannot be read, kInvalid when it is
  // no ELF file, kUnsupported when it is one but neither executable nor shared library, kCorrupt when its headers
  // contradict its size.
  static Result<ObjectFile> Open(const std::string& path);
  static Result<ObjectFile> Open(const std::string& path, const Options& options);

  ObjectFile(ObjectFile&& other) noexcept;
  ObjectFile& operator=(ObjectFile&& other) noexcept;
  ~ObjectFile();

  const std::string& path() const;
  const std::string& build_id() const;    // hexadecimal; empty: none
  const std::string& debug_path() const;  // of the separate debug file that is used; empty: none
  int64_t modified_ns() const;            // when the object was last written, since the epoch (SourceText needs it)
  bool has_lines() const;                 // whether there is DWARF at all

  // The function that covers `address`. Of several names for one place: global before weak before local, then fewest
  // leading underscores, then the shortest, then the first by its bytes. Nothing outside code and in the stubs of .plt
  // sections.
  std::optional<FunctionSymbol> FunctionAt(uint64_t address) const;

  std::optional<SourceLine> LineAt(uint64_t address);

  // The line of a function's first row: what offsets of lines in a method count from. Takes FunctionSymbol::entry.
  std::optional<uint32_t> DeclaredAt(uint64_t function_entry);

  // The conditional jump at `address` is the n-th (from 0) of its function by address; those of a ".cold" part follow
  // the others. x86 only. Jcc, JRCXZ and LOOP count. Nothing when there is no such jump there.
  std::optional<uint32_t> BranchOrdinal(uint64_t address);

  // The instruction that begins at `address`. x86 only.
  std::optional<Instruction> InstructionAt(uint64_t address);

  // The functions inlined at `address`, innermost first; the function itself is not among them. LineAt(address) is the
  // innermost one's line, and each `call` the line in the next outer one.
  std::vector<InlinedFunction> InlinedAt(uint64_t address);

  // The compilers that made its compile units, with their versions and flags, as they say of themselves
  // (DW_AT_producer): each text once, in their order in the file, the first kMaxCompilers of them. Empty without DWARF.
  static constexpr size_t kMaxCompilers = 16;
  std::vector<std::string> Compilers();

 private:
  struct State;
  explicit ObjectFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace oscope
