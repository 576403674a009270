/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One pass over the demangled text, in place: what stands outside of parameter lists is kept, and what came before a
 * space outside of brackets was a return type. tracer/model/method_name.cc does the same with more care for names that
 * other tools wrote. */
#include "tracer/valgrind/method_name.h"

#include <pub_tool_libcbase.h>

#include "tracer/valgrind/core_symbols.h"

static Bool IsIdentifier(HChar c) {
  return VG_(isdigit)(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static Bool StartsWith(const HChar* text, const HChar* what) {
  return VG_(strncmp)(text, what, VG_(strlen)(what)) == 0;
}

static Bool EndsWith(const HChar* begin, const HChar* end, const HChar* what) {
  const SizeT size = VG_(strlen)(what);
  return (SizeT)(end - begin) >= size && VG_(strncmp)(end - size, what, size) == 0;
}

static Bool IsOperator(const HChar* begin, const HChar* at) {
  return StartsWith(at, "operator") && (at == begin || !IsIdentifier(at[-1])) && at[8] != '\0' && !IsIdentifier(at[8]);
}

/* One past the operator's symbol: "operator()" and "operator<" have brackets that open nothing. */
static const HChar* SkipOperatorSymbol(const HChar* at) {
  static const HChar* const kBrackets[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "->",
                                           "<<", ">>", "<=",  ">=",  "<",   ">"};
  at += 8;
  if (StartsWith(at, "\"\"")) return at + VG_(strcspn)(at, "(<"); /* operator"" _km */
  for (UInt i = 0; i < sizeof kBrackets / sizeof kBrackets[0]; ++i) {
    if (StartsWith(at, kBrackets[i])) return at + VG_(strlen)(kBrackets[i]);
  }
  if (StartsWith(at, " new") || StartsWith(at, " delete")) {
    at += at[1] == 'n' ? 4 : 7;
    return StartsWith(at, "[]") ? at + 2 : at;
  }
  return at;
}

/* One past the bracket that closes the one at `open`. */
static const HChar* SkipBrackets(const HChar* open) {
  Int depth = 0;
  for (const HChar* at = open; *at != '\0';) {
    if (at != open && IsOperator(open, at)) {
      at = SkipOperatorSymbol(at);
      continue;
    }
    if (*at == '(' || *at == '<' || *at == '[' || *at == '{') ++depth;
    if (*at == ')' || *at == ']' || *at == '}' || (*at == '>' && at[-1] != '-')) --depth;
    ++at;
    if (depth == 0) return at;
  }
  return open + VG_(strlen)(open);
}

static const HChar* SkipQualifiers(const HChar* at) {
  static const HChar* const kWords[] = {" const", " volatile", " &&", " &", "&&", "&"};
  for (UInt i = 0; i < sizeof kWords / sizeof kWords[0];) {
    if (StartsWith(at, kWords[i])) {
      at += VG_(strlen)(kWords[i]);
      i = 0;
    } else {
      ++i;
    }
  }
  return at;
}

/* Where the name begins in a declarator "(*name(char))(int)" or "(C::*name(char))(int)" of a function that returns a
 * pointer to a function; NULL when it is none. */
static const HChar* DeclaredName(const HChar* open) {
  const HChar* at = open + 1;
  if (*at != '*' && *at != '&') {
    while (IsIdentifier(*at) || *at == '<' || (*at == ':' && !StartsWith(at, "::*")))
      at = *at == '<' ? SkipBrackets(at) : at + 1;
    if (!StartsWith(at, "::*")) return NULL;
    at += 3;
  }
  while (*at == '*' || *at == '&' || *at == ' ') ++at;
  return IsIdentifier(*at) ? at : NULL;
}

typedef struct {
  HChar* begin;
  HChar* end;
} Output;

static const HChar kAnonymous[] = "(anonymous namespace)::";

/* Without the tags and anonymous namespaces that template arguments and lambdas may have in them. */
static void Put(Output* out, const HChar* from, const HChar* to) {
  while (from < to && out->end < out->begin + kMaxMethodName - 1) {
    if (StartsWith(from, kAnonymous)) {
      from += sizeof kAnonymous - 1;
    } else if (StartsWith(from, "[abi:")) {
      from = SkipBrackets(from);
    } else {
      *out->end++ = *from++;
    }
  }
}

/* What is left of a demangled text at `at`, with parameters, return type and tags taken away. */
static void Scan(const HChar* at, Output* out) {
  const HChar* const begin = at;
  while (*at != '\0') {
    const HChar* next = at + 1;
    if (StartsWith(at, kAnonymous)) {
      at += sizeof kAnonymous - 1;
      continue;
    }
    if (StartsWith(at, "[abi:")) {
      at = SkipBrackets(at);
      continue;
    }
    if (StartsWith(at, " [clone ")) return;
    if (IsOperator(begin, at)) {
      next = SkipOperatorSymbol(at);
      /* A conversion's type runs up to the parameters. */
      if (*next == ' ') {
        while (*next != '\0' && *next != '(') next = *next == '<' ? SkipBrackets(next) : next + 1;
      }
    } else if (*at == '<' || *at == '{' || *at == '[') {
      next = SkipBrackets(at);
    } else if (*at == '(' && out->end == out->begin && DeclaredName(at) != NULL) {
      at = DeclaredName(at);
      continue;
    } else if (*at == '(') {
      next = SkipBrackets(at);
      if (!EndsWith(out->begin, out->end, "decltype")) {
        at = SkipQualifiers(next);
        if (!StartsWith(at, "::")) return;
        continue;
      }
    } else if (*at == ' ') {
      /* "decltype (...) f(int)": what is in the brackets belongs to the type. */
      if (!EndsWith(out->begin, out->end, "decltype") || *next != '(') out->end = out->begin;
      at = next;
      continue;
    } else if (*at == '@' && out->end != out->begin) {
      return;
    }
    Put(out, at, next);
    at = next;
  }
}

static Bool DropEnding(Output* out, const HChar* ending) {
  if (!EndsWith(out->begin, out->end, ending) || (SizeT)(out->end - out->begin) == VG_(strlen)(ending)) return False;
  out->end -= VG_(strlen)(ending);
  return True;
}

/* .isra.0, .constprop.1, .cold ... */
static void DropCloneSuffixes(Output* out) {
  static const HChar* const kClones[] = {".isra", ".part", ".constprop", ".lto_priv", ".llvm", ".clone"};
  for (Bool again = True; again;) {
    again = DropEnding(out, ".cold") || DropEnding(out, ".localalias");
    HChar* digits = out->end;
    while (digits > out->begin && VG_(isdigit)(digits[-1])) --digits;
    if (digits == out->end || digits - out->begin < 2 || digits[-1] != '.') continue;
    out->end = digits - 1;
    again = True;
    for (UInt i = 0; i < sizeof kClones / sizeof kClones[0]; ++i) {
      if (DropEnding(out, kClones[i])) break;
    }
  }
}

void MethodName(const HChar* symbol, HChar name[kMaxMethodName]) {
  const HChar* text = symbol;
  if (StartsWith(symbol, "_Z")) VG_(demangle)(True, False, symbol, &text);
  static const HChar* const kPrefixes[] = {"non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to "};
  for (UInt i = 0; i < sizeof kPrefixes / sizeof kPrefixes[0]; ++i) {
    if (StartsWith(text, kPrefixes[i])) text += VG_(strlen)(kPrefixes[i]);
  }
  Output out = {name, name};
  Scan(text, &out);
  /* Of a conversion to "void (C::*)()". */
  while (EndsWith(out.begin, out.end, " ")) --out.end;
  DropCloneSuffixes(&out);
  *out.end = '\0';
}

Bool IsPartOfFunction(const HChar* symbol) {
  for (const HChar* dot = VG_(strchr)(symbol, '.'); dot != NULL; dot = VG_(strchr)(dot + 1, '.')) {
    if (StartsWith(dot, ".cold") || StartsWith(dot, ".part.")) return True;
  }
  return False;
}
