# Language, warnings, sanitizers and ccache, for every target of the project.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
include_directories("${PROJECT_SOURCE_DIR}")

add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)
if(OSCOPE_WERROR)
  # A library's new version may deprecate what the oldest we support needs.
  add_compile_options(-Werror -Wno-error=deprecated-declarations)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Flow-based warnings that g++ 12 also gives for correct uses of std::string, std::vector and std::variant:
  # shown, but not fatal.
  add_compile_options(-Wno-restrict -Wno-error=maybe-uninitialized -Wno-error=array-bounds
                      -Wno-error=stringop-overflow -Wno-error=stringop-overread
                      -Wno-error=free-nonheap-object)
endif()

if(OSCOPE_SANITIZE)
  add_compile_options(-fsanitize=${OSCOPE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${OSCOPE_SANITIZE})
  if(OSCOPE_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
if(OSCOPE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "OSCOPE_FUZZ needs clang (use: cmake --preset fuzz)")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(OSCOPE_CCACHE ccache)
mark_as_advanced(OSCOPE_CCACHE)
if(OSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness that ccache's manual asks for with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${OSCOPE_CCACHE}")
endif()
