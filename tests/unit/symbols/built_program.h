// A directory of its own in which a test compiles programs and looks at them with binutils.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oscope {

class BuildDirectory {
 public:
  BuildDirectory();
  ~BuildDirectory();
  BuildDirectory(const BuildDirectory&) = delete;
  BuildDirectory& operator=(const BuildDirectory&) = delete;

  std::string Path(const std::string& name) const { return directory_ + "/" + name; }
  std::string Write(const std::string& name, std::string_view text) const;  // its path

  // Runs a program in the directory; its output. A failure ends the test.
  std::string Run(std::vector<std::string> argv, const std::string& input = "") const;

  // Compiles `source` (C++ when its name ends in .cc) with `flags`; the path of the program `name`.
  std::string Compile(const std::string& name, const std::string& source, std::vector<std::string> flags) const;

 private:
  std::string directory_;
};

// A line of `nm`.
struct NmSymbol {
  uint64_t address = 0;
  uint64_t size = 0;
  char type = '?';
  std::string name;  // without version

  bool is_function() const { return std::string_view("tTwW").find(type) != std::string_view::npos; }
};

// What has an address; `options` as `nm` takes them. A symbol without a size has 0.
std::vector<NmSymbol> Nm(const std::string& path, std::vector<std::string> options = {});
uint64_t AddressOf(const std::string& path, std::string_view name);  // fails the test when there is no such symbol

// The line that binutils' addr2line gives for each address, as "FILE:LINE".
std::vector<std::string> Addr2line(const std::string& path, const std::vector<uint64_t>& addresses);

// Extents of the sections of code, as readelf has them.
struct CodeSection {
  std::string name;
  uint64_t start = 0;
  uint64_t size = 0;
};
std::vector<CodeSection> CodeSections(const std::string& path);

// The program that runs.
std::string ThisProgram();

}  // namespace oscope
