/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A short record is a store at g_sink.next, which is raised at once: a fault in the next instruction must find it
 * written. With chop points the store is guarded by the kind's step, which is 0 while the kind is not recorded. */
#include "tracer/valgrind/instrument.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>

#include "tracer/raw/raw_format.h"
#include "tracer/valgrind/chop.h"
#include "tracer/valgrind/frames.h"
#include "tracer/valgrind/functions.h"
#include "tracer/valgrind/ifuncs.h"
#include "tracer/valgrind/jumps.h"
#include "tracer/valgrind/sink.h"
#include "tracer/valgrind/sites.h"
#include "tracer/valgrind/statements.h"

/* One superblock in the making. */
typedef struct {
  IRSB* out;
  const VexGuestLayout* layout;
  Function* function;
  Bool records[kRecordKinds]; /* which kinds are written here */
  IRExpr* unchecked; /* the position after the last record, if nobody has asked whether it is behind the limit */
  Addr address;      /* of the instruction at hand, 0 before the first */
  UInt size;
  Bool has_branch; /* its conditional jump has its record */
} Block;

static IRExpr* Const64(ULong value) { return IRExpr_Const(IRConst_U64(value)); }
static IRExpr* Const32(UInt value) { return IRExpr_Const(IRConst_U32(value)); }
static IRExpr* AddressOf(const void* variable) { return Const64((Addr)variable); }

static IRExpr* Assign(IRSB* out, IRExpr* value) {
  const IRTemp temp = newIRTemp(out->tyenv, typeOfIRExpr(out->tyenv, value));
  addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
  return IRExpr_RdTmp(temp);
}

static IRExpr* Load64(IRSB* out, const void* variable) {
  return Assign(out, IRExpr_Load(Iend_LE, Ity_I64, AddressOf(variable)));
}

/* Stores `record`, of 4 or 8 bytes, and raises the position. */
static void Write(Block* block, RecordKind kind, IRExpr* record) {
  IRSB* const out = block->out;
  IRExpr* const next = Load64(out, &g_sink.next);
  IRExpr* step = Const64((ULong)sizeofIRType(typeOfIRExpr(out->tyenv, record)));
  if (ChopPointsExist()) {
    step = Load64(out, &g_steps[kind]);
    IRExpr* const wanted = Assign(out, IRExpr_Binop(Iop_CmpNE64, step, Const64(0)));
    addStmtToIRSB(out, IRStmt_StoreG(Iend_LE, next, record, wanted));
  } else {
    addStmtToIRSB(out, IRStmt_Store(Iend_LE, next, record));
  }
  block->unchecked = Assign(out, IRExpr_Binop(Iop_Add64, next, step));
  addStmtToIRSB(out, IRStmt_Store(Iend_LE, AddressOf(&g_sink.next), block->unchecked));
}

static void Call0(IRSB* out, const HChar* name, void* function, IRExpr* guard) {
  IRDirty* const call = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), mkIRExprVec_0());
  if (guard != NULL) call->guard = guard;
  addStmtToIRSB(out, IRStmt_Dirty(call));
}

/* After the last record on each way through the superblock: behind the limit there is room for one superblock only. */
static void CheckRoom(Block* block) {
  if (block->unchecked == NULL) return;
  IRExpr* const limit = Load64(block->out, &g_sink.limit);
  IRExpr* const full = Assign(block->out, IRExpr_Binop(Iop_CmpLT64U, limit, block->unchecked));
  Call0(block->out, "SinkTurn", SinkTurn, full);
  block->unchecked = NULL;
}

static void Describe(IRDirty* call, UInt index, Int offset, Int size) {
  call->fxState[index].fx = Ifx_Read;
  call->fxState[index].offset = (UShort)offset;
  call->fxState[index].size = (UShort)size;
  call->fxState[index].nRepeats = 0;
  call->fxState[index].repeatLen = 0;
}

/* Calls `function` with the registers, all of them up to date, and `argument`. */
static void CallWithRegisters(Block* block, const HChar* name, void* function, const void* argument) {
  addStmtToIRSB(block->out, IRStmt_Put(block->layout->offset_IP, Const64(block->function->start)));
  IRDirty* const call =
      unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), mkIRExprVec_2(IRExpr_GSPTR(), AddressOf(argument)));
  call->nFxState = 2;
  Describe(call, 0, offsetof(Registers, guest_RAX), 16 * 8);
  Describe(call, 1, block->layout->offset_IP, block->layout->sizeof_IP);
  addStmtToIRSB(block->out, IRStmt_Dirty(call));
}

