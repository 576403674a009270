// Makes one sorted table of functions out of a symbol table in which they overlap, have several names, or no size.
//
// The names of one place are reduced to the best one (global before weak before local, fewest underscores), so that all
// recorders and all runs name a function alike. A part that the compiler moved away (`f.cold`) is named like its
// function and has that function's entry. A symbol without a size ends at the next symbol.
//
// A place may lie in a large function although a smaller one inside it begins later. `reach` (the largest end so far)
// ends the search backwards early; it is the usual way to avoid an interval tree when nesting is rare.
//
// Where no symbol covers a place, the ranges of .eh_frame are asked: a stripped program has them, since exceptions need
// them.
#include "tracer/symbols/function_table.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "tracer/symbols/unwind_ranges.h"

namespace oscope {
namespace {

// How far back a larger function is looked for that covers a place after the end of a smaller one inside it.
constexpr int kMaxNesting = 64;

constexpr std::string_view kCold = ".cold";

// "memcpy@@GLIBC_2.14": the version is not part of the name.
std::string_view WithoutVersion(std::string_view name) {
  const size_t at = name.find('@');
  return at == 0 || at == std::string_view::npos ? name : name.substr(0, at);
}

// What precedes ".cold" or ".cold.7"; empty when the name is not that of a cold part.
std::string_view ParentOfCold(std::string_view name) {
  const size_t at = name.rfind(kCold);
  if (at == std::string_view::npos || at == 0) return {};
  const std::string_view rest = name.substr(at + kCold.size());
  const bool numbered =
      rest.size() > 1 && rest[0] == '.' && rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
  return rest.empty() || numbered ? name.substr(0, at) : std::string_view();
}

const ElfImage::Section* SymbolSection(const ElfImage& image, GElf_Word type) {
  const auto found = std::ranges::find_if(
      image.sections(), [&](const ElfImage::Section& section) { return section.header.sh_type == type; });
  return found == image.sections().end() ? nullptr : &*found;
}

int BindingRank(unsigned char binding) {
  switch (binding) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE: return 0;
    case STB_WEAK: return 1;
    default: return 2;
  }
}

}  // namespace

class FunctionTable::Builder {
 public:
  explicit Builder(const ElfImage& image) : image_(image) {}

  void Read(const ElfImage::Section& table) {
    Elf_Data* data = elf_getdata(table.handle, nullptr);
    if (data == nullptr || table.header.sh_entsize == 0) return;
    const auto count = static_cast<int>(std::min<uint64_t>(data->d_size / table.header.sh_entsize, INT32_MAX));
    for (int i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, i, &symbol) == nullptr) break;
      if (GELF_ST_TYPE(symbol.st_info) == STT_FILE) ++file_;
      Add(symbol, table.header.sh_link);
    }
  }

  std::vector<Function> Finish() {
    ResolveColdParts();
    std::ranges::sort(symbols_, {}, [](const Symbol& symbol) {
      return std::tuple(symbol.start, symbol.binding, symbol.underscores, symbol.name.size(), symbol.name);
    });
    std::vector<Function> functions;
    for (const Symbol& symbol : symbols_) {
      if (!functions.empty() && functions.back().start == symbol.start) {
        AddAlias(functions.back(), symbol);
      } else {
        functions.push_back({symbol.name, symbol.start, symbol.start + symbol.size, 0, symbol.entry, symbol.size != 0});
      }
    }
    CloseOpenEnds(functions);
    NameColdParts(functions);
    return functions;
  }

 private:
  struct Symbol {
    std::string_view name;
    uint64_t start = 0;
    uint64_t size = 0;
    uint64_t entry = 0;
    uint32_t file = 0;  // the n-th of the symbol table: local names are only unique in it
    int binding = 0;
    int underscores = 0;
  };

  void Add(const GElf_Sym& symbol, GElf_Word names) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx >= SHN_LORESERVE) return;
    const ElfImage::Section* section = image_.SectionAt(symbol.st_shndx);
    if (section == nullptr || !section->is_code() || !section->range().contains(symbol.st_value)) return;
    const char* text = elf_strptr(image_.elf(), names, symbol.st_name);
    if (text == nullptr || *text == '\0') return;
    Symbol added;
    added.name = WithoutVersion(text);
    added.start = added.entry = symbol.st_value;
    added.size = std::min<uint64_t>(symbol.st_size, section->range().end - symbol.st_value);
    added.file = file_;
    added.binding = BindingRank(GELF_ST_BIND(symbol.st_info));
    added.underscores = static_cast<int>(std::min(added.name.find_first_not_of('_'), added.name.size()));
    symbols_.push_back(added);
  }

  // Sets the entry of cold parts to the start of the function that they belong to.
  void ResolveColdParts() {
    std::unordered_map<std::string_view, std::vector<const Symbol*>> parents;
    for (const Symbol& symbol : symbols_) {
      if (const auto parent = ParentOfCold(symbol.name); !parent.empty()) parents.try_emplace(parent);
    }
    if (parents.empty()) return;
    for (const Symbol& symbol : symbols_) {
      if (const auto found = parents.find(symbol.name); found != parents.end()) found->second.push_back(&symbol);
    }
    for (Symbol& symbol : symbols_) {
      const std::string_view name = ParentOfCold(symbol.name);
      if (name.empty()) continue;
      symbol.name = name;
      if (const Symbol* parent = BestParent(symbol, parents[name])) symbol.entry = parent->start;
    }
  }

  // A static function's name may stand for several: its own file's counts.
  static const Symbol* BestParent(const Symbol& cold, const std::vector<const Symbol*>& candidates) {
    const Symbol* best = nullptr;
    for (const Symbol* candidate : candidates) {
      const bool is_local = candidate->binding == BindingRank(STB_LOCAL);
      if (is_local && candidate->file != cold.file) continue;
      if (best == nullptr || is_local) best = candidate;
    }
    return best;
  }

  static void AddAlias(Function& function, const Symbol& symbol) {
    function.end = std::max(function.end, symbol.start + symbol.size);
    function.has_size |= symbol.size != 0;
  }

  // A function without a size reaches to the next one, or to the end of its section.
  void CloseOpenEnds(std::vector<Function>& functions) const {
    uint64_t reach = 0;
    for (size_t i = 0; i < functions.size(); ++i) {
      Function& function = functions[i];
      if (!function.has_size) {
        function.end = SectionEnd(function.start);
        if (i + 1 < functions.size()) function.end = std::min(function.end, functions[i + 1].start);
      }
      reach = std::max(reach, function.end);
      function.reach = reach;
    }
  }

  uint64_t SectionEnd(uint64_t address) const {
    for (const ElfImage::Section& section : image_.sections()) {
      if (section.is_code() && section.range().contains(address)) return section.range().end;
    }
    return address;
  }

  // A cold part bears the name that won at its function's start.
  static void NameColdParts(std::vector<Function>& functions) {
    for (Function& function : functions) {
      if (function.entry == function.start) continue;
      const auto parent = std::ranges::lower_bound(functions, function.entry, {}, &Function::start);
      if (parent != functions.end() && parent->start == function.entry) function.name = parent->name;
    }
  }

  const ElfImage& image_;
  uint32_t file_ = 0;
  std::vector<Symbol> symbols_;
};

