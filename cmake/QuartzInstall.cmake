# Installs the commands, the public headers, the libraries and a CMake package, so that users need only
#
#   find_package(quartz REQUIRED)
#   target_link_libraries(mine PRIVATE quartz::quartz)
#
# in their own builds, or pkg-config for the C interface. The target of libquartz.so, which has the C
# interface only, is quartz::shared. Every folder of src/ except cli (which serves only the commands) is installed
# as quartz::<folder>; quartz::quartz includes all of them.
include(CMakePackageConfigHelpers)

get_property(folders DIRECTORY "${PROJECT_SOURCE_DIR}/src" PROPERTY SUBDIRECTORIES)
set(installed_modules "")
foreach(folder IN LISTS folders)
  get_filename_component(module "${folder}" NAME)
  if(NOT module STREQUAL "cli")
    list(APPEND installed_modules quartz_${module})
    set_target_properties(quartz_${module} PROPERTIES EXPORT_NAME ${module})
  endif()
endforeach()

get_property(joined_libraries GLOBAL PROPERTY quartz_joined_libraries)
get_property(backend_libraries GLOBAL PROPERTY quartz_backend_libraries)
list(APPEND installed_modules ${joined_libraries} ${backend_libraries})

add_library(quartz INTERFACE)
target_link_libraries(quartz INTERFACE ${installed_modules})
add_library(quartz::quartz ALIAS quartz)

if(QUARTZ_APPS)
  install(TARGETS ${QUARTZ_APPS} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # Man pages and completions, which scripts/make_reference.py writes.
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/share/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/share/bash-completion" "${PROJECT_SOURCE_DIR}/share/zsh"
                    "${PROJECT_SOURCE_DIR}/share/fish"
          DESTINATION "${CMAKE_INSTALL_DATADIR}")
endif()
install(TARGETS quartz ${installed_modules} EXPORT quartzTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET quartz_shared)
  set_target_properties(quartz_shared PROPERTIES EXPORT_NAME shared)
  target_include_directories(quartz_shared INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  # In a file of its own, because it needs none of the libraries that the others are linked with.
  install(TARGETS quartz_shared EXPORT quartzSharedTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT quartzSharedTargets NAMESPACE quartz::
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/quartz")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/quartz" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.inc")

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/quartz")
install(EXPORT quartzTargets NAMESPACE quartz:: DESTINATION "${package_folder}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/quartzConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/quartzConfig.cmake"
                              INSTALL_DESTINATION "${package_folder}")
# Before version 1.0, any minor version may be incompatible.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/quartzConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/quartzConfig.cmake"
              "${PROJECT_BINARY_DIR}/quartzConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/FindZ3.cmake" "${CMAKE_CURRENT_LIST_DIR}/FindxxHash.cmake"
        DESTINATION "${package_folder}")

include(QuartzPkgConfig)
