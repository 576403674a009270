// Lists of globs, as data: what belongs to libraries, loaders and test frameworks everywhere (kObjects, kMethods), and
// what only stacks of a crash contain (kOfCrashes, kFiles). A stack in which nothing is the project's own keeps all its
// frames, so that a crash deep in a library still has a fingerprint.
#include "tracer/model/project_frames.h"

#include <algorithm>
#include <array>

#include "base/glob.h"

namespace oscope {
namespace {

constexpr std::array kObjects = std::to_array<std::string_view>(
    {// The loader, the C library and the compiler's own.
     "[vdso]", "ld-linux*", "ld-2.*", "libc.so*", "libc-2.*", "libm.so*", "libm-2.*", "libpthread*", "libdl.so*",
     "librt.so*", "libresolv.so*", "libstdc++.so*", "libgcc_s.so*", "libc++.so*", "libc++abi.so*", "libasan.so*",
     "libubsan.so*", "libtsan.so*", "libgomp.so*", "vgpreload_*",
     // Test frameworks.
     "libgtest*", "libgmock*", "libCatch2*", "libboost_unit_test_framework*", "libboost_prg_exec_monitor*"});

constexpr std::array kMethods = std::to_array<std::string_view>(
    {// The C++ library and Boost, which are in the program itself where they are made of templates.
     "std::*", "__gnu_cxx::*", "__cxxabiv1::*", "operator new*", "operator delete*", "boost::*",
     // Test frameworks; that of Boost is among the rest.
     "testing::*", "_ZN7testing*", "_ZNK7testing*", "gtest_*_EvalGenerate*", "*_Test::AddToRegistry", "RUN_ALL_TESTS",
     "Catch::*", "operator\"\" _catch_sr", "doctest::*",
     // What compilers and linkers add, and the C library of static programs.
     "_start", "_init", "_fini", "frame_dummy", "register_tm_clones", "deregister_tm_clones", "__do_global_*",
     "_GLOBAL__sub_*", "__static_initialization_and_destruction_0", "__tls_*", "__libc_*", "__cxa_*", "__gxx_*",
     "_Unwind_*", "_dl_*", "_IO_*", "__gcov_*", "gcov_*", "__asan_*", "__ubsan_*", "__tsan_*", "atexit",
     "__clang_call_terminate"});

// What a debugger or a sanitizer shows of the C library and of itself without naming the object: the ways to abort(),
// and the functions that crash in the name of their caller. `[unknown]` and `[libc.so.6]` are frames without a name.
constexpr std::array kOfCrashes = std::to_array<std::string_view>(
    {"<signal handler called>", "[unknown]", "(below main)", "__GI_*", "raise", "gsignal", "abort", "kill",
     "pthread_kill*", "__pthread_kill*", "__assert_*", "__fortify_fail*", "__stack_chk_fail*", "__chk_fail",
     "malloc_printerr", "_int_free*", "_int_malloc*", "__restore_rt", "start_thread", "clone", "clone3", "__clone*",
     // Memory and strings: a sanitizer has functions of its own in front of them, in the program itself.
     "malloc", "calloc", "realloc", "free", "memcpy", "memmove", "memset", "memcmp", "strlen", "strcpy", "strncpy",
     "strcat", "strcmp", "strncmp", "strchr", "strdup", "strtol",
     // The sanitizers' run time.
     "__interceptor_*", "___interceptor_*", "__sanitizer*", "__lsan*", "__msan*", "__hwasan*", "__asan::*",
     "__ubsan::*", "__tsan::*", "__interception::*", "asan_thread_start*",
     // The JVM, its library and its test frameworks.
     "java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*", "junit.*", "org.junit.*", "org.testng.*", "org.hamcrest.*",
     "org.opentest4j.*", "org.apache.maven.*", "org.gradle.*"});

// Source files as debug information and tracebacks have them.
constexpr std::array kFiles = std::to_array<std::string_view>(
    {"../sysdeps/*", "./nptl/*", "./stdlib/*", "./signal/*", "./assert/*", "./malloc/*", "./csu/*", "./debug/*",
     "*/glibc-*/*", "*libsanitizer/*", "*compiler-rt/*", "*/libstdc++-v3/*",
     // Python's own library and test runners.
     "<frozen *", "*/_pytest/*", "*/pluggy/*", "*/unittest/*", "*/runpy.py", "*/pytest.py"});

bool FitsAny(std::span<const std::string_view> globs, std::string_view text) {
  return std::ranges::any_of(globs, [&](std::string_view glob) { return GlobFits(glob, text); });
}

}  // namespace

std::span<const std::string_view> ForeignObjects() { return kObjects; }
std::span<const std::string_view> ForeignMethods() { return kMethods; }

bool IsProjectFrame(std::string_view method, const SymbolAttributes& attributes) {
  const std::string_view object = attributes.object;
  if (!object.empty() && FitsAny(kObjects, object.substr(object.rfind('/') + 1))) return false;
  if (!attributes.file.empty() && FitsAny(kFiles, attributes.file)) return false;
  return !FitsAny(kMethods, method) && !FitsAny(kOfCrashes, method);
}

std::vector<SymbolId> ProjectFrames(const Trace& trace, const SymbolTable& symbols, size_t limit) {
  const uint64_t end = trace.header.mark ? trace.header.mark->events : trace.events.size();
  const auto up_to_mark = std::span(trace.events).first(std::min<size_t>(end, trace.events.size()));
  std::vector<SymbolId> own;
  for (size_t i = up_to_mark.size(); i-- > 0 && own.size() < limit;) {
    const SymbolId frame = up_to_mark[i];
    if (IsProjectFrame(symbols.name(frame), symbols.attributes(frame))) own.push_back(frame);
  }
  if (!own.empty()) return own;
  const auto innermost = up_to_mark.last(std::min(limit, up_to_mark.size()));
  return {innermost.rbegin(), innermost.rend()};
}

}  // namespace oscope
