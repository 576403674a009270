/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/functions.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_mallocfree.h>

#include "tracer/valgrind/core_symbols.h"
#include "tracer/valgrind/function_starts.h"
#include "tracer/valgrind/glob.h"
#include "tracer/valgrind/ifuncs.h"
#include "tracer/valgrind/method_name.h"
#include "tracer/valgrind/objects.h"
#include "tracer/valgrind/sites.h"

/* A function's symbols. */
typedef struct {
  Addr start, end;
  const HChar* name;
  const HChar** more_names; /* ends with NULL, or is NULL */
  const HChar* chosen_for;  /* a name that it has by choice of the program, or NULL */
  Bool is_ifunc;            /* what runs there chooses an implementation, under the name of the chosen */
} Symbol;

static VgHashTable* functions;
static VgHashTable* parts; /* addresses that were found to begin no function */

/* All names of a function as methods, to be matched many times. */
typedef struct {
  UInt count;
  HChar** names;
} Aliases;

static Symbol SymbolAtIndex(const DebugInfo* info, Int index, Bool* is_text) {
  Symbol symbol;
  SymAVMAs address;
  UInt size;
  Bool is_global;
  VG_(DebugInfo_syms_getidx)(info, index, &address, &size, &symbol.name, &symbol.more_names, is_text, &symbol.is_ifunc,
                             &is_global);
  symbol.start = address.main;
  symbol.end = address.main + size;
  symbol.chosen_for = NULL;
  return symbol;
}

