# Installs a build tree, builds a user's project and the examples against it, and runs the results.
#
#   cmake -DBUILD=<build tree> -DWORK=<scratch folder> -DUSER=<user's project>
#         -DEXAMPLES=<the examples> -DCIRCUIT=<an OpenQASM file> -DLAUNCHER=<ccache>
#         -DLIBRARIES=<folder of the libraries>
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

# Builds a project against the installed package.
function(build source folder)
  run("${CMAKE_COMMAND}" -S "${source}" -B "${folder}" -G Ninja
      "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")
  run("${CMAKE_COMMAND}" --build "${folder}")
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
build("${USER}" "${WORK}/build")
run("${WORK}/build/user")
message(STATUS "${output}")
if(NOT output STREQUAL "3 gates and 2: equal\n")
  message(FATAL_ERROR "the user's program printed: ${output}")
endif()

# The program of README.md prints the checked circuit. Its rules are bundled; the class table that it
# builds goes to a cache of its own.
build("${EXAMPLES}" "${WORK}/examples")
set(ENV{XDG_CACHE_HOME} "${WORK}/cache")
run("${WORK}/examples/optimize" "${CIRCUIT}")
if(NOT output MATCHES "OPENQASM 2\\.0;.*\ncz " OR NOT output MATCHES "checked: equal \\(")
  message(FATAL_ERROR "the program of README.md printed: ${output}")
endif()

# The program of docs/c.md, which knows only what pkg-config says, once with each library.
set(ENV{PKG_CONFIG_PATH} "${WORK}/prefix/${LIBRARIES}/pkgconfig")
foreach(package IN ITEMS quartz quartz-static)
  if(NOT EXISTS "${WORK}/prefix/${LIBRARIES}/pkgconfig/${package}.pc")
    continue()
  endif()
  run(pkg-config --cflags --libs ${package})
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(cc -std=c11 -Wall -Wextra -Werror -pedantic "${EXAMPLES}/c/optimize.c" ${flags}
      "-Wl,-rpath,${WORK}/prefix/${LIBRARIES}" -o "${WORK}/${package}")
  run("${WORK}/${package}" "${CIRCUIT}")
  if(NOT output MATCHES "OPENQASM 2\\.0;.*\ncx " OR NOT output MATCHES "checked: equal")
    message(FATAL_ERROR "the program of docs/c.md printed with ${package}: ${output}")
  endif()
  execute_process(COMMAND "${WORK}/${package}" "${WORK}/no_such_file" RESULT_VARIABLE status
                  ERROR_VARIABLE error)
  if(NOT status EQUAL 3 OR NOT error MATCHES "^error: ")
    message(FATAL_ERROR "the program of docs/c.md, without its input: ${status}, ${error}")
  endif()
endforeach()

# The same program in a project of the language C, which finds none of the packages that Quartz needs.
if(EXISTS "${WORK}/prefix/${LIBRARIES}/pkgconfig/quartz.pc")
  file(WRITE "${WORK}/c_project/CMakeLists.txt"
       "cmake_minimum_required(VERSION 3.22)\nproject(user LANGUAGES C)\nfind_package(quartz REQUIRED)\n"
       "add_executable(user \"${EXAMPLES}/c/optimize.c\")\ntarget_link_libraries(user quartz::shared)\n")
  build("${WORK}/c_project" "${WORK}/c_build")
  run("${WORK}/c_build/user" "${CIRCUIT}")
  if(NOT output MATCHES "checked: equal")
    message(FATAL_ERROR "the program of docs/c.md, built with CMake, printed: ${output}")
  endif()
endif()

# Checks that the commands run from where they were installed, with their man pages and completions.
file(GLOB commands "${WORK}/prefix/bin/quartz-*")
foreach(command IN LISTS commands)
  run("${command}" --help)
  get_filename_component(name "${command}" NAME)
  foreach(file IN ITEMS man/man1/${name}.1 bash-completion/completions/${name}
                        zsh/site-functions/_${name} fish/vendor_completions.d/${name}.fish)
    if(NOT EXISTS "${WORK}/prefix/share/${file}")
      message(FATAL_ERROR "share/${file} was not installed")
    endif()
  endforeach()
endforeach()
