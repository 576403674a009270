/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/instrument.h"

#include <pub_tool_libcassert.h>
#include <pub_tool_machine.h>

#include "tracer/raw/raw_format.h"
#include "tracer/valgrind/functions.h"
#include "tracer/valgrind/sink.h"
#include "tracer/valgrind/sites.h"

static IRExpr* Const64(ULong value) { return IRExpr_Const(IRConst_U64(value)); }
static IRExpr* Const32(UInt value) { return IRExpr_Const(IRConst_U32(value)); }
static IRExpr* AddressOf(const void* variable) { return Const64((Addr)variable); }

static IRExpr* Assign(IRSB* out, IRExpr* value) {
  const IRTemp temp = newIRTemp(out->tyenv, typeOfIRExpr(out->tyenv, value));
  addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
  return IRExpr_RdTmp(temp);
}

static IRExpr* Load64(IRSB* out, const void* variable) { return Assign(out, IRExpr_Load(Iend_LE, Ity_I64, AddressOf(variable))); }

/* Stores a record of the size of `value` and raises the position. Returns the position after it. */
static IRExpr* Write(IRSB* out, IRExpr* value) {
  const UInt bytes = (UInt)sizeofIRType(typeOfIRExpr(out->tyenv, value));
  IRExpr* const next = Load64(out, &g_sink.next);
  addStmtToIRSB(out, IRStmt_Store(Iend_LE, next, value));
  IRExpr* const after = Assign(out, IRExpr_Binop(Iop_Add64, next, Const64(bytes)));
  addStmtToIRSB(out, IRStmt_Store(Iend_LE, AddressOf(&g_sink.next), after));
  return after;
}

/* Calls SinkTurn if the position `next` lies behind the limit. */
static void CheckRoom(IRSB* out, IRExpr* next) {
  IRExpr* const limit = Load64(out, &g_sink.limit);
  IRExpr* const full = Assign(out, IRExpr_Binop(Iop_CmpLT64U, limit, next));
  IRDirty* const call = unsafeIRDirty_0_N(0, "SinkTurn", VG_(fnptr_to_fnentry)(SinkTurn), mkIRExprVec_0());
  call->guard = full;
  addStmtToIRSB(out, IRStmt_Dirty(call));
}

static IRExpr* WriteEntry(IRSB* out, UInt site, const VexGuestLayout* layout) {
  IRExpr* const sp = Assign(out, IRExpr_Get(layout->offset_SP, Ity_I64));
  IRExpr* const high = Assign(out, IRExpr_Binop(Iop_Shl64, sp, IRExpr_Const(IRConst_U8(32))));
  return Write(out, Assign(out, IRExpr_Binop(Iop_Or64, high, Const64(OSC_RAW_WORD(OSC_RAW_ENTRY, site)))));
}

IRSB* Instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout, const VexGuestExtents* extents,
                 const VexArchInfo* host, IRType guest_word, IRType host_word) {
  (void)extents, (void)host, (void)guest_word, (void)host_word, (void)Const32;
  Function* const function = FunctionAt(closure->nraddr);
  if (!function->is_entry || function->start != closure->nraddr || !function->kept) return in;
  IRSB* const out = deepCopyIRSBExceptStmts(in);
  Int i = 0;
  for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; ++i) addStmtToIRSB(out, in->stmts[i]);
  CheckRoom(out, WriteEntry(out, FunctionSite(function), layout));
  for (; i < in->stmts_used; ++i) addStmtToIRSB(out, in->stmts[i]);
  SitesFlush();
  return out;
}
