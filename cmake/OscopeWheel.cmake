# oscope_wheel_dir(<name> <variable>): where scripts/setup unpacks the wheel that scripts/wheels/<name>.txt pins,
# or an empty string when it is not there.
function(oscope_wheel_dir name variable)
  set(pin "${PROJECT_SOURCE_DIR}/scripts/wheels/${name}.txt")
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${pin}")
  file(STRINGS "${pin}" lines REGEX "^${name}==")
  string(REGEX REPLACE "^${name}==([^ ]+).*" "\\1" version "${lines}")
  set(dir "${PROJECT_SOURCE_DIR}/.deps/${name}-${version}")
  if(NOT EXISTS "${dir}")
    set(dir "")
  endif()
  set(${variable} "${dir}" PARENT_SCOPE)
endfunction()
