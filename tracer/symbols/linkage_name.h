// The names of linkers' symbols, turned into methods.
#pragma once

#include <string>
#include <string_view>

namespace oscope {

struct MethodName {
  std::string method;     // NormaliseMethod of the demangled name: "net::Socket::read"
  std::string signature;  // the demangled name whole: "net::Socket::read(char*, unsigned long) const"
  bool operator==(const MethodName&) const = default;
};

// C++ names are demangled, all others stay. What a compiler appends to the names of clones and parts (".cold",
// ".isra.0", ".part.1", ".constprop.0", ".lto_priv.0", ".llvm.123") and the hash that ends a name of Rust are not part
// of the method.
//   "_ZN3net6Socket4readEPcm.cold"  ->  net::Socket::read, net::Socket::read(char*, unsigned long)
MethodName NameOf(std::string_view linkage_name);

}  // namespace oscope
