// Opens any bytes as an object file and asks it everything, at the places that it says have code and at some that it does not.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "tracer/symbols/elf_image.h"
#include "tracer/symbols/linkage_name.h"
#include "tracer/symbols/object_file.h"

namespace oscope {
namespace {

void Ask(ObjectFile& object, uint64_t address) {
  if (const auto function = object.FunctionAt(address)) {
    OSCOPE_CHECK(function->size > 0 && address - function->start < function->size);
    (void)NameOf(function->linkage_name);
    (void)object.DeclaredAt(function->entry);
  }
  if (const auto line = object.LineAt(address)) OSCOPE_CHECK(line->line != 0);
  if (object.BranchOrdinal(address)) OSCOPE_CHECK(object.InstructionAt(address).has_value());
  (void)object.InstructionAt(address);
  (void)object.InlinedAt(address);
}

void AskAll(const std::string& path) {
  auto object = ObjectFile::Open(path, {.debug_roots = {}});
  if (!object.ok()) return;
  Ask(*object, 0);
  Ask(*object, ~uint64_t{0});
  const auto image = ElfImage::Open(path, ElfImage::Role::kObject);
  OSCOPE_CHECK(image.ok());
  int sections = 0;
  for (const ElfImage::Section& section : (*image)->sections()) {
    if (!section.is_code() || ++sections > 4) continue;
    const uint64_t step = section.header.sh_size / 8 + 1;
    for (uint64_t i = 0; i < 8; ++i) Ask(*object, section.header.sh_addr + i * step);
  }
}

}  // namespace
}  // namespace oscope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 1 << 20) return 0;
  const int file = memfd_create("object", MFD_CLOEXEC);
  OSCOPE_CHECK(file >= 0 && write(file, data, size) == static_cast<ssize_t>(size));
  oscope::AskAll(fmt::format("/proc/self/fd/{}", file));
  close(file);
  return 0;
}
