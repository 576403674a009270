// Opens any bytes as an object file and asks it everything, at the places that it says have code and at some that it
// does not.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <set>

#include "tests/fuzz/fuzz_target.h"
#include "tracer/symbols/elf_image.h"
#include "tracer/symbols/linkage_name.h"
#include "tracer/symbols/object_file.h"

namespace oscope {
namespace {

constexpr size_t kMostBytes = 1 << 20;

// What was found at all the places that were asked for.
struct Found {
  std::set<std::string> functions, inlined;
  std::set<uint32_t> lines;
  bool code = false, jumps = false;
};

std::string WithoutSuffix(const std::string& name) { return name.substr(0, name.find('.')); }

void Ask(ObjectFile& object, uint64_t address, Found& found) {
  if (const auto function = object.FunctionAt(address)) {
    OSCOPE_CHECK(function->size > 0 && address - function->start < function->size);
    found.functions.insert(WithoutSuffix(NameOf(function->linkage_name).method));
    if (const auto line = object.DeclaredAt(function->entry)) OSCOPE_CHECK(*line != 0);
  }
  if (const auto line = object.LineAt(address)) {
    OSCOPE_CHECK(line->line != 0);
    found.lines.insert(line->line);
  }
  const auto instruction = object.InstructionAt(address);
  if (instruction) OSCOPE_CHECK(instruction->size > 0 && instruction->size <= 15 && !instruction->opcode.empty());
  found.code |= instruction.has_value();
  if (object.BranchOrdinal(address)) {
    OSCOPE_CHECK(instruction.has_value());
    found.jumps = true;
  }
  for (const InlinedFunction& inlined : object.InlinedAt(address)) found.inlined.insert(inlined.linkage_name);
}

std::string Describe(const ObjectFile& object, const Found& found) {
  // What varies most between compilers comes last.
  return fmt::format("opened; functions: {}; inlined: {}; lines: {}; code: {}; jumps: {}; build id: {}",
                     fmt::join(found.functions, " "), fmt::join(found.inlined, " "), fmt::join(found.lines, " "),
                     found.code, found.jumps, object.build_id().empty() ? "none" : "one");
}

std::string AskAll(const std::string& path) {
  auto object = ObjectFile::Open(path, {.debug_roots = {}});
  // The path is that of a descriptor, whose number may differ.
  if (!object.ok()) return std::string(ErrorCodeName(object.error().code));
  Found outside, found;
  Ask(*object, 0, outside);
  Ask(*object, ~uint64_t{0}, outside);
  const auto image = ElfImage::Open(path, ElfImage::Role::kObject);
  OSCOPE_CHECK(image.ok());
  int sections = 0;
  for (const ElfImage::Section& section : (*image)->sections()) {
    if (!section.is_code() || ++sections > 4) continue;
    const uint64_t step = section.header.sh_size / 512 + 1;
    for (uint64_t i = 0; i * step < section.header.sh_size && i < 512; ++i)
      Ask(*object, section.header.sh_addr + i * step, found);
  }
  return Describe(*object, found);
}

}  // namespace

std::string DescribeInput(std::string_view bytes) {
  if (bytes.size() > kMostBytes) return "too large";
  const int file = memfd_create("object", MFD_CLOEXEC);
  OSCOPE_CHECK(file >= 0 && write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  std::string description = AskAll(fmt::format("/proc/self/fd/{}", file));
  close(file);
  return description;
}

}  // namespace oscope
