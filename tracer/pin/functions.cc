// Finds the function of each instruction when it is translated, and decides once what the settings want of it.
// Functions are never freed, because translated code holds their addresses.
#include "tracer/pin/functions.h"

#include <unordered_map>
#include <vector>

#include "tracer/pin/method_name.h"
#include "tracer/pin/tool.h"

namespace oscope::pin {
namespace {

std::unordered_map<ADDRINT, const Function*> functions;  // by start

std::string Hex(uint64_t number) {
  std::string digits;
  for (; number != 0; number /= 16) digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
  return digits.empty() ? "0" : digits;
}

// As oscope names what has no symbol: "libparse.so+0x1234".
std::string PlaceName(const Image& image, ADDRINT address) {
  return image.path.substr(image.path.rfind('/') + 1) + "+0x" + Hex(address - image.bias);
}

void AddNames(const std::string& symbol, std::vector<std::string>* names) {
  const std::string plain = WithoutSuffixes(symbol);
  const std::string shown = PIN_UndecorateSymbolName(plain, UNDECORATION_COMPLETE);
  // Not the spelling of a C++ symbol: a glob like _* is not meant for it.
  names->push_back(shown == plain ? plain : MethodName(shown));
}

void GiveSite(Function* function) {
  function->site = SiteAt('m', function->start, function->symbol);
  function->is_entry = function->site != Sites::kNone;
}

const Function* Remember(Function* function) {
  functions[function->start] = function;
  return function;
}

const Function* MakeNamed(const Image& image, RTN rtn) {
  Function* function = new Function();
  function->start = RTN_Address(rtn);
  function->symbol = RTN_Name(rtn);
  std::vector<std::string> names;
  AddNames(function->symbol, &names);
  for (const std::string& alias : SymbolsAt(image, function->start)) AddNames(alias, &names);
  function->plan = PlanFunction(tool.settings, image.path, names);
  const SYM sym = RTN_Sym(rtn);
  const bool is_resolver = SYM_Valid(sym) && SYM_IFuncResolver(sym);
  function->is_entry = !IsLinkageStub(function->symbol) && !IsPartOfFunction(function->symbol) && !is_resolver;
  if (function->is_entry) GiveSite(function);
  return Remember(function);
}

const Function* MakeUnwound(const Image& image, ADDRINT start) {
  Function* function = new Function();
  function->start = start;
  function->plan = PlanFunction(tool.settings, image.path, {PlaceName(image, start)});
  GiveSite(function);
  return Remember(function);
}

// In a file, code without a function is what the linker and the C library add: linkage stubs, what runs before and
// after main.
Function unknown;
const Function* Unknown() {
  unknown.plan.kept = false;
  return &unknown;
}

// Code that is in no file.
const Function* Generated() {
  static const Function* function = nullptr;
  if (function != nullptr) return function;
  Function* made = new Function();
  made->plan = PlanFunction(tool.settings, "", {"[generated]"});
  function = made;
  return function;
}

}  // namespace

const Function* FunctionAt(INS ins) {
  const ADDRINT address = INS_Address(ins);
  Image* image = FindImage(address);
  if (image == nullptr) return Generated();
  if (image->IsStub(address)) return Unknown();
  const RTN rtn = INS_Rtn(ins);
  ADDRINT start = 0;
  const bool is_unwound = FindStart(image, address, &start);
  // Pin's routine reaches to the next symbol: a function that begins between is one without a symbol.
  const bool is_named = RTN_Valid(rtn) && !RTN_IsArtificial(rtn) && !(is_unwound && start > RTN_Address(rtn));
  if (!is_named && !is_unwound) return Unknown();
  if (is_named) start = RTN_Address(rtn);
  const auto known = functions.find(start);
  if (known != functions.end()) return known->second;
  return is_named ? MakeNamed(*image, rtn) : MakeUnwound(*image, start);
}

void ForgetFunctions(const Image& image) {
  for (auto function = functions.begin(); function != functions.end();) {
    function = image.Holds(function->first) ? functions.erase(function) : ++function;
  }
}

}  // namespace oscope::pin
