// ElfImage: one ELF file, mapped, and where things lie in it. Owns what libelf and libdw read.
//
// The file must not shrink while it is open: reading a mapped page that no longer exists raises SIGBUS.
#pragma once

#include <gelf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

struct AddressRange {
  uint64_t start = 0;
  uint64_t end = 0;
  bool contains(uint64_t address) const { return start <= address && address < end; }
  bool operator==(const AddressRange&) const = default;
};

class ElfImage {
 public:
  struct Section {
    std::string name;
    GElf_Shdr header;
    Elf_Scn* handle = nullptr;
    AddressRange range() const { return {header.sh_addr, header.sh_addr + header.sh_size}; }
    bool is_code() const { return (header.sh_flags & SHF_EXECINSTR) != 0; }
  };
  struct FileIdentity {
    uint64_t device = 0;
    uint64_t inode = 0;
    bool operator==(const FileIdentity&) const = default;
  };

  // Errors as ObjectFile::Open says. A debug file's loadable parts need not be there (`strip --only-keep-debug`).
  enum class Role { kObject, kDebugFile };
  static Result<std::unique_ptr<ElfImage>> Open(const std::string& path, Role role);

  ~ElfImage();
  ElfImage(const ElfImage&) = delete;
  ElfImage& operator=(const ElfImage&) = delete;

  const std::string& path() const { return path_; }
  FileIdentity identity() const { return identity_; }
  int64_t modified_ns() const { return modified_ns_; }
  const std::string& build_id() const { return build_id_; }  // hexadecimal; empty: none
  GElf_Half machine() const { return header_.e_machine; }
  bool is_64() const { return header_.e_ident[EI_CLASS] == ELFCLASS64; }
  bool is_little_endian() const { return header_.e_ident[EI_DATA] == ELFDATA2LSB; }
  Elf* elf() const { return elf_; }

  const std::vector<Section>& sections() const { return sections_; }
  const Section* FindSection(std::string_view name) const;  // nullptr: none
  const Section* SectionAt(size_t index) const;             // by the number that symbols have; nullptr: none
  bool HasDwarf() const;

  // The bytes of a section as the file has them; empty when they are not in it.
  std::string_view BytesOf(const Section& section) const;

  // What the file holds from `address` to the end of the executable segment that it lies in; empty outside of code.
  std::string_view CodeAt(uint64_t address) const;

  // The lowest address of code: whatever claims to lie below it was thrown away by the linker.
  uint64_t code_start() const { return code_start_; }

 private:
  explicit ElfImage(std::string path) : path_(std::move(path)) {}
  Status Map(Role role);
  Status ReadHeaders(Role role);
  Status ReadSegments(Role role);
  void ReadSections();
  void ReadBuildId();
  bool Contains(uint64_t offset, uint64_t size) const {
    return offset <= file_.size() && size <= file_.size() - offset;
  }

  struct CodeSegment {
    AddressRange range;
    uint64_t offset = 0;
  };

  std::string path_;
  std::string_view file_;
  Elf* elf_ = nullptr;
  GElf_Ehdr header_{};
  FileIdentity identity_;
  int64_t modified_ns_ = 0;
  std::string build_id_;
  std::vector<Section> sections_;  // without the empty one that has number 0
  std::vector<CodeSegment> code_;
  uint64_t code_start_ = 0;
};

}  // namespace oscope
