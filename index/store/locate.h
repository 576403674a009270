// Where the store and the project's name are found, as git finds its directory.
#pragma once

#include <optional>
#include <string>

#include "base/file_system.h"
#include "base/result.h"

namespace oscope {

inline constexpr const char* kStoreDirectory = ".oscope";
inline constexpr const char* kConfigFile = "oscope.toml";

// `explicit_path` when given (kNotFound if there is none), else $OSCOPE_STORE, else the nearest .oscope/ from
// `directory` upwards.
Result<std::string> FindStore(FileSystem& fs, const std::string& explicit_path, const std::string& directory);

// The nearest oscope.toml from `directory` upwards.
std::optional<std::string> FindConfigFile(FileSystem& fs, const std::string& directory);

struct ProjectName {
  std::string name;
  std::string from;  // "oscope.toml", "git origin", "directory": for `oscope doctor`
};

// The project: `project = "…"` in the nearest oscope.toml, else the base name of git's origin, else of the root
// directory. git is waited for until `cancel` says not to.
Result<ProjectName> FindProject(FileSystem& fs, const std::string& directory, const CancelToken& cancel = {});

}  // namespace oscope
