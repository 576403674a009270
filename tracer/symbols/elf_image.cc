// Maps an ELF file and checks its headers against its size before anything else is read: where a file is cut off,
// libelf reports no sections rather than an error, and the object would silently have no names.
//
// The mapping is private and writable because libelf may convert headers in place.
#include "tracer/symbols/elf_image.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "base/descriptor.h"

namespace oscope {
namespace {

std::string Hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

Result<std::unique_ptr<ElfImage>> ElfImage::Open(const std::string& path, Role role) {
  std::unique_ptr<ElfImage> image(new ElfImage(path));
  OSCOPE_RETURN_IF_ERROR(image->Map(role));
  return image;
}

ElfImage::~ElfImage() {
  if (elf_ != nullptr) elf_end(elf_);
  if (!file_.empty()) munmap(const_cast<char*>(file_.data()), file_.size());
}

Status ElfImage::Map(Role role) {
  // Without O_NONBLOCK a named pipe would wait for its writer.
  const Descriptor file(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return NotFound("object file {}: not there", path_);
    return IoError(errno, "open", path_);
  }
  struct stat status{};
  if (fstat(file.get(), &status) != 0) return IoError(errno, "stat", path_);
  if (!S_ISREG(status.st_mode)) return Invalid("{}: not a regular file", path_);
  identity_ = {status.st_dev, status.st_ino};
  modified_ns_ = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  const auto size = static_cast<size_t>(status.st_size);
  if (size < EI_NIDENT) return Invalid("{}: not an ELF file", path_);
  // Private and writable, because libelf may turn headers to the machine's byte order in place.
  void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.get(), 0);
  if (mapped == MAP_FAILED) return IoError(errno, "map", path_);
  file_ = std::string_view(static_cast<const char*>(mapped), size);
  if (!file_.starts_with(ELFMAG)) return Invalid("{}: not an ELF file", path_);
  return ReadHeaders(role);
}

Status ElfImage::ReadHeaders(Role role) {
  elf_version(EV_CURRENT);
  elf_ = elf_memory(const_cast<char*>(file_.data()), file_.size());
  if (elf_ == nullptr || elf_kind(elf_) != ELF_K_ELF || gelf_getehdr(elf_, &header_) == nullptr) {
    return Corrupt("{}: ELF header: {}", path_, elf_errmsg(-1));
  }
  if (role == Role::kObject && header_.e_type != ET_EXEC && header_.e_type != ET_DYN) {
    return Unsupported("{}: neither an executable nor a shared library (ELF type {})", path_, header_.e_type);
  }
  // libelf reports no sections if they are cut off; the header has 0 when there are too many for its field.
  size_t section_count = 0;
  if (elf_getshdrnum(elf_, &section_count) != 0) return Corrupt("{}: section headers: {}", path_, elf_errmsg(-1));
  section_count = std::max<size_t>({section_count, header_.e_shnum, 1});
  if (header_.e_shoff != 0 && !Contains(header_.e_shoff, uint64_t{header_.e_shentsize} * section_count)) {
    return Corrupt("{}: the file ends before its section headers", path_);
  }
  OSCOPE_RETURN_IF_ERROR(ReadSegments(role));
  ReadSections();
  ReadBuildId();
  return Status();
}

Status ElfImage::ReadSegments(Role role) {
  size_t count = 0;
  if (elf_getphdrnum(elf_, &count) != 0) return Corrupt("{}: program headers: {}", path_, elf_errmsg(-1));
  code_start_ = std::numeric_limits<uint64_t>::max();
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf_, static_cast<int>(i), &segment) == nullptr)
      return Corrupt("{}: program header {}: {}", path_, i, elf_errmsg(-1));
    if (segment.p_type != PT_LOAD) continue;
    const bool present = Contains(segment.p_offset, segment.p_filesz);
    if (!present && role == Role::kObject) return Corrupt("{}: the file ends before its segment {}", path_, i);
    if ((segment.p_flags & PF_X) == 0) continue;
    code_start_ = std::min<uint64_t>(code_start_, segment.p_vaddr);
    if (!present || segment.p_filesz > std::numeric_limits<uint64_t>::max() - segment.p_vaddr) continue;
    code_.push_back({{segment.p_vaddr, segment.p_vaddr + segment.p_filesz}, segment.p_offset});
  }
  return Status();
}

void ElfImage::ReadSections() {
  size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return;
  for (Elf_Scn* handle = elf_nextscn(elf_, nullptr); handle != nullptr; handle = elf_nextscn(elf_, handle)) {
    Section section;
    section.handle = handle;
    if (gelf_getshdr(handle, &section.header) == nullptr) section.header = {};
    if (section.header.sh_size > std::numeric_limits<uint64_t>::max() - section.header.sh_addr)
      section.header.sh_size = 0;
    if (const char* name = elf_strptr(elf_, names, section.header.sh_name)) section.name = name;
    // A segment may begin with headers and read-only data: code proper begins with its first section.
    sections_.push_back(std::move(section));
  }
  uint64_t lowest = std::numeric_limits<uint64_t>::max();
  for (const Section& section : sections_) {
    if (section.is_code() && section.header.sh_addr != 0) lowest = std::min<uint64_t>(lowest, section.header.sh_addr);
  }
  if (lowest != std::numeric_limits<uint64_t>::max()) code_start_ = lowest;
}

void ElfImage::ReadBuildId() {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf_, &bytes);
  if (size > 0) build_id_ = Hexadecimal({static_cast<const char*>(bytes), static_cast<size_t>(size)});
}

const ElfImage::Section* ElfImage::FindSection(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? nullptr : &*found;
}

const ElfImage::Section* ElfImage::SectionAt(size_t index) const {
  return index == 0 || index > sections_.size() ? nullptr : &sections_[index - 1];
}

bool ElfImage::HasDwarf() const {
  return std::ranges::any_of(sections_, [](const Section& section) {
    return section.header.sh_type != SHT_NOBITS && (section.name == ".debug_info" || section.name == ".zdebug_info");
  });
}

std::string_view ElfImage::BytesOf(const Section& section) const {
  const GElf_Shdr& header = section.header;
  if (header.sh_type == SHT_NOBITS || (header.sh_flags & SHF_COMPRESSED) != 0) return {};
  return Contains(header.sh_offset, header.sh_size) ? file_.substr(header.sh_offset, header.sh_size)
                                                    : std::string_view();
}

std::string_view ElfImage::CodeAt(uint64_t address) const {
  for (const CodeSegment& segment : code_) {
    if (!segment.range.contains(address)) continue;
    return file_.substr(segment.offset + (address - segment.range.start), segment.range.end - address);
  }
  return {};
}

}  // namespace oscope
