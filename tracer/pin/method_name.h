// A method's name as globs are matched against: scope and name, without return type, parameters, ABI tags and clone
// suffixes.
//
//   "void net::Socket::read<int>(char*) const [clone .cold]"  ->  "net::Socket::read<int>"
//   "f(int)::{lambda(int)#1}::operator()(int) const"          ->  "f::{lambda(int)#1}::operator()"
//   "(anonymous namespace)::parse(char const*)"               ->  "parse"
// For demangled C and C++ names it gives what NormaliseMethod (tracer/model/event.h) gives, which needs more of the C++
// library than PinCRT has.
#pragma once

#include <string>

namespace oscope::pin {

std::string MethodName(const std::string& demangled);

// A symbol without its version ("abort@@GLIBC_2.2.5") and without what compilers append to clones ("parse.isra.0",
// "_Z1fv.cold").
std::string WithoutSuffixes(const std::string& symbol);

// A procedure linkage stub ("abort@plt") is not the function it leads to.
bool IsLinkageStub(const std::string& symbol);

// A part of a function that the compiler made on its own ("_Z1fv.cold", "_Z1fv.part.0"): the function was entered
// before.
bool IsPartOfFunction(const std::string& symbol);

}  // namespace oscope::pin