static void AtFunctionEntry(Block* block) {
  const Wishes* const wishes = block->function->wishes;
  if (wishes != NULL && wishes->chop_count > 0) CallWithRegisters(block, "ChopEntered", ChopEntered, wishes);
  const Bool wanted = block->function->kept || (wishes != NULL && wishes->values);
  const UInt site = wanted && ChopMayRecord(kEntryRecord) ? FunctionSite(block->function) : kNoSite;
  if (site != kNoSite) {
    IRExpr* const sp = Assign(block->out, IRExpr_Get(block->layout->offset_SP, Ity_I64));
    IRExpr* const high = Assign(block->out, IRExpr_Binop(Iop_Shl64, sp, IRExpr_Const(IRConst_U8(32))));
    Write(block, kEntryRecord,
          Assign(block->out, IRExpr_Binop(Iop_Or64, high, Const64(OSC_RAW_WORD(OSC_RAW_ENTRY, site)))));
  }
  const Bool is_wished = wishes != NULL && (wishes->role != kPlain || wishes->values || wishes->mark_count > 0);
  if (is_wished) CallWithRegisters(block, "FulfilWishes", FulfilWishes, wishes);
}

static void WriteSite(Block* block, RecordKind kind, UInt raw_kind, HChar letter) {
  const UInt site = SiteOf(letter, block->address, NULL);
  if (site != kNoSite) Write(block, kind, Const32(OSC_RAW_WORD(raw_kind, site)));
}

static void AtStatement(Block* block, const Place* place) {
  const ChopLine* const chop = ChopAtLine(place->directory, place->file, place->line);
  if (chop != NULL) {
    IRDirty* const call =
        unsafeIRDirty_0_N(0, "ChopReached", VG_(fnptr_to_fnentry)(ChopReached), mkIRExprVec_1(AddressOf(chop)));
    addStmtToIRSB(block->out, IRStmt_Dirty(call));
  }
  if (block->records[kStatementRecord]) WriteSite(block, kStatementRecord, OSC_RAW_STATEMENT, 's');
}

static void AtInstruction(Block* block, Bool is_entry, Bool looks_at_lines) {
  Place place;
  if (looks_at_lines && StatementBegins(block->address, is_entry, &place)) AtStatement(block, &place);
  if (block->records[kInstrRecord]) WriteSite(block, kInstrRecord, OSC_RAW_INSTR, 'i');
  /* Valgrind keeps the instruction pointer exact where memory is touched; a division fails without. */
  if (IsDivision((const UChar*)block->address, block->size)) {
    addStmtToIRSB(block->out, IRStmt_Put(block->layout->offset_IP, Const64(block->address)));
  }
}

static Bool IsAtConditionalJump(const Block* block) {
  return block->address != 0 && IsConditionalJump((const UChar*)block->address, block->size);
}

/* The jump at hand is taken if `guard` is not `inverted`; both may be known now. */
static void WriteBranch(Block* block, IRExpr* guard, Bool inverted) {
  const UInt site = SiteOf('b', block->address, NULL);
  block->has_branch = True;
  if (site == kNoSite) return;
  const UInt word = OSC_RAW_WORD(OSC_RAW_BRANCH, site << 1);
  if (guard == NULL) {
    Write(block, kBranchRecord, Const32(word | (inverted ? 0 : 1)));
    return;
  }
  IRExpr* const outcome = Assign(block->out, IRExpr_Unop(Iop_1Uto32, guard));
  Write(block, kBranchRecord,
        Assign(block->out, IRExpr_Binop(inverted ? Iop_Xor32 : Iop_Or32, outcome, Const32(word | (inverted ? 1 : 0)))));
}

