// The names that the tool's patterns see are those of tracer/model, for every symbol of this program and of the C++
// library.
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/unit/valgrind_tool/tool_parts.h"
#include "tracer/model/demangle.h"
#include "tracer/model/event.h"

namespace oscope {
namespace {

std::string Method(const std::string& symbol) {
  char name[4096];
  MethodName(symbol.c_str(), name);
  return name;
}

TEST(ValgrindMethodName, LeavesScopeAndName) {
  const std::pair<const char*, const char*> cases[] = {
      {"main", "main"},
      {"_ZN3net6Socket4readEi.isra.0", "net::Socket::read"},
      {"_ZNK3net6Socket4readEv", "net::Socket::read"},
      {"_ZN12_GLOBAL__N_15parseEPKc", "parse"},
      {"_ZN3X_yC2Ev", "X_y::X_y"},
      {"_ZThn16_N1X1fEv", "X::f"},
      {"_ZTv0_n24_N1X1fEv", "X::f"},
      {"_Z5parseB5cxx11i", "parse"},
      {"abort@@GLIBC_2.2.5", "abort"},
      {"@odd", "@odd"},
      {"parse.constprop.0.cold", "parse"},
      {"parse.part.0.lto_priv.3", "parse"},
      {"parse.llvm.123", "parse"},
      {"parse.localalias", "parse"},
      {"parse.localalias.4", "parse"},
      {"parse.clone.2", "parse"},
      {"parse.7", "parse"},
      {".cold", ".cold"},
      {".0", ".0"},
      {"a.b", "a.b"},
      {"a1", "a1"},
      {"_Zbroken", "_Zbroken"},
      {"", ""},
  };
  for (const auto& [symbol, expected] : cases) EXPECT_EQ(Method(symbol), expected) << symbol;
}

// What is not mangled is read as if it were demangled already.
// Once the name of what returns "decltype (…)" was empty, and anonymous namespaces stayed in template arguments.
TEST(ValgrindMethodName, ReadsWhatIsDemangled) {
  const std::pair<const char*, const char*> cases[] = {
      {"net::Socket::read(char*, unsigned long) const", "net::Socket::read"},
      {"net::Socket::read(char*) volatile &&", "net::Socket::read"},
      {"std::string parse[abi:cxx11](int) [clone .cold]", "parse"},
      {"f(int)::{lambda(int)#1}::operator()(int) const", "f::{lambda(int)#1}::operator()"},
      {"f(int) const::{lambda(int)#1}::operator()(int) const", "f::{lambda(int)#1}::operator()"},
      {"void ns::f<int, std::vector<int> >(int)", "ns::f<int, std::vector<int> >"},
      {"void ns::f<(char)40>(int)", "ns::f<(char)40>"},
      {"(anonymous namespace)::parse(char const*)", "parse"},
      {"a::(anonymous namespace)::parse(char const*)", "a::parse"},
      {"bool operator< <int>(A<int> const&)", "operator< <int>"},
      {"std::ostream& operator<<(std::ostream&, X const&)", "operator<<"},
      {"bool operator<=>(A, B)", "operator<=>"},
      {"X::operator->*(int)", "X::operator->*"},
      {"X::operator[](int)", "X::operator[]"},
      {"X::operator()(int)", "X::operator()"},
      {"X::operator bool() const", "X::operator bool"},
      {"X::operator std::vector<int, A>() const", "X::operator std::vector<int, A>"},
      {"X::operator void (X::*)()() const", "X::operator void"},
      {"operator new(unsigned long)", "operator new"},
      {"operator new[](unsigned long)", "operator new[]"},
      {"operator delete[](void*)", "operator delete[]"},
      {"operator\"\" _km(long double)", "operator\"\" _km"},
      {"my_operator(int)", "my_operator"},
      {"operators(int)", "operators"},
      {"X::~X()", "X::~X"},
      {"non-virtual thunk to X::f()", "X::f"},
      {"virtual thunk to X::f()", "X::f"},
      {"covariant return thunk to X::f()", "X::f"},
      {"void (*signal(int, void (*)(int)))(int)", "signal"},
      {"int (C::*member<int>(int))(char)", "member<int>"},
      {"decltype(a + b) add<int>(int)", "add<int>"},
      {"decltype (((A<int>::get({parm#1})).f)({parm#2})) B<int>::call<A<int> >(int)", "B<int>::call<A<int> >"},
      {"ns::Factory<(anonymous namespace)::Case>::make()", "ns::Factory<Case>::make"},
      {"ns::Factory<a::(anonymous namespace)::Case>::make()::{lambda((anonymous namespace)::B)#1}::operator()() const",
       "ns::Factory<a::Case>::make::{lambda(B)#1}::operator()"},
      {"ns::call<std::string f[abi:cxx11]>()", "ns::call<std::string f>"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Method(text), expected) << text;
}

TEST(ValgrindMethodName, IsCutWhereItIsLongerThanAnyRealName) {
  EXPECT_EQ(Method(std::string(4095, 'x')).size(), 4095u);
  EXPECT_EQ(Method(std::string(5000, 'x')).size(), 4095u);
}

TEST(ValgrindMethodName, PartsOfFunctionsAreKnown) {
  for (const char* symbol : {"_Z1fv.cold", "_Z1fv.part.0", "f.cold.3", "f.constprop.0.cold", "f.isra.0.part.1"})
    EXPECT_TRUE(IsPartOfFunction(symbol)) << symbol;
  for (const char* symbol : {"f", "f.isra.0", "cold", "part.", "f.part", "f.constprop.0"})
    EXPECT_FALSE(IsPartOfFunction(symbol)) << symbol;
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
  std::pair<const char*, std::string> search{part, {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* wanted = static_cast<std::pair<const char*, std::string>*>(data);
        if (std::strstr(info->dlpi_name, wanted->first) != nullptr) wanted->second = info->dlpi_name;
        return 0;
      },
      &search);
  return search.second;
}

TEST(ValgrindMethodName, IsTheModelsNameForEverySymbolHere) {
  size_t compared = 0, different = 0;
  for (const std::string& path : {std::string("/proc/self/exe"), PathOfLibrary("libstdc++")}) {
    if (path.empty()) continue;
    for (const std::string& symbol : FunctionsOf(path)) {
      ++compared;
      // What follows a dot in a mangled name is a clone's suffix.
      const bool is_mangled = symbol.starts_with("_Z");
      const std::string name = Method(symbol),
                        expected = NormaliseMethod(is_mangled ? Demangled(symbol.substr(0, symbol.find('.'))) : symbol);
      if (name == expected) continue;
      if (++different <= 20) ADD_FAILURE() << symbol << "\n  here:  " << name << "\n  model: " << expected;
    }
  }
  EXPECT_EQ(different, 0u);
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace oscope
