// Which attributes an event has depends on the program that it comes from: every program has a `main`.
//
// A segment numbers its events by text alone, since texts are what is compared. The attributes of a text in one program
// and in another are kept apart by a small number, the scope: the symbols table has at most one row for a text in a
// scope, and a trace says in which scope each of its events is. Scope 0 has no attributes. The others are given so that
// a trace rarely needs more than one: a program (an object and its build id) has a list of scopes of its own, and the
// k-th different set of attributes that a text has there goes into the k-th of them. In one build a text nearly always
// has one set; in stacks, whose lines are those of calls, it may have several.
//
// The alternative, a number of the symbol beside each event, would be paid for with every event; this costs a number a
// trace where no two programs meet in it.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "tracer/model/symbols.h"

namespace oscope {

class SymbolScopes {
 public:
  // The number of the program that attributes name, for Place; 0 where they name none.
  uint32_t ProgramOf(const SymbolAttributes& attributes);

  // The scope in which `text` (a number of the segment's) has exactly these attributes, for traces of this program.
  uint32_t Place(uint32_t program, uint32_t text, const SymbolAttributes& attributes);

  // What is to be stored, in the order of first use.
  struct Row {
    uint32_t text;
    uint32_t scope;
    SymbolAttributes attributes;
  };
  const std::deque<Row>& rows() const { return rows_; }
  uint32_t scopes() const { return scope_count_; }

 private:
  struct Known {
    uint32_t program;
    uint32_t text;
    const SymbolAttributes* attributes;
    bool operator==(const Known& other) const {
      return program == other.program && text == other.text && *attributes == *other.attributes;
    }
  };
  struct KnownHash {
    size_t operator()(const Known& known) const;
  };
  uint32_t ScopeOf(uint32_t program, uint32_t ordinal);

  std::unordered_map<std::string, uint32_t> programs_;
  std::vector<std::vector<uint32_t>> scopes_ = {{}};  // by program
  uint32_t scope_count_ = 1;
  std::unordered_map<uint64_t, uint32_t> variants_;        // by program and text: how many sets of attributes it has
  std::unordered_map<Known, uint32_t, KnownHash> placed_;  // the scope
  std::deque<Row> rows_;                                   // addresses are stable: the keys above borrow them
};

}  // namespace oscope
