# GNU readline, for the shell's lines: PkgConfig::readline, where it is wanted and there.
#
# Its licence is the GPL, which a program that is linked with it falls under. Without it the shell reads plain lines, so that a machine that
# lacks it builds all the same.
option(OSCOPE_READLINE "Edit the shell's lines with GNU readline, where it is there" ON)
if(OSCOPE_READLINE)
  pkg_check_modules(readline QUIET IMPORTED_TARGET readline)
  if(NOT readline_FOUND)
    message(STATUS "GNU readline was not found (Debian: libreadline-dev): the shell is built without it and reads plain lines")
  endif()
endif()
