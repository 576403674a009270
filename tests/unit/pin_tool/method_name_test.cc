// The names are compared with those of tracer/model, for every symbol of this program and of the C++ library.
#include "tracer/pin/method_name.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "tracer/model/demangle.h"
#include "tracer/model/event.h"

namespace oscope::pin {
namespace {

TEST(PinMethodName, LeavesScopeAndName) {
  const std::pair<const char*, const char*> cases[] = {
      {"main", "main"},
      {"net::Socket::read(char*, unsigned long) const", "net::Socket::read"},
      {"std::string parse[abi:cxx11](int) [clone .cold]", "parse"},
      {"f(int)::{lambda(int)#1}::operator()(int) const", "f::{lambda(int)#1}::operator()"},
      {"void ns::f<int, std::vector<int> >(int)", "ns::f<int, std::vector<int> >"},
      {"(anonymous namespace)::parse(char const*)", "parse"},
      {"bool operator< <int>(A<int> const&)", "operator< <int>"},
      {"std::ostream& operator<<(std::ostream&, X const&)", "operator<<"},
      {"X::operator bool() const", "X::operator bool"},
      {"operator new(unsigned long)", "operator new"},
      {"X::~X()", "X::~X"},
      {"non-virtual thunk to X::f()", "X::f"},
      {"abort@@GLIBC_2.2.5", "abort"},
      {"parse.isra.0", "parse"},
      {"parse.constprop.0.cold", "parse"},
      {"void (*signal(int, void (*)(int)))(int)", "signal"},
      {"int (C::*member<int>(int))(char)", "member<int>"},
      {"void (X::*&& std::forward<void (X::*)()>(std::remove_reference<void (X::*)()>::type&))()",
       "std::forward<void (X::*)()>"},
  };
  for (const auto& [name, expected] : cases) EXPECT_EQ(MethodName(name), expected) << name;
}

TEST(PinMethodName, PartsOfFunctionsAndStubsAreKnown) {
  EXPECT_TRUE(IsPartOfFunction("_Z1fv.cold"));
  EXPECT_TRUE(IsPartOfFunction("_Z1fv.part.0"));
  EXPECT_TRUE(IsPartOfFunction("f.cold.3"));
  EXPECT_FALSE(IsPartOfFunction("f.isra.0"));
  EXPECT_FALSE(IsPartOfFunction("f.colder"));
  EXPECT_TRUE(IsLinkageStub("abort@plt"));
  EXPECT_FALSE(IsLinkageStub("abort"));
}

std::set<std::string> FunctionsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::set<std::string> names;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(bytes.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes.data() + header->e_shoff);
  for (size_t i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB && sections[i].sh_type != SHT_DYNSYM) continue;
    const char* strings = bytes.data() + sections[sections[i].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(bytes.data() + sections[i].sh_offset);
    for (size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s) {
      if (ELF64_ST_TYPE(symbols[s].st_info) == STT_FUNC) names.insert(strings + symbols[s].st_name);
    }
  }
  return names;
}

std::string PathOfLibrary(const char* part) {
  struct Search {
    const char* part;
    std::string path;
  } search{part, {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* wanted = static_cast<Search*>(data);
        if (std::strstr(info->dlpi_name, wanted->part) != nullptr) wanted->path = info->dlpi_name;
        return 0;
      },
      &search);
  return search.path;
}

TEST(PinMethodName, IsTheModelsNameForEverySymbolHere) {
  size_t compared = 0, different = 0;
  for (const std::string& path : {std::string("/proc/self/exe"), PathOfLibrary("libstdc++")}) {
    if (path.empty()) continue;
    for (const std::string& symbol : FunctionsOf(path)) {
      const std::string shown = Demangled(WithoutSuffixes(symbol));
      ++compared;
      const std::string name = MethodName(shown), expected = NormaliseMethod(shown);
      if (name == expected) continue;
      if (++different <= 20) ADD_FAILURE() << shown << "\n  here:  " << name << "\n  model: " << expected;
    }
  }
  EXPECT_EQ(different, 0u);
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace oscope::pin
