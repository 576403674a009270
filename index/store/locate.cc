// Finds the store and the project's name by walking from the current directory upwards, as git finds its directory. A
// `.oscope` that cannot be listed ends the search with an error rather than being passed over: it may be the store
// that the user means, and a store found further up would silently take its data.
#include "index/store/locate.h"

#include <toml++/toml.h>

#include <cstdlib>
#include <filesystem>

#include "base/subprocess.h"
#include "index/store/store.h"
#include "tracer/model/bug.h"

namespace oscope {

namespace {

// Calls `look` for the directory and each above it until it returns true.
template <typename Look>
bool WalkUp(const std::string& directory, Look look) {
  std::error_code error;
  std::filesystem::path at = std::filesystem::absolute(directory, error);
  while (true) {
    if (look(at.string())) return true;
    if (!at.has_parent_path() || at.parent_path() == at) return false;
    at = at.parent_path();
  }
}

// Letters, digits and the few signs that an id may have; other characters become '-'.
std::string AsId(std::string name) {
  for (char& c : name) {
    if (!ValidateId("project", std::string("x") + c).ok()) c = '-';
  }
  const size_t first = name.find_first_not_of(".-");
  return first == std::string::npos ? "" : name.substr(first);
}

std::optional<std::string> GitOriginName(const std::string& directory, const CancelToken& cancel) {
  SubprocessOptions options;
  options.argv = {"git", "-C", directory, "config", "--get", "remote.origin.url"};
  options.timeout = std::chrono::seconds(5);
  options.cancel = cancel;
  const auto output = RunSubprocess(options);
  if (!output.ok() || !output->ok()) return std::nullopt;
  std::string url = output->out;
  while (!url.empty() && (url.back() == '\n' || url.back() == '/')) url.pop_back();
  if (url.ends_with(".git")) url.resize(url.size() - 4);
  const size_t cut = url.find_last_of("/:");
  std::string name = AsId(cut == std::string::npos ? url : url.substr(cut + 1));
  if (name.empty()) return std::nullopt;
  return name;
}

// Why the directory may not be looked into, which could be a store; success where it may, or is none.
Status MayLookInto(FileSystem& fs, const std::string& path) {
  if (!fs.Exists(path)) return {};
  const auto listed = fs.List(path);
  if (!listed.ok() && listed.error().code == ErrorCode::kIo) return listed.error();
  return {};
}

Error NoStore(FileSystem& fs, const std::string& path, Error none) {
  Status may_look = MayLookInto(fs, path);
  return may_look.ok() ? std::move(none) : std::move(may_look).error();
}

}  // namespace

Result<std::string> FindStore(FileSystem& fs, const std::string& explicit_path, const std::string& directory) {
  if (!explicit_path.empty()) {
    if (!Store::IsStore(fs, explicit_path))
      return NoStore(fs, explicit_path, NotFound("no store at {}: 'oscope init' makes one", explicit_path));
    return explicit_path;
  }
  if (const char* from_environment = std::getenv("OSCOPE_STORE");
      from_environment != nullptr && *from_environment != '\0') {
    if (!Store::IsStore(fs, from_environment)) {
      return NoStore(fs, from_environment,
                     NotFound("no store at {}, which OSCOPE_STORE names: 'oscope init' makes one", from_environment));
    }
    return std::string(from_environment);
  }
  std::string found;
  const bool there = WalkUp(directory, [&](const std::string& at) {
    found = JoinPath(at, kStoreDirectory);
    return Store::IsStore(fs, found) || !MayLookInto(fs, found).ok();
  });
  if (there) OSCOPE_RETURN_IF_ERROR(MayLookInto(fs, found));
  if (!there)
    return NotFound("no store here or above ({} is looked for): 'oscope init' makes one, '--store PATH' names another",
                    kStoreDirectory);
  return found;
}

std::optional<std::string> FindConfigFile(FileSystem& fs, const std::string& directory) {
  std::string config;
  const bool there = WalkUp(directory, [&](const std::string& at) {
    config = JoinPath(at, kConfigFile);
    return fs.Exists(config);
  });
  return there ? std::optional<std::string>(std::move(config)) : std::nullopt;
}

Result<ProjectName> FindProject(FileSystem& fs, const std::string& directory, const CancelToken& cancel) {
  if (const std::optional<std::string> found = FindConfigFile(fs, directory)) {
    const std::string& config = *found;
    OSCOPE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(fs, config, 1 << 20));
    try {
      const toml::table table = toml::parse(text);
      if (const auto name = table["project"].value<std::string>()) {
        if (Status valid = ValidateId("project", *name); !valid.ok()) return std::move(valid).error().Within(config);
        return ProjectName{*name, config};
      }
    } catch (const toml::parse_error& error) {
      return Invalid("{}:{}: {}", config, error.source().begin.line, error.description());
    }
  }
  if (auto name = GitOriginName(directory, cancel)) return ProjectName{*std::move(name), "git origin"};
  // The root directory: where the store or the repository is, else the directory itself.
  std::error_code error;
  std::string root = std::filesystem::absolute(directory, error).lexically_normal().string();
  WalkUp(directory, [&](const std::string& at) {
    if (!fs.Exists(JoinPath(at, kStoreDirectory)) && !fs.Exists(JoinPath(at, ".git"))) return false;
    root = at;
    return true;
  });
  while (root.size() > 1 && root.back() == '/') root.pop_back();
  std::string name = AsId(BaseName(root));
  if (name.empty()) name = "project";
  return ProjectName{std::move(name), "directory"};
}

}  // namespace oscope
