# Apache Arrow and Parquet: the system's packages when they are new enough, else the wheel under .deps.
#
# Defines oscope::arrow and oscope::parquet (which brings oscope::arrow along), and OscopeArrow_ORIGIN ("system" or
# the wheel's directory).
include(FindPackageHandleStandardArgs)
include(OscopeWheel)

find_package(OpenSSL 3 REQUIRED)
# Asked for without a version: the package's own check would refuse every major version but one.
find_package(Arrow CONFIG QUIET)
find_package(Parquet CONFIG QUIET)
oscope_wheel_dir(pyarrow _wheel)

if(TARGET Arrow::arrow_shared AND TARGET Parquet::parquet_shared AND Arrow_VERSION VERSION_GREATER_EQUAL 20)
  set(OscopeArrow_ORIGIN "system")
  set(OscopeArrow_VERSION "${Arrow_VERSION}")
  if(NOT TARGET oscope::arrow)
    add_library(oscope::arrow INTERFACE IMPORTED)
    target_link_libraries(oscope::arrow INTERFACE Arrow::arrow_shared)
    add_library(oscope::parquet INTERFACE IMPORTED)
    target_link_libraries(oscope::parquet INTERFACE Parquet::parquet_shared oscope::arrow)
  endif()
elseif(_wheel)
  # The wheel has no unversioned links, so the versioned files are named.
  file(GLOB _arrow "${_wheel}/pyarrow/libarrow.so.*")
  file(GLOB _parquet "${_wheel}/pyarrow/libparquet.so.*")
  if(_arrow AND _parquet)
    set(OscopeArrow_ORIGIN "${_wheel}")
    string(REGEX REPLACE ".*-" "" OscopeArrow_VERSION "${_wheel}")
    if(NOT TARGET oscope::arrow)
      add_library(oscope::arrow SHARED IMPORTED)
      set_target_properties(oscope::arrow PROPERTIES
        IMPORTED_LOCATION "${_arrow}" INTERFACE_INCLUDE_DIRECTORIES "${_wheel}/pyarrow/include")
      add_library(oscope::parquet SHARED IMPORTED)
      set_target_properties(oscope::parquet PROPERTIES
        IMPORTED_LOCATION "${_parquet}" INTERFACE_INCLUDE_DIRECTORIES "${_wheel}/pyarrow/include"
        INTERFACE_LINK_LIBRARIES oscope::arrow
        # The wheel's libparquet exports the OpenSSL linked into it, for encrypted files. The system's has to come
        # first in every binary, or ours and libssl's calls would end up in that copy.
        INTERFACE_LINK_OPTIONS
          "SHELL:-Wl,--push-state,--no-as-needed ${OPENSSL_CRYPTO_LIBRARY} -Wl,--pop-state")
    endif()
  endif()
endif()

find_package_handle_standard_args(OscopeArrow
  REQUIRED_VARS OscopeArrow_ORIGIN VERSION_VAR OscopeArrow_VERSION
  REASON_FAILURE_MESSAGE "no system packages Arrow and Parquet >= 20 and no wheel in .deps: run scripts/setup --wheels")