static Bool FindSymbol(const DebugInfo* info, Addr address, Symbol* symbol) {
  Int low = 0, high = VG_(DebugInfo_syms_howmany)(info);
  Bool is_text;
  while (low < high) {
    const Int middle = low + (high - low) / 2;
    if (SymbolAtIndex(info, middle, &is_text).start <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return False;
  *symbol = SymbolAtIndex(info, low - 1, &is_text);
  return is_text && address < symbol->end;
}

static void AddAlias(Aliases* aliases, const HChar* symbol) {
  HChar name[kMaxMethodName];
  MethodName(symbol, name);
  aliases->names = VG_(realloc)("oscope.aliases", aliases->names, (aliases->count + 1) * sizeof(HChar*));
  aliases->names[aliases->count++] = VG_(strdup)("oscope.alias", name);
}

static Aliases AliasesOf(const Symbol* symbol) {
  Aliases aliases = {0, NULL};
  AddAlias(&aliases, symbol->name == NULL ? "" : symbol->name);
  for (const HChar** more = symbol->more_names; more != NULL && *more != NULL; ++more) AddAlias(&aliases, *more);
  if (symbol->chosen_for != NULL) AddAlias(&aliases, symbol->chosen_for);
  return aliases;
}

static void FreeAliases(Aliases* aliases) {
  for (UInt i = 0; i < aliases->count; ++i) VG_(free)(aliases->names[i]);
  VG_(free)(aliases->names);
}

static Bool AnyFits(const Aliases* aliases, const HChar* glob) {
  for (UInt i = 0; i < aliases->count; ++i) {
    if (GlobFits(glob, aliases->names[i])) return True;
  }
  return False;
}

/* The last line that fits decides. */
static Bool IsKept(const Aliases* aliases, const HChar* path) {
  for (UInt i = g_settings.filter_count; i-- > 0;) {
    const FilterLine* const filter = &g_settings.filters[i];
    const Bool fits = filter->by_object ? GlobFits(filter->glob, path) || GlobFits(filter->glob, VG_(basename)(path))
                                        : AnyFits(aliases, filter->glob);
    if (fits) return filter->keep;
  }
  return True;
}

static FunctionRole RoleOf(const Aliases* aliases) {
  if (AnyFits(aliases, "__cxa_throw")) return kThrow;
  if (AnyFits(aliases, "__cxa_begin_catch")) return kBeginCatch;
  if (AnyFits(aliases, "__cxa_rethrow")) return kRethrow;
  if (AnyFits(aliases, "std::rethrow_exception")) return kThrowOn;
  if (AnyFits(aliases, "__cxa_free_exception")) return kFreeException;
  return kPlain;
}

static void* AppendPointer(void* list, UInt* count, const void* item) {
  const void** const grown = VG_(realloc)("oscope.function.list", list, (*count + 1) * sizeof(void*));
  grown[(*count)++] = item;
  return grown;
}

/* What the settings want when the function is entered; NULL: nothing. */
static Wishes* FindWishes(const Aliases* aliases) {
  Wishes wishes = {.role = RoleOf(aliases)};
  for (UInt i = 0; i < g_settings.value_count; ++i) wishes.values |= AnyFits(aliases, g_settings.value_globs[i]);
  for (UInt i = 0; i < g_settings.mark_count; ++i) {
    const MarkLine* const mark = &g_settings.marks[i];
    if (AnyFits(aliases, mark->glob)) wishes.marks = AppendPointer(wishes.marks, &wishes.mark_count, mark);
  }
  for (UInt i = 0; i < g_settings.chop_count; ++i) {
    const ChopLine* const chop = &g_settings.chops[i];
    if (chop->name_glob == NULL || !AnyFits(aliases, chop->name_glob)) continue;
    wishes.chops = AppendPointer(wishes.chops, &wishes.chop_count, chop);
  }
  if (wishes.role == kPlain && !wishes.values && wishes.mark_count == 0 && wishes.chop_count == 0) return NULL;
  Wishes* const kept = VG_(malloc)("oscope.wishes", sizeof *kept);
  *kept = wishes;
  return kept;
}

/* Names and addresses may mean something else after a load or an unload. */
static void ForgetOldFunctions(void) {
  static UInt known_epoch;
  const UInt epoch = VG_(current_DiEpoch)().n;
  if (functions != NULL && epoch == known_epoch) return;
  if (functions != NULL) VG_(HT_destruct)(functions, VG_(free));
  functions = VG_(HT_construct)("oscope.functions");
  if (parts == NULL) parts = VG_(HT_construct)("oscope.parts");
  known_epoch = epoch;
}

static Function* Add(const Object* object, const Symbol* symbol, Bool is_entry) {
  Function* const function = VG_(calloc)("oscope.function", 1, sizeof *function);
  function->start = symbol->start;
  function->end = symbol->end;
  function->symbol = symbol->name;
  function->is_entry = is_entry;
  function->site = kNoSite;
  Aliases aliases = AliasesOf(symbol);
  /* In a file, code without a function is what the linker and the C library add. */
  const Bool has_function = symbol->name != NULL || symbol->end > symbol->start || object->id == kNoObject;
  function->kept = has_function && IsKept(&aliases, object->path);
  Wishes* const wishes = is_entry && symbol->name != NULL ? FindWishes(&aliases) : NULL;
  if (wishes != NULL && (wishes->values || wishes->chop_count > 0)) wishes->site = FunctionSite(function);
  function->wishes = wishes;
  FreeAliases(&aliases);
  if (symbol->is_ifunc && symbol->name != NULL) function->chooses = IfuncName(symbol->name);
  VG_(HT_add_node)(functions, function);
  return function;
}

Function* FunctionAt(Addr address) {
  ForgetOldFunctions();
  const Object object = ObjectAt(address);
  const Symbol unknown = {.start = address, .end = address};
  Symbol symbol = unknown;
  Bool is_entry = False;
  if (object.info != NULL) {
    if (FindSymbol(object.info, address, &symbol)) {
      is_entry = !symbol.is_ifunc && !IsPartOfFunction(symbol.name);
    } else {
      symbol = unknown;
      is_entry = FindFunctionStart(&object, address, &symbol.start, &symbol.end) &&
                 VG_(HT_lookup)(parts, symbol.start) == NULL;
    }
  }
  Function* const known = VG_(HT_lookup)(functions, symbol.start);
  symbol.chosen_for = IfuncAt(symbol.start);
  if (symbol.name == NULL) symbol.name = symbol.chosen_for;
  return known != NULL ? known : Add(&object, &symbol, is_entry);
}

void FunctionJumps(const Function* from, Addr target) {
  if (from->symbol != NULL || (target >= from->start && target < from->end)) return;
  Function* const to = FunctionAt(target);
  if (to->symbol != NULL || to->start != target || !to->is_entry) return;
  to->is_entry = False;
  VgHashNode* const part = VG_(malloc)("oscope.part", sizeof *part);
  part->key = target;
  VG_(HT_add_node)(parts, part);
}

UInt FunctionSite(Function* function) {
  if (function->site == kNoSite) function->site = SiteOf('m', function->start, function->symbol);
  return function->site;
}
