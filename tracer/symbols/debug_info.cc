// Questions about lines and inlined functions, answered from DWARF through elfutils' libdw.
//
// The debug information of a large program is several times its size, and a recording asks about a few thousand places
// in it. So only a list of address ranges of all units is read at the start; the line table and the functions of a unit
// are read when an address in it is asked for. libdw has a function for the first step (dwarf_addrdie), which needs
// .debug_aranges; clang does not write that section, therefore the ranges are read from the units themselves.
//
// The bytes are not trusted. Every loop over linked entries has a limit (kMaxVisited, kMaxNesting, kMaxRanges), because
// a damaged or hostile file may link an entry to one before it. What cannot be read gives no answer.
#include "tracer/symbols/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "tracer/symbols/debug_files.h"

namespace oscope {
namespace {

constexpr int kMaxNesting = 64;  // of units, and of scopes in a function
constexpr size_t kMaxUnits = 1 << 20;
constexpr size_t kMaxVisited = 1 << 24;    // entries of one unit: a hostile sibling link may lead back
constexpr ptrdiff_t kMaxRanges = 1 << 20;  // of one entry

// Calls `take` with each range of code of an entry.
void ForEachRange(Dwarf_Die& die, auto take) {
  Dwarf_Addr base = 0;
  Dwarf_Addr start = 0;
  Dwarf_Addr end = 0;
  ptrdiff_t offset = 0;
  for (ptrdiff_t count = 0; count < kMaxRanges; ++count) {
    offset = dwarf_ranges(&die, offset, &base, &start, &end);
    if (offset <= 0) return;
    if (start < end) take(AddressRange{start, end});
  }
}

// Rows of a line table by address. Rows that end a sequence have no line.
struct Rows {
  Dwarf_Lines* lines = nullptr;
  size_t count = 0;

  explicit Rows(Dwarf_Die& unit) {
    if (dwarf_getsrclines(&unit, &lines, &count) != 0) count = 0;
  }
  Dwarf_Line* row(size_t i) const { return dwarf_onesrcline(lines, i); }
  uint64_t address(size_t i) const {
    Dwarf_Addr address = 0;
    dwarf_lineaddr(row(i), &address);
    return address;
  }
  bool ends_sequence(size_t i) const {
    bool ends = true;
    return dwarf_lineendsequence(row(i), &ends) != 0 || ends;
  }
  uint32_t line(size_t i) const {
    int line = 0;
    return dwarf_lineno(row(i), &line) == 0 && line > 0 ? static_cast<uint32_t>(line) : 0;
  }
  // The first row whose address is not below `address` (above it, if `above`).
  size_t Find(uint64_t address_wanted, bool above) const {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      const uint64_t here = address(middle);
      if (here < address_wanted || (above && here == address_wanted)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

bool MayHoldFunctions(int tag) {
  switch (tag) {
    case DW_TAG_compile_unit:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type: return true;
    default: return false;
  }
}

const char* LinkageName(Dwarf_Die& die) {
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(&die, name, &attribute) == nullptr) continue;
    if (const char* text = dwarf_formstring(&attribute)) return text;
  }
  return nullptr;
}

// The entry that declares what `die` is an instance of.
Dwarf_Die DeclarationOf(Dwarf_Die die) {
  for (int steps = 0; steps < kMaxNesting; ++steps) {
    Dwarf_Attribute attribute;
    Dwarf_Die next;
    const bool has_link = dwarf_attr(&die, DW_AT_abstract_origin, &attribute) != nullptr ||
                          dwarf_attr(&die, DW_AT_specification, &attribute) != nullptr;
    if (!has_link || dwarf_formref_die(&attribute, &next) == nullptr) break;
    die = next;
  }
  return die;
}

bool IsC(int language) {
  return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 || language == DW_LANG_C11;
}

bool IsScope(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
         tag == DW_TAG_union_type;
}

// "net::Socket::read" from the entries around a declaration.
std::string QualifiedName(Dwarf_Die declaration) {
  const char* own = dwarf_diename(&declaration);
  if (own == nullptr) return {};
  std::string name = own;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &scopes);
  for (int i = 1; i < count; ++i) {
    const char* scope = IsScope(dwarf_tag(&scopes[i])) ? dwarf_diename(&scopes[i]) : nullptr;
    if (scope != nullptr) name = fmt::format("{}::{}", scope, name);
  }
  if (count > 0) std::free(scopes);
  return name;
}

SourceLine CallOf(Dwarf_Die& inlined, Dwarf_Die unit) {
  SourceLine call;
  Dwarf_Attribute attribute;
  Dwarf_Word line = 0;
  Dwarf_Word file = 0;
  if (dwarf_attr(&inlined, DW_AT_call_line, &attribute) == nullptr || dwarf_formudata(&attribute, &line) != 0)
    return call;
  call.line = line <= UINT32_MAX ? static_cast<uint32_t>(line) : 0;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_attr(&inlined, DW_AT_call_file, &attribute) == nullptr || dwarf_formudata(&attribute, &file) != 0)
    return call;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0 || file >= count) return call;
  if (const char* path = dwarf_filesrc(files, file, nullptr, nullptr)) call.file = path;
  return call;
}

