#include "tests/unit/symbols/built_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/subprocess.h"

namespace oscope {
namespace {

std::string RunIn(const std::string& directory, std::vector<std::string> argv, const std::string& input) {
  SubprocessOptions options;
  options.argv = std::move(argv);
  options.input = input;
  options.working_directory = directory;
  const auto run = RunSubprocess(options);
  if (!run.ok() || !run->ok()) {
    ADD_FAILURE() << fmt::format("{}: {}", fmt::join(options.argv, " "), run.ok() ? run->err : run.error().message);
    return {};
  }
  return run->out;
}

uint64_t Hex(const std::string& text) { return std::stoull(text, nullptr, 16); }

std::vector<std::string> Words(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace

BuildDirectory::BuildDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "oscope-symbols-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
  directory_ = std::filesystem::canonical(name).string();
}

BuildDirectory::~BuildDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

std::string BuildDirectory::Write(const std::string& name, std::string_view text) const {
  std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
  std::ofstream(Path(name), std::ios::binary) << text;
  return Path(name);
}

std::string BuildDirectory::Run(std::vector<std::string> argv, const std::string& input) const {
  return RunIn(directory_, std::move(argv), input);
}

std::string BuildDirectory::Compile(const std::string& name, const std::string& source,
                                    std::vector<std::string> flags) const {
  std::vector<std::string> argv = {source.ends_with(".cc") ? OSCOPE_CXX : OSCOPE_CC, "-o", Path(name), Path(source)};
  argv.insert(argv.end(), flags.begin(), flags.end());
  Run(argv);
  return Path(name);
}

std::vector<NmSymbol> Nm(const std::string& path, std::vector<std::string> options) {
  std::vector<std::string> argv = {"nm", "-S", "--defined-only"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.push_back(path);
  std::istringstream out(RunIn("", argv, ""));
  std::vector<NmSymbol> symbols;
  for (std::string line; std::getline(out, line);) {
    const std::vector<std::string> words = Words(line);
    if (words.size() < 3) continue;
    NmSymbol symbol;
    symbol.address = Hex(words[0]);
    if (words.size() > 3) symbol.size = Hex(words[1]);
    symbol.type = words[words.size() - 2][0];
    symbol.name = words.back().substr(0, words.back().find('@'));
    symbols.push_back(symbol);
  }
  return symbols;
}

uint64_t AddressOf(const std::string& path, std::string_view name) {
  for (const NmSymbol& symbol : Nm(path)) {
    if (symbol.name == name) return symbol.address;
  }
  ADD_FAILURE() << path << " has no symbol " << name;
  return 0;
}

std::vector<std::string> Addr2line(const std::string& path, const std::vector<uint64_t>& addresses) {
  std::string input;
  for (const uint64_t address : addresses) input += fmt::format("{:x}\n", address);
  std::istringstream out(RunIn("", {"addr2line", "-e", path}, input));
  std::vector<std::string> lines;
  for (std::string line; std::getline(out, line);) lines.push_back(line.substr(0, line.find(" (discriminator")));
  EXPECT_EQ(lines.size(), addresses.size());
  lines.resize(addresses.size());
  return lines;
}

std::vector<CodeSection> CodeSections(const std::string& path) {
  std::istringstream out(RunIn("", {"readelf", "-SW", path}, ""));
  std::vector<CodeSection> sections;
  for (std::string line; std::getline(out, line);) {
    const size_t bracket = line.find(']');
    if (bracket == std::string::npos) continue;
    // name type address offset size entry-size flags …
    const std::vector<std::string> words = Words(line.substr(bracket + 1));
    if (words.size() < 8 || words[6].find('X') == std::string::npos) continue;
    sections.push_back({words[0], Hex(words[2]), Hex(words[4])});
  }
  return sections;
}

std::string ThisProgram() { return std::filesystem::canonical("/proc/self/exe").string(); }

}  // namespace oscope
