// An archive is a list of blocks of 512 bytes: a header, then the file's bytes, padded. Two blocks of zeros end it.
#include "tracer/import/tar_members.h"

#include <algorithm>
#include <optional>

namespace oscope {
namespace {

constexpr size_t kBlock = 512;

struct Field {
  size_t offset;
  size_t size;
};
constexpr Field kName{0, 100};
constexpr Field kMode{100, 8};
constexpr Field kFileSize{124, 12};
constexpr Field kChecksum{148, 8};
constexpr size_t kType = 156;
constexpr Field kMagic{257, 5};
constexpr Field kPrefix{345, 155};

constexpr char kLongName = 'L';  // of GNU tar: the next member's name is in the bytes
constexpr char kExtended = 'x';  // of POSIX: attributes of the next member, of which we need none but a long "path"

std::string_view At(std::string_view block, Field field) { return block.substr(field.offset, field.size); }

std::string_view Text(std::string_view block, Field field) {
  const std::string_view text = At(block, field);
  return text.substr(0, text.find('\0'));
}

std::optional<uint64_t> Octal(std::string_view digits) {
  uint64_t value = 0;
  bool any = false;
  for (const char c : digits) {
    if (c == ' ' && !any) continue;
    if (c == '\0' || c == ' ') break;
    if (c < '0' || c > '7') return std::nullopt;
    value = value * 8 + static_cast<uint64_t>(c - '0');
    any = true;
  }
  return any ? std::optional(value) : std::nullopt;
}

// The sum of the header's bytes, with blanks in place of the sum itself.
uint64_t SumOf(std::string_view header) {
  uint64_t sum = 0;
  for (size_t i = 0; i < header.size(); ++i) {
    const bool is_sum = i >= kChecksum.offset && i < kChecksum.offset + kChecksum.size;
    sum += is_sum ? ' ' : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

// The "path" of a POSIX extended header: lines of "LENGTH key=value\n".
std::string PathOf(std::string_view attributes) {
  const size_t key = attributes.find(" path=");
  if (key == std::string_view::npos) return {};
  const std::string_view value = attributes.substr(key + 6);
  return std::string(value.substr(0, value.find('\n')));
}

std::string_view WithoutDotSlash(std::string_view path) { return path.starts_with("./") ? path.substr(2) : path; }

std::string NameOfMember(std::string_view header, std::string long_name) {
  std::string name = std::move(long_name);
  if (name.empty()) {
    const std::string_view prefix = Text(header, kPrefix);
    if (!prefix.empty() && At(header, kMagic) == "ustar" && header[kMagic.offset + 5] == '\0')
      name = std::string(prefix) + "/";
    name += Text(header, kName);
  }
  return std::string(WithoutDotSlash(name));
}

void Put(std::string& header, Field field, std::string_view text) { header.replace(field.offset, text.size(), text); }

}  // namespace

bool LooksLikeTar(std::string_view bytes) { return bytes.size() >= kBlock && At(bytes, kMagic) == "ustar"; }

Result<std::vector<TarMember>> ReadTar(std::string_view bytes) {
  std::vector<TarMember> members;
  std::string long_name;
  while (bytes.size() >= kBlock) {
    const std::string_view header = bytes.substr(0, kBlock);
    if (header.find_first_not_of('\0') == std::string_view::npos) break;
    const auto size = Octal(At(header, kFileSize));
    if (Octal(At(header, kChecksum)) != SumOf(header) || !size)
      return Corrupt("archive: a header's sum or size is wrong");
    bytes.remove_prefix(kBlock);
    if (*size > bytes.size()) return Corrupt("archive: it ends in the file '{}'", Text(header, kName));
    const std::string_view content = bytes.substr(0, *size);
    bytes.remove_prefix(std::min<uint64_t>(bytes.size(), (*size + kBlock - 1) / kBlock * kBlock));
    const char type = header[kType];
    if (type == kLongName) {
      long_name = std::string(content.substr(0, content.find('\0')));
    } else if (type == kExtended) {
      long_name = PathOf(content);
    } else {
      if (type == '0' || type == '\0') members.push_back({NameOfMember(header, long_name), content});
      long_name.clear();
    }
  }
  return members;
}

Status AppendToTar(std::string_view name, std::string_view bytes, std::string& archive) {
  if (name.size() > kName.size) return Limit("'{}': a name of more than {} bytes", name, kName.size);
  std::string header(kBlock, '\0');
  Put(header, kName, name);
  Put(header, kMode, "0000600");
  Put(header, kFileSize, fmt::format("{:011o}", bytes.size()));
  header[kType] = '0';
  Put(header, kMagic, "ustar");
  header.replace(kMagic.offset + 6, 2, "00");
  Put(header, kChecksum, fmt::format("{:06o}", SumOf(header)));
  header[kChecksum.offset + 7] = ' ';
  archive += header;
  archive += bytes;
  archive.resize((archive.size() + kBlock - 1) / kBlock * kBlock);
  return {};
}

}  // namespace oscope