// The scope directly inside `scope` that covers the address; false when there is none.
bool EnterScope(Dwarf_Die& scope, uint64_t address) {
  Dwarf_Die child;
  if (dwarf_child(&scope, &child) != 0) return false;
  for (size_t visited = 0; visited < kMaxVisited; ++visited) {
    const int tag = dwarf_tag(&child);
    if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && dwarf_haspc(&child, address) > 0) {
      scope = child;
      return true;
    }
    if (dwarf_siblingof(&child, &child) != 0) return false;
  }
  return false;
}

}  // namespace

std::unique_ptr<DebugInfo> DebugInfo::Open(const ElfImage& image, const std::vector<std::string>& debug_roots) {
  if (!image.HasDwarf()) return nullptr;
  std::unique_ptr<DebugInfo> info(new DebugInfo(image));
  info->dwarf_ = dwarf_begin_elf(image.elf(), DWARF_C_READ, nullptr);
  if (info->dwarf_ == nullptr) return nullptr;
  info->LinkSharedFile(debug_roots);
  info->ReadUnits();
  return info;
}

DebugInfo::~DebugInfo() {
  if (dwarf_ != nullptr) dwarf_end(dwarf_);
  if (shared_dwarf_ != nullptr) dwarf_end(shared_dwarf_);
}

void DebugInfo::LinkSharedFile(const std::vector<std::string>& debug_roots) {
  const char* link = nullptr;
  const void* id = nullptr;
  const ssize_t id_size = dwelf_dwarf_gnu_debugaltlink(dwarf_, &link, &id);
  if (id_size <= 0 || link == nullptr) return;
  std::string build_id;
  for (ssize_t i = 0; i < id_size; ++i) build_id += fmt::format("{:02x}", static_cast<const unsigned char*>(id)[i]);
  shared_image_ = FindSharedDebugFile(image_, link, build_id, debug_roots);
  if (shared_image_ == nullptr) return;
  shared_dwarf_ = dwarf_begin_elf(shared_image_->elf(), DWARF_C_READ, nullptr);
  if (shared_dwarf_ != nullptr) dwarf_setalt(dwarf_, shared_dwarf_);
}

void DebugInfo::ReadUnits() {
  Dwarf_CU* cu = nullptr;
  Dwarf_Die die;
  Dwarf_Die split;
  uint8_t type = 0;
  while (units_.size() < kMaxUnits && dwarf_get_units(dwarf_, cu, &cu, nullptr, &type, &die, &split) == 0) {
    if (type != DW_UT_compile && type != DW_UT_skeleton) continue;
    const bool has_split = type == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_compile_unit;
    units_.push_back({die, has_split ? split : die, std::nullopt});
    AddUnitRanges(static_cast<uint32_t>(units_.size() - 1));
  }
  std::ranges::sort(ranges_, {},
                    [](const UnitRange& range) { return std::tuple(range.range.start, range.range.end, range.unit); });
  // A template's instance is in many units, and the linker lets all of them point at the one that it kept: the first.
  const auto repeated = std::ranges::unique(ranges_, {}, &UnitRange::range);
  ranges_.erase(repeated.begin(), repeated.end());
  uint64_t reach = 0;
  for (UnitRange& range : ranges_) range.reach = reach = std::max(reach, range.range.end);
}

void DebugInfo::AddUnitRanges(uint32_t unit) {
  ForEachRange(units_[unit].die, [&](AddressRange range) {
    if (range.start >= image_.code_start()) ranges_.push_back({range, 0, unit});
  });
}

DebugInfo::Unit* DebugInfo::UnitAt(uint64_t address) {
  auto at = std::ranges::upper_bound(ranges_, address, {}, [](const UnitRange& range) { return range.range.start; });
  for (int steps = 0; at != ranges_.begin() && steps < kMaxNesting; ++steps) {
    --at;
    if (address < at->range.end) return &units_[at->unit];
    if (at->reach <= address) break;
  }
  return nullptr;
}

