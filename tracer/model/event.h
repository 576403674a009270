// An event: one symbol of a trace. Its identity is a text that does not change when code moves.
//
// Granularity   identity                               text as stored
// method        normalised scope and name              net::Socket::read
// statement     method and source text (or +offset)    S net::Socket::read: n = recv(fd_, p, len, 0);
// block         method and ordinal                     B net::Socket::read: 3
//   branch      the same with the outcome              B net::Socket::read: 3 taken
// instruction   opcode (operands on request)           I MOV
// class         innermost scope                        C net::Socket
// package       outer scope                            P net
//
// Methods, by far the most common, stand bare; a method whose name begins like another kind is written "M …".
// The text is what DuckDB, Spark or pandas show, and what two recorders must agree on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tracer/model/granularity.h"

namespace oscope {

enum class BranchOutcome : uint8_t { kNone, kTaken, kNotTaken };

std::string MethodEvent(std::string_view method);
std::string StatementEvent(std::string_view method, std::string_view source_text);
std::string BlockEvent(std::string_view method, uint64_t ordinal, BranchOutcome outcome = BranchOutcome::kNone);
std::string InstructionEvent(std::string_view opcode, std::string_view operands = {});
std::string ClassEvent(std::string_view scope);
std::string PackageEvent(std::string_view scope);

// What an event's text says. The views borrow from the text.
struct EventParts {
  Granularity granularity = Granularity::kMethod;
  std::string_view owner;   // the method, class or package; empty for an instruction
  std::string_view detail;  // statement text, block ordinal and outcome, opcode and operands; else empty
};
EventParts ParseEvent(std::string_view text);

// A method's identity from what a recorder or a stack trace shows: the signature, return type, `.cold`, `.isra.0`,
// `[abi:cxx11]`, `@plt`, a leading `::` and "(anonymous namespace)::" noise go; template arguments stay.
//   "net::Socket::read(char*, unsigned long) const"  ->  "net::Socket::read"
//   "std::string parse[abi:cxx11](int) [clone .cold]" ->  "parse"
//   "f(int)::{lambda(int)#1}::operator()(int) const"  ->  "f::{lambda(int)#1}::operator()"
//   "org/apache/X.m", "java.base/org.apache.X.m"      ->  "org.apache.X.m"
// Normalising twice is normalising once. Never empty unless `name` is. Takes demangled names: a mangled one comes back
// as it is.
std::string NormaliseMethod(std::string_view name);

// A method without template arguments: what the instances of a template have in common. What stands in braces and
// brackets, names in angle brackets of their own (`Cart.<init>`, `<module>`) and operators stay; so does an argument
// list that does not end.
//   std::vector<std::pair<int, int> >::at  ->  std::vector::at
//   operator< <char>                       ->  operator<
std::string WithoutTemplateArguments(std::string_view method);

// The innermost scope of a method (its class), and the scope outside that (its package). `::`, `.` and `/` separate
// scopes. Empty when there is none: the caller then uses the object's base name, as for C functions.
//   net::Socket::read                    ->  net::Socket, net
//   org.apache.beanutils.LazyDynaBean.get ->  org.apache.beanutils.LazyDynaBean, org.apache.beanutils
std::string_view ClassOf(std::string_view method);
std::string_view PackageOf(std::string_view method);

// The event that `text` becomes at a coarser granularity; itself when it is as coarse already. `object` (a path) stands
// in where a method has no scope; without an object such a method stays a method. What the text does not tell stays as
// it is: the owner of an instruction, the block of a statement.
std::string Coarsen(std::string_view text, Granularity to, std::string_view object = {});

}  // namespace oscope