FunctionTable::FunctionTable(const ElfImage& object, const ElfImage* debug_file) : object_(object) {
  for (const ElfImage::Section& section : object.sections()) {
    if (section.name.starts_with(".plt") || section.name == ".iplt") stubs_.push_back(section.range());
  }
  const ElfImage* source = &object;
  const ElfImage::Section* table = SymbolSection(object, SHT_SYMTAB);
  if (table == nullptr && debug_file != nullptr) {
    table = SymbolSection(*debug_file, SHT_SYMTAB);
    if (table != nullptr) source = debug_file;
  }
  if (table == nullptr) table = SymbolSection(object, SHT_DYNSYM);
  if (table == nullptr) return;
  Builder builder(*source);
  builder.Read(*table);
  functions_ = builder.Finish();
}

std::optional<FunctionSymbol> FunctionTable::At(uint64_t address) const {
  const auto covers = [&](const AddressRange& range) { return range.contains(address); };
  if (std::ranges::any_of(stubs_, covers)) return std::nullopt;
  const Function* function = Covering(address);
  if (function != nullptr && function->has_size) return Answer(function, {function->start, function->end});
  const std::optional<AddressRange> range = UnwindRangeAt(address);
  if (!range) return function == nullptr ? std::nullopt : Answer(function, {function->start, function->end});
  // Of a symbol without a size .eh_frame knows the end; of a place that no symbol covers, the beginning too.
  if (function != nullptr && function->start >= range->start)
    return Answer(function, {function->start, std::min(function->end, range->end)});
  return Answer(StartingAt(range->start), *range);
}

std::optional<FunctionSymbol> FunctionTable::Answer(const Function* function, AddressRange range) {
  const std::string name(function == nullptr ? std::string_view() : function->name);
  return FunctionSymbol{name, range.start, range.end - range.start,
                        function == nullptr ? range.start : function->entry};
}

const FunctionTable::Function* FunctionTable::Covering(uint64_t address) const {
  auto at = std::ranges::upper_bound(functions_, address, {}, &Function::start);
  for (int steps = 0; at != functions_.begin() && steps < kMaxNesting; ++steps) {
    --at;
    if (address < at->end) return &*at;
    if (at->reach <= address) return nullptr;
  }
  return nullptr;
}

const FunctionTable::Function* FunctionTable::StartingAt(uint64_t address) const {
  const auto found = std::ranges::lower_bound(functions_, address, {}, &Function::start);
  return found != functions_.end() && found->start == address ? &*found : nullptr;
}

std::optional<AddressRange> FunctionTable::UnwindRangeAt(uint64_t address) const {
  const auto& ranges = unwind_ranges();
  auto at = std::ranges::upper_bound(ranges, address, {}, &AddressRange::start);
  if (at == ranges.begin() || !(--at)->contains(address)) return std::nullopt;
  return *at;
}

const std::vector<AddressRange>& FunctionTable::unwind_ranges() const {
  if (!unwind_ranges_) unwind_ranges_ = ReadUnwindRanges(object_);
  return *unwind_ranges_;
}

}  // namespace oscope