static void AtExit(Block* block, const IRStmt* exit) {
  if (exit->Ist.Exit.jk == Ijk_Boring && IsAtConditionalJump(block)) {
    const Addr target = exit->Ist.Exit.dst->Ico.U64;
    FunctionJumps(block->function, target);
    if (block->records[kBranchRecord] && !block->has_branch) {
      WriteBranch(block, exit->Ist.Exit.guard, target == block->address + block->size);
    }
  }
  CheckRoom(block);
}

/* A conditional jump whose outcome is always the same here has no exit left. */
static void AtEnd(Block* block, const IRSB* in) {
  if (in->jumpkind == Ijk_Boring && in->next->tag == Iex_Const && IsAtConditionalJump(block)) {
    const Addr target = in->next->Iex.Const.con->Ico.U64;
    FunctionJumps(block->function, target);
    if (block->records[kBranchRecord] && !block->has_branch)
      WriteBranch(block, NULL, target == block->address + block->size);
  }
  if (in->jumpkind == Ijk_Ret && block->function->chooses != NULL) {
    IRExpr* const chosen = Assign(block->out, IRExpr_Get(offsetof(Registers, guest_RAX), Ity_I64));
    IRExpr** const arguments = mkIRExprVec_2(AddressOf(block->function->chooses), chosen);
    addStmtToIRSB(block->out,
                  IRStmt_Dirty(unsafeIRDirty_0_N(0, "IfuncChose", VG_(fnptr_to_fnentry)(IfuncChose), arguments)));
  }
  if (in->jumpkind == Ijk_Ret && FramesAreUsed()) {
    IRSB* const out = block->out;
    IRExpr* const waiting = Load64(out, &g_frames_waiting);
    IRExpr* const sp = Assign(out, IRExpr_Get(block->layout->offset_SP, Ity_I64));
    IRExpr* const result = Assign(out, IRExpr_Get(offsetof(Registers, guest_RAX), Ity_I64));
    IRDirty* const call =
        unsafeIRDirty_0_N(0, "FramesReturned", VG_(fnptr_to_fnentry)(FramesReturned), mkIRExprVec_2(sp, result));
    call->guard = Assign(out, IRExpr_Binop(Iop_CmpNE64, waiting, Const64(0)));
    addStmtToIRSB(out, IRStmt_Dirty(call));
  }
  CheckRoom(block);
}

static Bool LinesMatter(const Block* block) {
  if (block->records[kStatementRecord]) return True;
  for (UInt i = 0; i < g_settings.chop_count; ++i) {
    if (g_settings.chops[i].name_glob == NULL) return True;
  }
  return False;
}

static void CopyInstructions(Block* block, const IRSB* in, Bool is_entry) {
  const Bool looks_at_lines = LinesMatter(block);
  for (Int i = 0; i < in->stmts_used; ++i) {
    IRStmt* const statement = in->stmts[i];
    if (statement->tag == Ist_Exit) AtExit(block, statement);
    if (statement->tag == Ist_IMark) {
      const Bool is_first = block->address == 0;
      block->address = statement->Ist.IMark.addr;
      block->size = statement->Ist.IMark.len;
      block->has_branch = False;
      addStmtToIRSB(block->out, statement);
      if (is_first && is_entry) AtFunctionEntry(block);
      /* No other record follows that would ask. */
      if (is_first && !block->records[kBranchRecord]) CheckRoom(block);
      AtInstruction(block, is_first && is_entry, looks_at_lines);
      continue;
    }
    addStmtToIRSB(block->out, statement);
  }
  AtEnd(block, in);
}

IRSB* Instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout, const VexGuestExtents* extents,
                 const VexArchInfo* host, IRType guest_word, IRType host_word) {
  (void)extents, (void)host, (void)guest_word, (void)host_word;
  if (!SinkIsOpen()) return in;
  Function* const function = FunctionAt(closure->nraddr);
  Block block = {.layout = layout, .function = function};
  /* Where Valgrind runs a function of its own instead, only the entry is the program's doing. */
  const Bool is_own = closure->nraddr == closure->readdr;
  for (UInt kind = kBranchRecord; kind < kRecordKinds; ++kind) {
    block.records[kind] = is_own && function->kept && ChopMayRecord((RecordKind)kind);
  }
  block.out = deepCopyIRSBExceptStmts(in);
  CopyInstructions(&block, in, function->is_entry && function->start == closure->nraddr);
  SitesFlush();
  return block.out;
}
