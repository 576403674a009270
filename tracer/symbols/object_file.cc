// Puts the readers together: symbols at once, DWARF and the disassembler at the first question for them. A debug file
// is only looked for when the object has no DWARF of its own.
//
// A conditional jump is identified by its ordinal among the jumps of its function, not by its offset, so that it keeps
// its name when the code around it changes. The jumps of a function are therefore disassembled as a whole, once.
#include "tracer/symbols/object_file.h"

#include <algorithm>
#include <unordered_map>

#include "tracer/symbols/debug_files.h"
#include "tracer/symbols/debug_info.h"
#include "tracer/symbols/disassembler.h"
#include "tracer/symbols/elf_image.h"
#include "tracer/symbols/function_table.h"

namespace oscope {

struct ObjectFile::State {
  State(std::unique_ptr<ElfImage> object, std::unique_ptr<ElfImage> debug, const Options& given)
      : image(std::move(object)), debug_image(std::move(debug)), options(given), functions(*image, debug_image.get()) {
    if (debug_image != nullptr) debug_path = debug_image->path();
  }

  // The image that has DWARF; nullptr: none has.
  const ElfImage* dwarf_image() const {
    if (image->HasDwarf()) return image.get();
    return debug_image != nullptr && debug_image->HasDwarf() ? debug_image.get() : nullptr;
  }

  DebugInfo* DebugInfoOnDemand() {
    if (!debug_info_tried) {
      debug_info_tried = true;
      if (const ElfImage* source = dwarf_image()) debug_info = DebugInfo::Open(*source, options.debug_roots);
    }
    return debug_info.get();
  }

  Disassembler* DisassemblerOnDemand() {
    if (!disassembler_tried) {
      disassembler_tried = true;
      disassembler = Disassembler::Create(image->machine());
    }
    return disassembler.get();
  }

  // The addresses of a function's conditional jumps, one part of it (the whole, or the cold part).
  const std::vector<uint64_t>& JumpsOf(const FunctionSymbol& part) {
    const auto [entry, is_new] = jumps.try_emplace(part.start);
    if (is_new) {
      const std::string_view code = image->CodeAt(part.start);
      entry->second = DisassemblerOnDemand()->ConditionalJumps(code.substr(0, std::min<size_t>(code.size(), part.size)),
                                                               part.start);
    }
    return entry->second;
  }

  std::unique_ptr<ElfImage> image;
  std::unique_ptr<ElfImage> debug_image;
  std::string debug_path;
  Options options;
  FunctionTable functions;
  bool debug_info_tried = false;
  bool disassembler_tried = false;
  std::unique_ptr<DebugInfo> debug_info;
  std::unique_ptr<Disassembler> disassembler;
  std::unordered_map<uint64_t, std::vector<uint64_t>> jumps;  // by the start of a function's part
};

ObjectFile::ObjectFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
ObjectFile::ObjectFile(ObjectFile&& other) noexcept = default;
ObjectFile& ObjectFile::operator=(ObjectFile&& other) noexcept = default;
ObjectFile::~ObjectFile() = default;

Result<ObjectFile> ObjectFile::Open(const std::string& path) { return Open(path, Options()); }

Result<ObjectFile> ObjectFile::Open(const std::string& path, const Options& options) {
  OSCOPE_ASSIGN_OR_RETURN(std::unique_ptr<ElfImage> image, ElfImage::Open(path, ElfImage::Role::kObject));
  std::unique_ptr<ElfImage> debug_image;
  if (!image->HasDwarf()) debug_image = FindDebugFile(*image, options.debug_roots);
  return ObjectFile(std::make_unique<State>(std::move(image), std::move(debug_image), options));
}

const std::string& ObjectFile::path() const { return state_->image->path(); }
const std::string& ObjectFile::build_id() const { return state_->image->build_id(); }
const std::string& ObjectFile::debug_path() const { return state_->debug_path; }
int64_t ObjectFile::modified_ns() const { return state_->image->modified_ns(); }
bool ObjectFile::has_lines() const { return state_->dwarf_image() != nullptr; }

std::optional<FunctionSymbol> ObjectFile::FunctionAt(uint64_t address) const { return state_->functions.At(address); }

std::optional<SourceLine> ObjectFile::LineAt(uint64_t address) {
  DebugInfo* info = state_->DebugInfoOnDemand();
  return info == nullptr ? std::nullopt : info->LineAt(address);
}

std::optional<uint32_t> ObjectFile::DeclaredAt(uint64_t function_entry) {
  DebugInfo* info = state_->DebugInfoOnDemand();
  return info == nullptr ? std::nullopt : info->FirstLineAt(function_entry);
}

std::optional<uint32_t> ObjectFile::BranchOrdinal(uint64_t address) {
  const auto part = FunctionAt(address);
  if (!part || state_->DisassemblerOnDemand() == nullptr) return std::nullopt;
  const std::vector<uint64_t>& jumps = state_->JumpsOf(*part);
  const auto found = std::ranges::lower_bound(jumps, address);
  if (found == jumps.end() || *found != address) return std::nullopt;
  auto ordinal = static_cast<uint32_t>(found - jumps.begin());
  if (part->entry != part->start) {
    if (const auto whole = FunctionAt(part->entry)) ordinal += static_cast<uint32_t>(state_->JumpsOf(*whole).size());
  }
  return ordinal;
}

std::optional<Instruction> ObjectFile::InstructionAt(uint64_t address) {
  if (state_->DisassemblerOnDemand() == nullptr) return std::nullopt;
  auto decoded = state_->DisassemblerOnDemand()->Decode(state_->image->CodeAt(address), address);
  if (!decoded) return std::nullopt;
  Instruction instruction{std::move(decoded->opcode), std::move(decoded->operands), decoded->size};
  if (decoded->target) {
    const auto from = FunctionAt(address);
    const auto to = FunctionAt(*decoded->target);
    if (from && to && from->start == to->start) {
      instruction.operands = fmt::format("+{:#x}", *decoded->target - to->start);
    } else {
      instruction.operands = to ? to->linkage_name : std::string();
    }
  }
  return instruction;
}

std::vector<InlinedFunction> ObjectFile::InlinedAt(uint64_t address) {
  DebugInfo* info = state_->DebugInfoOnDemand();
  return info == nullptr ? std::vector<InlinedFunction>() : info->InlinedAt(address);
}

std::vector<std::string> ObjectFile::Compilers() {
  DebugInfo* info = state_->DebugInfoOnDemand();
  return info == nullptr ? std::vector<std::string>() : info->Compilers();
}

}  // namespace oscope
