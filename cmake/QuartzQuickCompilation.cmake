# Has the modules compiled in less time, for those who build them once (pyproject.toml): without warnings
# (QuartzModule.cmake), with a compiler that does not collect its garbage before it has 1 GiB of it, and with the
# headers in precompiled_headers.hpp compiled once for the modules that are COLD. GCC compiles whatever sees a
# precompiled header with the optimization of the header, which is theirs; and the other modules use fewer of these
# headers, so that loading them all takes as long as compiling those. ccache would not keep objects with precompiled
# headers, so these are not used with a launcher.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(quartz_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>")
endif()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers serve files with the same macros only.
  target_compile_definitions(quartz_options
                             INTERFACE "$<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>"
                                       "$<TARGET_PROPERTY:Boost::headers,INTERFACE_COMPILE_DEFINITIONS>")
  # CMake precompiles headers for a target with a source.
  file(CONFIGURE OUTPUT precompiled_headers.cpp CONTENT "")
  add_library(quartz_precompiled OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/precompiled_headers.cpp")
  target_link_libraries(quartz_precompiled PRIVATE quartz_options Boost::headers fmt::fmt nlohmann_json::nlohmann_json)
  target_include_directories(quartz_precompiled PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_compile_options(quartz_precompiled PRIVATE ${QUARTZ_COLD_OPTIONS})
  set_target_properties(quartz_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(quartz_precompiled PRIVATE "${CMAKE_CURRENT_LIST_DIR}/precompiled_headers.hpp")
endif()
