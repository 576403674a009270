// Decides for each instruction, when it is translated, which records it writes. As much as possible is decided here and
// not when the instruction runs: translation happens once, execution millions of times. One check for space at the top
// of a basic block serves all records of the block.
#include "tracer/pin/instrument.h"

#include <cstdint>
#include <string>

#include "tracer/pin/analysis.h"
#include "tracer/pin/calls.h"
#include "tracer/pin/entries.h"
#include "tracer/pin/functions.h"
#include "tracer/pin/glob.h"
#include "tracer/pin/images.h"
#include "tracer/pin/tool.h"

namespace oscope::pin {
namespace {

struct SourceLine {
  std::string file;
  INT32 line = 0;  // 0: not known
  bool operator==(const SourceLine& other) const { return line == other.line && file == other.file; }
};

SourceLine LineAt(ADDRINT address) {
  SourceLine line;
  PIN_GetSourceLocation(address, nullptr, &line.line, &line.file);
  return line;
}

// One basic block: entered at its top, so that one check for space serves all that it writes.
class BlockInstrumenter {
 public:
  void Add(INS ins) {
    // A repeated string operation comes back to itself, calls included: it checks each time.
    if (INS_HasRealRep(ins)) checked_ = 0;
    AddAll(ins);
    if (INS_HasRealRep(ins)) checked_ = 0;
  }

 private:
  void AddAll(INS ins) {
    ins_ = ins;
    function_ = FunctionAt(ins);
    const ADDRINT address = INS_Address(ins);
    const bool is_entry = function_->is_entry && function_->start == address;
    SourceLine line;
    const bool begins_statement = NeedsLines() && BeginsStatement(address, is_entry, &line);
    if (is_entry) AddEntry();
    if (begins_statement) AddLineChops(line);
    if (function_->plan.kept) {
      if (begins_statement && IsWanted(Granularity::kStatement))
        AddWord('s', OSC_RAW_STATEMENT, AFUNPTR(ChoppedStatement));
      if (IsWanted(Granularity::kInstruction)) AddWord('i', OSC_RAW_INSTR, AFUNPTR(ChoppedInstruction));
      if (IsWanted(Granularity::kBlock) && INS_Category(ins) == XED_CATEGORY_COND_BR) AddBranch();
    }
    if (tool.watches_returns && INS_IsRet(ins)) AddReturn();
  }

  bool NeedsLines() const { return tool.has_line_chops || (function_->plan.kept && IsWanted(Granularity::kStatement)); }

  // Where the line is another than that of the byte before; so it depends on the code alone, not on the way that led
  // there.
  static bool BeginsStatement(ADDRINT address, bool is_entry, SourceLine* line) {
    *line = LineAt(address);
    return line->line != 0 && (is_entry || !(LineAt(address - 1) == *line));
  }

  void AddLineChops(const SourceLine& line) {
    for (const ChopPoint& chop : tool.settings.chops) {
      if (!chop.by_line || chop.line != static_cast<uint32_t>(line.line) || !IsPathEnd(chop.place, line.file)) continue;
      INS_InsertCall(ins_, IPOINT_BEFORE, AFUNPTR(ReachLineChop), IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE,
                     tool.thread_register, IARG_PTR, &chop, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
    }
  }

  void AddEntry() {
    if (function_->plan.special()) {
      INS_InsertCall(ins_, IPOINT_BEFORE, AFUNPTR(EnterSpecial), IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE,
                     tool.thread_register, IARG_PTR, function_, IARG_CONST_CONTEXT, IARG_END);
      return;
    }
    if (!function_->plan.kept) return;
    if (!tool.has_chops && tool.settings.granularity == Granularity::kOff) return;
    if (!tool.has_chops) Reserve(2);
    INS_InsertCall(ins_, IPOINT_BEFORE, tool.has_chops ? AFUNPTR(ChoppedEntry) : AFUNPTR(WriteEntry),
                   IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE, tool.thread_register, IARG_UINT32,
                   OSC_RAW_WORD(OSC_RAW_ENTRY, function_->site), IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
  }

  void AddWord(char kind, uint32_t record, AFUNPTR chopped) {
    const uint32_t site = SiteAt(kind, INS_Address(ins_));
    if (site == Sites::kNone) return;
    if (tool.has_chops) {
      INS_InsertCall(ins_, IPOINT_BEFORE, chopped, IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE, tool.thread_register,
                     IARG_UINT32, OSC_RAW_WORD(record, site), IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
      return;
    }
    Reserve(1);
    INS_InsertCall(ins_, IPOINT_BEFORE, AFUNPTR(WriteWord), IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE,
                   tool.thread_register, IARG_UINT32, OSC_RAW_WORD(record, site), IARG_END);
  }

  void AddBranch() {
    const uint32_t site = SiteAt('b', INS_Address(ins_));
    if (site == Sites::kNone) return;
    const uint32_t word = OSC_RAW_WORD(OSC_RAW_BRANCH, site << 1);
    if (tool.has_chops) {
      INS_InsertCall(ins_, IPOINT_BEFORE, AFUNPTR(ChoppedBranch), IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE,
                     tool.thread_register, IARG_UINT32, word, IARG_REG_VALUE, REG_STACK_PTR, IARG_BRANCH_TAKEN,
                     IARG_END);
      return;
    }
    Reserve(1);
    INS_InsertCall(ins_, IPOINT_BEFORE, AFUNPTR(WriteBranch), IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE,
                   tool.thread_register, IARG_UINT32, word, IARG_BRANCH_TAKEN, IARG_END);
  }

  void AddReturn() {
    INS_InsertIfCall(ins_, IPOINT_BEFORE, AFUNPTR(MayEndCalls), IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE,
                     tool.thread_register, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
    INS_InsertThenCall(ins_, IPOINT_BEFORE, AFUNPTR(ReturnAt), IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE,
                       tool.thread_register, IARG_REG_VALUE, REG_STACK_PTR, IARG_REG_VALUE, REG_GAX, IARG_END);
  }

  // Sees to it that there is space for `words` more when the code gets here.
  void Reserve(uint32_t words) {
    if (words > checked_) {
      INS_InsertIfCall(ins_, IPOINT_BEFORE, AFUNPTR(IsFull), IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE,
                       tool.thread_register, IARG_END);
      INS_InsertThenCall(ins_, IPOINT_BEFORE, AFUNPTR(TakeChunk), IARG_FAST_ANALYSIS_CALL, IARG_REG_VALUE,
                         tool.thread_register, IARG_END);
      checked_ = kMarginWords;
    }
    checked_ -= words;
  }

  INS ins_ = INS_Invalid();
  const Function* function_ = nullptr;
  uint32_t checked_ = 0;  // words for which there is space already
};

}  // namespace

bool IsWanted(Granularity kind) {
  if (tool.chop_switch.base() == kind) return true;
  for (const ChopPoint& chop : tool.settings.chops) {
    if (chop.kind == ChopPoint::Kind::kWithin && chop.granularity == kind) return true;
  }
  return false;
}

void OnTrace(TRACE trace, VOID*) {
  for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
    BlockInstrumenter block;
    for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins)) {
      block.Add(ins);
      if (ins == BBL_InsTail(bbl)) break;
    }
  }
  FlushSites();
}

}  // namespace oscope::pin
