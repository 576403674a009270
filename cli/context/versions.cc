#include "cli/context/versions.h"

#include <arrow/config.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <xxhash.h>
#include <zstd.h>

#include <CLI/Version.hpp>
#include <nlohmann/json.hpp>

namespace oscope::cli {

std::vector<LibraryVersion> LibraryVersions() {
  const unsigned xxhash = XXH_versionNumber();
  return {{"Arrow", arrow::GetBuildInfo().version_string},
          {"zstd", ZSTD_versionString()},
          {"xxHash", fmt::format("{}.{}.{}", xxhash / 10000, xxhash / 100 % 100, xxhash % 100)},
          {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
          {"CLI11", CLI11_VERSION},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
          {"nlohmann-json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                        NLOHMANN_JSON_VERSION_PATCH)}};
}

}  // namespace oscope::cli
