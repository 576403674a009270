// A random program: for each method a list of calls, chosen once from the seed. Traces are walks of it with a bounded
// stack. Purely random sequences would have nothing in common, and neither an index nor a compressor would behave on
// them as on real traces.
#include "tracer/generate/call_grammar.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace oscope {
namespace {

constexpr std::array<std::string_view, 40> kPackages = {
    "base",  "net",    "http",  "json",   "io",    "parser", "lexer",  "ast",   "index", "store",
    "cache", "crypto", "ui",    "layout", "font",  "image",  "audio",  "math",  "geo",   "db",
    "sql",   "log",    "task",  "thread", "timer", "config", "plugin", "shell", "file",  "archive",
    "text",  "regex",  "graph", "tree",   "query", "plan",   "rpc",    "auth",  "test",  "report"};
constexpr std::array<std::string_view, 20> kClasses = {
    "Socket", "Buffer", "Reader", "Writer",  "Parser", "Table",  "Session", "Request", "Queue", "Node",
    "Cursor", "Filter", "Codec",  "Channel", "Pool",   "Record", "Handler", "Builder", "View",  "Registry"};
constexpr std::array<std::string_view, 10> kMethods = {"open", "read",   "write", "close", "parse",
                                                       "find", "update", "check", "flush", "reset"};
constexpr uint32_t kMethodsOfPackage = kClasses.size() * kMethods.size();
constexpr uint32_t kMaxCalls = 6;
constexpr uint32_t kMaxWalkDepth = 48;

}  // namespace

std::string GeneratedMethodName(uint32_t index) {
  const uint32_t package = index / kMethodsOfPackage;
  std::string name(kPackages[package % kPackages.size()]);
  for (uint32_t rest = package / kPackages.size(); rest > 0; rest /= kPackages.size()) {
    name.append("::").append(kPackages[rest % kPackages.size()]);
  }
  name.append("::").append(kClasses[index / kMethods.size() % kClasses.size()]);
  return name.append("::").append(kMethods[index % kMethods.size()]);
}

CallGrammar::CallGrammar(uint64_t seed, uint32_t methods) {
  Random random(seed, 0);
  bodies_.reserve(methods + 1);
  for (uint32_t method = 0; method < methods; ++method) {
    bodies_.push_back(static_cast<uint32_t>(calls_.size()));
    const uint32_t package = method - method % kMethodsOfPackage;
    const uint32_t neighbours = std::min(kMethodsOfPackage, methods - package);
    const uint32_t count = random.Percent(30) ? 0 : 1 + random.Below(kMaxCalls);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t callee = random.Percent(50) ? package + random.Below(neighbours) : random.ZipfBelow(methods);
      calls_.push_back({callee & 0x7fffffff, random.Percent(20)});
    }
  }
  bodies_.push_back(static_cast<uint32_t>(calls_.size()));
}

void CallGrammar::Walk(Random& random, uint32_t length, std::vector<SymbolId>& events,
                       std::vector<uint32_t>* depths) const {
  struct Frame {
    uint32_t next, end;  // calls still to make
  };
  std::array<Frame, kMaxWalkDepth> stack;
  uint32_t depth = 0;
  const auto enter = [&](uint32_t method) {
    events.push_back(SymbolId{method});
    if (depths != nullptr) depths->push_back(depth);
    if (depth < kMaxWalkDepth) stack[depth++] = {bodies_[method], bodies_[method + 1]};
  };

  const size_t end = events.size() + length;
  while (events.size() < end) {
    if (depth == 0) {
      enter(random.Below(methods()));
      continue;
    }
    Frame& frame = stack[depth - 1];
    if (frame.next == frame.end) {
      --depth;
      continue;
    }
    const uint64_t dice = random.Next();
    const Call call = calls_[frame.next];
    const bool again = call.loop && (dice & 3) != 0;
    if (!again) ++frame.next;
    const bool skipped = (dice & 12) == 0;
    if (!skipped) enter(call.method);
  }
}

}  // namespace oscope
