# Installs a build tree, builds the user's project against it, and runs the result.
#
#   cmake -DBUILD=<build tree> -DWORK=<scratch folder> -DUSER=<user's project> -DLAUNCHER=<ccache>
#         -P check_install.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${status}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
run("${CMAKE_COMMAND}" -S "${USER}" -B "${WORK}/build" -G Ninja
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/user")
message(STATUS "${output}")
if(NOT output STREQUAL "3 gates and 2: equal\n")
  message(FATAL_ERROR "the user's program printed: ${output}")
endif()

run("${WORK}/build/optimize" "${USER}/../../../circuits/tof_3.qasm")
if(NOT output MATCHES "OPENQASM 2\\.0;.*\ncz ")
  message(FATAL_ERROR "the program of README.md printed: ${output}")
endif()

# Checks that the commands run from where they were installed.
file(GLOB commands "${WORK}/prefix/bin/quartz-*")
foreach(command IN LISTS commands)
  run("${command}" --help)
endforeach()
