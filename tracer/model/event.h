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
// Methods, by far the most common, have no tag; a method whose name begins like another kind is written "M …".
// The text is what DuckDB, Spark or pandas show, and what two recorders must agree on.
// Threads: pure functions; none of them fails, except that ParseGranularity returns kInvalid for an unknown name.
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

// The parts of an event's text. The views borrow from the text. Any text can be parsed: one without a tag is a method.
struct EventParts {
  Granularity granularity = Granularity::kMethod;
  std::string_view owner;   // the method, class or package; empty for an instruction
  std::string_view detail;  // statement text, block ordinal and outcome, opcode and operands; else empty
};
EventParts ParseEvent(std::string_view text);

// Returns a method's identity, given the name that a recorder or a stack trace shows. Signature, return type, `.cold`,
// `.isra.0`, `[abi:cxx11]`, `@plt`, a leading `::` and "(anonymous namespace)::" are removed; template arguments stay.
//   "net::Socket::read(char*, unsigned long) const"  ->  "net::Socket::read"
//   "std::string parse[abi:cxx11](int) [clone .cold]" ->  "parse"
//   "f(int)::{lambda(int)#1}::operator()(int) const"  ->  "f::{lambda(int)#1}::operator()"
//   "org/apache/X.m", "java.base/org.apache.X.m"      ->  "org.apache.X.m"
// Normalising a result again does not change it. The result is empty only if `name` is. Names must be demangled: a
// mangled one is returned unchanged.
std::string NormaliseMethod(std::string_view name);

// Returns a method without template arguments, which is what the instances of a template have in common. Text in braces
// and brackets, names that are in angle brackets themselves (`Cart.<init>`, `<module>`) and operators stay; so does an
// argument list without an end.
//   std::vector<std::pair<int, int> >::at  ->  std::vector::at
//   operator< <char>                       ->  operator<
std::string WithoutTemplateArguments(std::string_view method);

// The innermost scope of a method (its class), and the scope outside that (its package). `::`, `.` and `/` separate
// scopes. Empty when there is none: the caller then uses the object's base name, as for C functions.
//   net::Socket::read                    ->  net::Socket, net
//   org.apache.beanutils.LazyDynaBean.get ->  org.apache.beanutils.LazyDynaBean, org.apache.beanutils
std::string_view ClassOf(std::string_view method);
std::string_view PackageOf(std::string_view method);

// Returns the event that `text` becomes at a coarser granularity, or `text` itself when it is that coarse already. The
// base name of `object` (a path) replaces a missing scope; without an object such a method stays a method. An event
// whose text does not say what it belongs to (an instruction, the block of a statement) is returned unchanged.
std::string Coarsen(std::string_view text, Granularity to, std::string_view object = {});

}  // namespace oscope