std::optional<SourceLine> DebugInfo::LineAt(uint64_t address) {
  Unit* unit = UnitAt(address);
  if (unit == nullptr) return std::nullopt;
  const Rows rows(unit->die);
  const size_t after = rows.Find(address, true);
  if (after == 0 || rows.ends_sequence(after - 1)) return std::nullopt;
  const char* file = dwarf_linesrc(rows.row(after - 1), nullptr, nullptr);
  const uint32_t line = rows.line(after - 1);
  if (file == nullptr || line == 0) return std::nullopt;
  return SourceLine{file, line};
}

std::optional<uint32_t> DebugInfo::FirstLineAt(uint64_t function_start) {
  Unit* unit = UnitAt(function_start);
  if (unit == nullptr) return std::nullopt;
  const Rows rows(unit->die);
  for (size_t i = rows.Find(function_start, false); i < rows.count && rows.address(i) == function_start; ++i) {
    if (!rows.ends_sequence(i) && rows.line(i) != 0) return rows.line(i);
  }
  return std::nullopt;
}

std::vector<std::string> DebugInfo::Compilers() {
  std::vector<std::string> compilers;
  std::string_view last;
  for (Unit& unit : units_) {
    Dwarf_Attribute attribute;
    const char* text = dwarf_formstring(dwarf_attr(&unit.body, DW_AT_producer, &attribute));
    // Units of one compiler stand together, and there may be thousands.
    if (text == nullptr || *text == '\0' || text == last) continue;
    last = text;
    if (std::ranges::find(compilers, last) != compilers.end()) continue;
    compilers.emplace_back(last);
    if (compilers.size() == ObjectFile::kMaxCompilers) break;
  }
  return compilers;
}

std::vector<InlinedFunction> DebugInfo::InlinedAt(uint64_t address) {
  std::vector<InlinedFunction> inlined;
  Unit* unit = UnitAt(address);
  if (unit == nullptr) return inlined;
  const auto& functions = FunctionsOf(*unit);
  const auto after = std::ranges::upper_bound(functions, address, {},
                                              [](const FunctionRange& function) { return function.range.start; });
  if (after == functions.begin() || !std::prev(after)->range.contains(address)) return inlined;
  Dwarf_Die scope = std::prev(after)->die;
  for (int depth = 0; depth < kMaxNesting && EnterScope(scope, address); ++depth) {
    if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine) continue;
    const std::string& name = NameOfInlined(scope, *unit);
    if (!name.empty()) inlined.push_back({name, CallOf(scope, unit->body)});
  }
  std::ranges::reverse(inlined);
  return inlined;
}

const std::vector<DebugInfo::FunctionRange>& DebugInfo::FunctionsOf(Unit& unit) {
  if (!unit.functions) {
    ReadFunctions(unit, unit.functions.emplace());
    std::ranges::stable_sort(*unit.functions, {}, [](const FunctionRange& function) { return function.range.start; });
  }
  return *unit.functions;
}

// Depth first, with a stack of our own: functions may lie in namespaces, classes and other functions.
void DebugInfo::ReadFunctions(Unit& unit, std::vector<FunctionRange>& functions) {
  std::vector<Dwarf_Die> open = {unit.body};
  for (size_t visited = 0; !open.empty() && visited < kMaxVisited; ++visited) {
    Dwarf_Die die = open.back();
    open.pop_back();
    const int tag = dwarf_tag(&die);
    if (visited != 0) {
      Dwarf_Die sibling;
      if (dwarf_siblingof(&die, &sibling) == 0) open.push_back(sibling);
    }
    if (!MayHoldFunctions(tag)) continue;
    if (tag == DW_TAG_subprogram) {
      ForEachRange(die, [&](AddressRange range) {
        if (range.start >= image_.code_start()) functions.push_back({range, die});
      });
    }
    Dwarf_Die child;
    if (dwarf_child(&die, &child) == 0) open.push_back(child);
  }
}

const std::string& DebugInfo::NameOfInlined(Dwarf_Die& die, const Unit& unit) {
  Dwarf_Die declaration = DeclarationOf(die);
  std::string& name = names_[declaration.addr];
  if (!name.empty()) return name;
  Dwarf_Die unit_die = unit.body;
  if (const char* linkage = LinkageName(die)) {
    name = linkage;
  } else if (IsC(dwarf_srclang(&unit_die))) {
    const char* plain = dwarf_diename(&declaration);
    name = plain == nullptr ? "" : plain;
  } else {
    name = QualifiedName(declaration);
  }
  return name;
}

}  // namespace oscope
