# Z3: the system's package when it is new enough, else the wheel under .deps.
#
# Defines oscope::z3, and OscopeZ3_ORIGIN ("system" or the wheel's directory).
include(FindPackageHandleStandardArgs)
include(OscopeWheel)

# Asked for without a version: the package's own check would refuse every major version but one.
find_package(Z3 CONFIG QUIET)
oscope_wheel_dir(z3-solver _wheel)

if(TARGET z3::libz3 AND Z3_VERSION VERSION_GREATER_EQUAL 4.13)
  set(OscopeZ3_ORIGIN "system")
  set(OscopeZ3_VERSION "${Z3_VERSION}")
  if(NOT TARGET oscope::z3)
    add_library(oscope::z3 INTERFACE IMPORTED)
    target_link_libraries(oscope::z3 INTERFACE z3::libz3)
  endif()
elseif(_wheel)
  # The file that bears the soname, which a binary asks for at run time.
  file(GLOB _z3 "${_wheel}/z3/lib/libz3.so.*")
  if(_z3)
    set(OscopeZ3_ORIGIN "${_wheel}")
    string(REGEX REPLACE ".*-" "" OscopeZ3_VERSION "${_wheel}")
    if(NOT TARGET oscope::z3)
      add_library(oscope::z3 SHARED IMPORTED)
      set_target_properties(oscope::z3 PROPERTIES
        IMPORTED_LOCATION "${_z3}" INTERFACE_INCLUDE_DIRECTORIES "${_wheel}/z3/include")
    endif()
  endif()
endif()

find_package_handle_standard_args(OscopeZ3
  REQUIRED_VARS OscopeZ3_ORIGIN VERSION_VAR OscopeZ3_VERSION
  REASON_FAILURE_MESSAGE "no system package Z3 >= 4.13 and no wheel in .deps: run scripts/setup --wheels")
