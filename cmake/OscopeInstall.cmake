# What `make install` and `make deb` put where. Libraries that came from wheels go to lib/oscope beside the binary,
# which finds them there by its run path.

if(TARGET oscope)
  set_target_properties(oscope PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
    INSTALL_RPATH "$ORIGIN/../lib/oscope")
  install(TARGETS oscope RUNTIME_DEPENDENCY_SET oscope_libraries RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(RUNTIME_DEPENDENCY_SET oscope_libraries
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+)\\.so"
    POST_INCLUDE_REGEXES "/\\.deps/"
    POST_EXCLUDE_REGEXES ".*"
    LIBRARY DESTINATION lib/oscope)
endif()

file(GLOB man_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1")
if(man_pages)
  install(FILES ${man_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()

# For metrics of one's own (docs/user-metrics.md).
install(FILES "${PROJECT_SOURCE_DIR}/query/distance/user/oscope_metric.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# For projects that trace their tests: find_package(oscope) (docs/testing.md).
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/oscope")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/package/oscopeConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/oscopeConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS CMAKE_INSTALL_BINDIR NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/oscopeConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/package/oscopeConfig.cmake" "${PROJECT_BINARY_DIR}/package/oscopeConfigVersion.cmake"
        DESTINATION "${package_dir}")

# Completions go where each shell looks for them, under the name it expects.
function(oscope_install_completion file destination name)
  if(EXISTS "${PROJECT_SOURCE_DIR}/cli/completions/${file}")
    install(FILES "${PROJECT_SOURCE_DIR}/cli/completions/${file}" RENAME ${name}
            DESTINATION "${CMAKE_INSTALL_DATADIR}/${destination}")
  endif()
endfunction()
oscope_install_completion(oscope.bash bash-completion/completions oscope)
oscope_install_completion(_oscope zsh/vendor-completions _oscope)
oscope_install_completion(oscope.fish fish/vendor_completions.d oscope.fish)

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/oscope" RENAME copyright)
# The licences and notices of what we carry.
file(GLOB carried_licenses "${OscopeArrow_ORIGIN}/*.dist-info/licenses/*.txt")
if(carried_licenses)
  install(FILES ${carried_licenses} DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/oscope/arrow")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME oscope)
set(CPACK_PACKAGE_CONTACT "The Oscilloscope maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "trace-based bug search engine")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What `oscope trace` runs; the libraries are found by themselves.
set(CPACK_DEBIAN_PACKAGE_DEPENDS valgrind)
# dpkg-shlibdeps finds the libraries we carry where they came from.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "")
foreach(origin IN ITEMS "${OscopeArrow_ORIGIN}/pyarrow" "${OscopeZ3_ORIGIN}/z3/lib")
  if(IS_DIRECTORY "${origin}")
    list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${origin}")
  endif()
endforeach()
include(CPack)
