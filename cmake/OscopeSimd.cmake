# oscope_simd_sources(<stem>): how <stem>_portable.cc, <stem>_avx2.cc and <stem>_avx512.cc of the caller's directory are
# compiled: one loop, three instruction sets (base/simd_level.h). The loops are written with the compiler's own vectors, so
# that another processor compiles all three to what it has.
function(oscope_simd_sources stem)
  set(common -O3 -Wno-psabi)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(avx2 -mavx2 -mbmi -mbmi2 -mpopcnt)
    set(avx512 ${avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
  endif()
  set_source_files_properties(${stem}_portable.cc PROPERTIES COMPILE_OPTIONS "${common}")
  set_source_files_properties(${stem}_avx2.cc PROPERTIES COMPILE_OPTIONS "${common};${avx2}")
  set_source_files_properties(${stem}_avx512.cc PROPERTIES COMPILE_OPTIONS "${common};${avx512}")
  # Precompiled headers are for one set of flags.
  set_source_files_properties(${stem}_portable.cc ${stem}_avx2.cc ${stem}_avx512.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
