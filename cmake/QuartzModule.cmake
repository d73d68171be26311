# Defines one static library for each folder of src/, so that link lines show which modules use which.
#
#   quartz_module(circuit SOURCES gate_table.cpp ... USES algebra ... PRIVATE_USES fmt::fmt ...)
#
# defines the target quartz_circuit. USES names other modules (public); PUBLIC_USES and PRIVATE_USES name any target,
# and DEFINITIONS are those of its sources.
# A module of headers only has no SOURCES and becomes an INTERFACE library. A module whose code takes no time worth
# mentioning, such as that of options and reports, is COLD: the compiler optimizes it less, and takes less time itself.
# COLD_SOURCES are such files of another module.

add_library(quartz_options INTERFACE)
target_compile_features(quartz_options INTERFACE cxx_std_20)
# These options are for the C++ compiler; nvcc, used only for src/classes/cuda, has others.
if(NOT QUARTZ_QUICK_COMPILATION)
  target_compile_options(
    quartz_options
    INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion>")
endif()
# GCC 12 reports overlapping copies inside std::string by mistake (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(quartz_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>")
endif()
if(QUARTZ_PROCESSOR)
  target_compile_options(quartz_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-march=${QUARTZ_PROCESSOR}>")
endif()
if(QUARTZ_WARNINGS_AS_ERRORS)
  target_compile_options(quartz_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
endif()
if(QUARTZ_SANITIZE)
  set(sanitizers address,undefined)
  if(QUARTZ_SANITIZE STREQUAL "thread")
    set(sanitizers thread)
  elseif(NOT QUARTZ_SANITIZE MATCHES "^(address|ON)$")
    message(FATAL_ERROR "QUARTZ_SANITIZE is ${QUARTZ_SANITIZE}: expected OFF, address or thread")
  endif()
  target_compile_options(
    quartz_options
    INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizers};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(quartz_options INTERFACE -fsanitize=${sanitizers})
  # Checks of each pointer before each access take g++ a third of its time. AddressSanitizer reports almost all that they
  # find, such as an access to null or beyond an object, and clang++ has them all in the same time (preset clang).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT QUARTZ_SANITIZE STREQUAL "thread")
    target_compile_options(quartz_options
                           INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment,object-size,vptr>")
  endif()
  # Instrumented programs have megabytes of addresses. If they may be loaded anywhere, all of these are adjusted at each
  # start, which takes 0.3 s; and the linker of binutils takes twice as long as mold.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT QUARTZ_SANITIZE STREQUAL "thread")
    target_link_options(quartz_options INTERFACE "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>")
    find_program(QUARTZ_MOLD mold)
    if(QUARTZ_MOLD AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1)
      target_link_options(quartz_options INTERFACE -fuse-ld=mold)
    endif()
  endif()
endif()
if(QUARTZ_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "QUARTZ_FUZZ needs clang++, which has libFuzzer")
  endif()
  # The macro is the one that fuzzed projects use by convention: with it, limits on work are lower.
  target_compile_options(quartz_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>")
  target_compile_definitions(quartz_options INTERFACE FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
endif()
if(QUARTZ_COVERAGE)
  target_compile_options(quartz_options
                         INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:--coverage;-fprofile-update=atomic>")
  target_link_options(quartz_options INTERFACE --coverage)
endif()

set(QUARTZ_COLD_OPTIONS "$<$<CONFIG:Release>:-O1>")
# Instrumented code takes g++ two thirds of the time at this level, where it takes objects for uninitialized that are not.
if(QUARTZ_SANITIZE MATCHES "^(address|ON)$")
  list(APPEND QUARTZ_COLD_OPTIONS "$<$<CONFIG:RelWithDebInfo>:-Og;-Wno-maybe-uninitialized>")
endif()

# GCC limits how much a unit may grow by inlining, and larger units have more to inline. This is for modules whose
# benchmarks show it: others only take longer to compile.
if(QUARTZ_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(QUARTZ_INLINING_OPTIONS "$<$<CONFIG:Release>:--param=inline-unit-growth=200>")
endif()

# The number of files of a folder that are compiled as one (QUARTZ_UNITY_BUILD).
set(QUARTZ_UNIT_SIZE 24)

# The options of a target with sources of one module.
function(quartz_compile_module target)
  cmake_parse_arguments(module "COLD" "" "PRIVATE_USES" ${ARGN})
  target_link_libraries(${target} PRIVATE ${module_PRIVATE_USES})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD ${QUARTZ_UNITY_BUILD}
                                             UNITY_BUILD_BATCH_SIZE ${QUARTZ_UNIT_SIZE})
  if(module_COLD)
    target_compile_options(${target} PRIVATE ${QUARTZ_COLD_OPTIONS})
  endif()
endfunction()

# Sets properties of sources of this folder. Those that are joined belong to a target of src/.
function(quartz_set_source_properties)
  cmake_parse_arguments(these "" "" "SOURCES;PROPERTIES" ${ARGN})
  list(TRANSFORM these_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  set_source_files_properties(${these_SOURCES} DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src"
                              PROPERTIES ${these_PROPERTIES})
endfunction()

# Has the list of the backends of a module compiled apart from its other sources, because only this file depends on whether
# there is CUDA.
function(quartz_backend_list source)
  set(definitions "")
  if(QUARTZ_CUDA)
    set(definitions COMPILE_DEFINITIONS QUARTZ_WITH_CUDA)
  endif()
  quartz_set_source_properties(SOURCES ${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON ${definitions})
endfunction()

# Has sources of one module compiled with those of others, by the library quartz_joined_<group>.
function(quartz_join group)
  cmake_parse_arguments(joined "" "" "SOURCES;USES;DEFINITIONS" ${ARGN})
  list(TRANSFORM joined_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")
  foreach(property SOURCES USES DEFINITIONS)
    set_property(GLOBAL APPEND PROPERTY quartz_joined_${group}_${property} ${joined_${property}})
  endforeach()
endfunction()

# Defines the library of a group, once all of its modules are known. It and the modules use each other.
function(quartz_define_joined group)
  cmake_parse_arguments(joined "COLD" "" "" ${ARGN})
  foreach(property SOURCES USES DEFINITIONS)
    get_property(${property} GLOBAL PROPERTY quartz_joined_${group}_${property})
    list(REMOVE_DUPLICATES ${property})
  endforeach()
  if(NOT SOURCES)
    return()
  endif()
  set(cold "")
  if(joined_COLD)
    set(cold COLD)
  endif()
  set(target quartz_joined_${group})
  add_library(${target} STATIC ${SOURCES})
  quartz_compile_module(${target} ${cold} PRIVATE_USES "$<BUILD_INTERFACE:quartz_options>" ${USES})
  target_compile_definitions(${target} PRIVATE ${DEFINITIONS})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  set_property(GLOBAL APPEND PROPERTY quartz_joined_libraries ${target})
endfunction()

# Links a program with the objects of all libraries that are not cold before those of the group cold. Each object has
# copies of the inline functions and templates that it calls, and the linker takes the copy that it reads first: without
# this, it takes those of cold objects, which are optimized less, and searches take up to 7% more time.
function(quartz_link_cold_last target)
  if(NOT TARGET quartz_joined_cold)
    return()
  endif()
  foreach(library joined_small certify optimize qasm target)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:quartz_${library}>)
  endforeach()
endfunction()

function(quartz_module name)
  cmake_parse_arguments(module "COLD" "" "SOURCES;COLD_SOURCES;USES;PUBLIC_USES;PRIVATE_USES;DEFINITIONS" ${ARGN})
  set(target quartz_${name})
  set(used_modules ${module_USES})
  list(TRANSFORM used_modules PREPEND quartz_)
  set(joined "")
  foreach(group IN LISTS QUARTZ_JOINED_GROUPS)
    set(kind SOURCES)
    set(own_module "")
    if(group STREQUAL "cold" AND NOT module_COLD)
      set(kind COLD_SOURCES)
      set(own_module ${target})
    endif()
    if(module_${kind} AND name IN_LIST QUARTZ_JOINED_${group})
      quartz_join(${group} SOURCES ${module_${kind}} DEFINITIONS ${module_DEFINITIONS}
                  USES ${own_module} ${used_modules} ${module_PUBLIC_USES} ${module_PRIVATE_USES})
      set(module_${kind} "")
      list(APPEND joined quartz_joined_${group})
    endif()
  endforeach()
  if(module_SOURCES)
    add_library(${target} STATIC ${module_SOURCES})
    set(visibility PUBLIC)
    set(cold "")
    if(module_COLD)
      set(cold COLD)
    endif()
    quartz_compile_module(${target} ${cold} PRIVATE_USES ${module_PRIVATE_USES})
    target_compile_definitions(${target} PRIVATE ${module_DEFINITIONS})
  else()
    add_library(${target} INTERFACE)
    set(visibility INTERFACE)
  endif()
  # Warnings and sanitizers apply to this build only, not to users of the installed package.
  target_link_libraries(${target} ${visibility} "$<BUILD_INTERFACE:quartz_options>")
  target_compile_features(${target} ${visibility} cxx_std_20)
  target_include_directories(
    ${target}
    ${visibility} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>"
                  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${target} ${visibility} ${used_modules} ${module_PUBLIC_USES} ${joined})
  if(module_COLD_SOURCES)
    add_library(${target}_cold OBJECT ${module_COLD_SOURCES})
    # What the module uses, and the folders of its headers.
    quartz_compile_module(${target}_cold COLD PRIVATE_USES quartz_options ${used_modules} ${module_PUBLIC_USES}
                          ${module_PRIVATE_USES})
    target_compile_definitions(${target}_cold PRIVATE ${module_DEFINITIONS})
    target_include_directories(${target}_cold PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_cold>)
  endif()
endfunction()
