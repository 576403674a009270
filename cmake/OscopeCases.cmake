# Tests that are scripts in Python, by the classes of cases that they hold.

# oscope_case_tests(NAME <name> SCRIPT <file> [ARGS <word>...] [TIMEOUT <seconds>] [LABELS <label>...] [ENVIRONMENT <NAME=value>...]): a test
# <name>.<class> for each class with tests in the script, which is called with ARGS and the class. The list is made anew when the script changes.
# TIMEOUT, 300 if not given, is for one class. Exit code 77 is a skip.
function(oscope_case_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SCRIPT;TIMEOUT" "ARGS;LABELS;ENVIRONMENT")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SCRIPT)
    message(FATAL_ERROR "oscope_case_tests: NAME and SCRIPT are needed; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  get_filename_component(script "${arg_SCRIPT}" ABSOLUTE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}")
  execute_process(COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/support/cases.py" "${script}"
                  OUTPUT_VARIABLE classes OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" classes "${classes}")
  if(NOT classes)
    message(FATAL_ERROR "oscope_case_tests: no class of ${script} has tests")
  endif()
  foreach(class IN LISTS classes)
    add_test(NAME ${arg_NAME}.${class} COMMAND Python3::Interpreter "${script}" ${arg_ARGS} ${class})
    set_tests_properties(${arg_NAME}.${class} PROPERTIES TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 LABELS "${arg_LABELS}"
                         ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;${arg_ENVIRONMENT}")
  endforeach()
endfunction()

# oscope_clean_tests(): the tests that this directory has added so far require the fixture of tests/clean, which looks for what they leave behind.
function(oscope_clean_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    get_test_property(${test} FIXTURES_SETUP set_up)
    get_test_property(${test} FIXTURES_CLEANUP cleaned_up)
    if(NOT set_up AND NOT cleaned_up)
      set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED temporary_directory)
    endif()
  endforeach()
endfunction()
