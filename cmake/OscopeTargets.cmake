# The kinds of target the project has. DEPS takes library names (base, tracer_model: our own oscope_<name>) and
# CMake targets (oscope::parquet, CLI11::CLI11) alike.

# oscope_link(<target> <visibility> <dep>...)
function(oscope_link target visibility)
  foreach(dep IN LISTS ARGN)
    if(NOT dep MATCHES "::" AND NOT dep MATCHES "^oscope_")
      set(dep "oscope_${dep}")
    endif()
    target_link_libraries(${target} ${visibility} ${dep})
  endforeach()
endfunction()

# A target built from sources. Sources are relative to the caller's directory.
macro(oscope_parse_target function single_value)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;${single_value}" "SOURCES;DEPS;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "${function}: NAME and SOURCES are needed; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
endmacro()

# oscope_precompiled_headers(NAME <name> HEADERS <header>... [DEPS <dep>...] [FLAGS <flag>...]): the headers are compiled
# once, with these flags, for all targets that say PCH <name>. Headers of the system and of libraries only: a header of
# ours would rebuild everything when it changes. With CMAKE_DISABLE_PRECOMPILE_HEADERS, as in the preset `fuzz`, each
# source must include what it needs.
function(oscope_precompiled_headers)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "HEADERS;DEPS;FLAGS")
  set(target oscope_${arg_NAME}_pch)
  file(CONFIGURE OUTPUT ${target}.cc CONTENT "")
  add_library(${target} STATIC "${CMAKE_CURRENT_BINARY_DIR}/${target}.cc")
  target_link_libraries(${target} PUBLIC ${arg_DEPS})
  target_compile_options(${target} PUBLIC ${arg_FLAGS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    # False alarms that <string> silences by pragmas, which g++ forgets when it precompiles them.
    target_compile_options(${target} PUBLIC -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
endfunction()

# Lets a target reuse the headers of oscope_precompiled_headers(NAME <name>), with their flags.
function(oscope_reuse_headers target name)
  target_link_libraries(${target} PRIVATE oscope_${name}_pch)
  target_precompile_headers(${target} REUSE_FROM oscope_${name}_pch)
endfunction()

# oscope_library(NAME <name> SOURCES <file>... [DEPS <dep>...] [PCH <name>]): the static library oscope_<name>. It is
# compiled with the precompiled headers `std`, or those that PCH names; NONE of them where its flags do not fit.
function(oscope_library)
  oscope_parse_target(oscope_library PCH)
  add_library(oscope_${arg_NAME} STATIC ${arg_SOURCES})
  oscope_link(oscope_${arg_NAME} PUBLIC ${arg_DEPS})
  if(NOT arg_PCH)
    set(arg_PCH std)
  endif()
  if(NOT arg_PCH STREQUAL "NONE")
    oscope_reuse_headers(oscope_${arg_NAME} ${arg_PCH})
  endif()
endfunction()

# oscope_test(NAME <name> SOURCES <file>... [DEPS <dep>...] [LABELS <label>...] [TIMEOUT <seconds>]): the GoogleTest
# executable test_<name>, each of whose tests ctest knows. TIMEOUT, 60 if not given, is for one test. The label `long`
# keeps a test out of `make test`, and puts `long.` before its name: ctest gives the label to every test of one name, also
# to that of another program which is not long (tests/names). The tests see OSCOPE_SOURCE_DIR (the project's root) and OSCOPE_BINARY (the
# program, which need not exist where cli/ is not built).
function(oscope_test)
  if(NOT OSCOPE_BUILD_TESTS OR OSCOPE_FUZZ)
    return()
  endif()
  oscope_parse_target(oscope_test TIMEOUT)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  set(target test_${arg_NAME})
  add_executable(${target} ${arg_SOURCES})
  oscope_link(${target} PRIVATE ${arg_DEPS})
  oscope_reuse_headers(${target} test)
  set(labels "")
  if(arg_LABELS)
    set(labels LABELS ${arg_LABELS})
  endif()
  set(prefix "")
  if("long" IN_LIST arg_LABELS)
    set(prefix TEST_PREFIX long.)
  endif()
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" ${prefix}
                       PROPERTIES TIMEOUT ${arg_TIMEOUT} FIXTURES_REQUIRED temporary_directory ${labels})
endfunction()

# oscope_fuzz_target(NAME <name> SOURCES <file>... [DEPS <dep>...] CORPUS <dir>): fuzz_<name>, from a source that
# defines LLVMFuzzerTestOneInput, and a test of the same name. With OSCOPE_FUZZ the test fuzzes for OSCOPE_FUZZ_SECONDS,
# starting from the seeds in CORPUS; else it runs once over every seed, so that seeds are regression tests.
function(oscope_fuzz_target)
  if(NOT OSCOPE_BUILD_TESTS)
    return()
  endif()
  oscope_parse_target(oscope_fuzz_target CORPUS)
  set(target fuzz_${arg_NAME})
  get_filename_component(corpus "${arg_CORPUS}" ABSOLUTE)
  if(NOT IS_DIRECTORY "${corpus}")
    message(FATAL_ERROR "oscope_fuzz_target ${arg_NAME}: no corpus directory '${corpus}'")
  endif()
  add_executable(${target} ${arg_SOURCES})
  oscope_link(${target} PRIVATE ${arg_DEPS})
  oscope_reuse_headers(${target} std)
  if(OSCOPE_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    set(found "${PROJECT_BINARY_DIR}/corpus/${arg_NAME}")
    file(MAKE_DIRECTORY "${found}")
    add_test(NAME ${target} COMMAND ${target} -max_total_time=${OSCOPE_FUZZ_SECONDS} -timeout=10 -rss_limit_mb=2048
             -print_final_stats=1 "-artifact_prefix=${PROJECT_BINARY_DIR}/${target}-" "${found}" "${corpus}")
    math(EXPR timeout "${OSCOPE_FUZZ_SECONDS} + 120")
  else()
    if(NOT TARGET oscope_fuzz_replay)
      add_library(oscope_fuzz_replay OBJECT "${PROJECT_SOURCE_DIR}/cmake/fuzz_replay_main.cc")
      oscope_link(oscope_fuzz_replay PRIVATE base)
    endif()
    target_link_libraries(${target} PRIVATE oscope_fuzz_replay)
    add_test(NAME ${target} COMMAND ${target} "${corpus}")
    set(timeout 60)
  endif()
  set_tests_properties(${target} PROPERTIES TIMEOUT ${timeout})
endfunction()

# oscope_bench(NAME <name> SOURCES <file>... [DEPS <dep>...]): the Google Benchmark executable bench_<name>. The target
# `bench` builds them all, `bench_run` runs them; neither is part of `all`.
function(oscope_bench)
  oscope_parse_target(oscope_bench "")
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND OR OSCOPE_FUZZ)
    return()
  endif()
  add_executable(bench_${arg_NAME} EXCLUDE_FROM_ALL ${arg_SOURCES})
  oscope_link(bench_${arg_NAME} PRIVATE ${arg_DEPS} benchmark::benchmark)
  set_property(GLOBAL APPEND PROPERTY OSCOPE_BENCHES bench_${arg_NAME})
endfunction()

# Called once, after every oscope_bench.
function(oscope_finish_bench)
  get_property(benches GLOBAL PROPERTY OSCOPE_BENCHES)
  add_custom_target(bench DEPENDS ${benches})
  set(commands "")
  foreach(bench IN LISTS benches)
    list(APPEND commands COMMAND ${bench})
  endforeach()
  if(NOT commands)
    set(commands COMMAND "${CMAKE_COMMAND}" -E echo "bench: there are no benchmarks in this build")
  endif()
  add_custom_target(bench_run ${commands} USES_TERMINAL DEPENDS bench)
endfunction()
