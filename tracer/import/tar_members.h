// Tar archives, read and written in memory: how a directory of files travels as one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

struct TarMember {
  std::string name;        // without a leading "./"
  std::string_view bytes;  // borrows from the archive
};

bool LooksLikeTar(std::string_view bytes);

// The regular files of an archive (POSIX ustar and GNU tar's). kCorrupt when a header's sum is wrong or a file is cut.
Result<std::vector<TarMember>> ReadTar(std::string_view bytes);

// Adds a file to an archive. The same files in the same order give the same bytes: times and owners are zero. kLimit
// when the name is longer than 100 bytes. An archive need not be ended.
Status AppendToTar(std::string_view name, std::string_view bytes, std::string& archive);

}  // namespace oscope
