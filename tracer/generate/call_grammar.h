// A random program: methods in classes and packages, and which of them each calls. Walking it gives method traces.
//
// A method's body is a list of calls, each maybe skipped and some of them loops; half of the callees are neighbours in
// the same package, half are drawn from all names in a Zipf-like way, so that a few methods are called from everywhere.
// Same output on every machine for one (seed, names). Threads: immutable once made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracer/generate/random.h"
#include "tracer/model/run.h"

namespace oscope {

// "net::Socket::read": a different name for each index.
std::string GeneratedMethodName(uint32_t index);

class CallGrammar {
 public:
  CallGrammar(uint64_t seed, uint32_t methods);

  uint32_t methods() const { return static_cast<uint32_t>(bodies_.size() - 1); }

  // Appends the first `length` entries of an execution that starts anywhere; their depths too unless `depths` is null.
  void Walk(Random& random, uint32_t length, std::vector<SymbolId>& events, std::vector<uint32_t>* depths) const;

 private:
  struct Call {
    uint32_t method : 31;
    uint32_t loop : 1;
  };
  std::vector<uint32_t> bodies_;  // method m's calls are calls_[bodies_[m] .. bodies_[m + 1])
  std::vector<Call> calls_;
};

}  // namespace oscope
