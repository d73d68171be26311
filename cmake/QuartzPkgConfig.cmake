# Installs pkg-config files for the C interface: quartz.pc links libquartz.so, and quartz-static.pc
# the static libraries in `installed_modules` (QuartzInstall.cmake). The files name no absolute path,
# so that the installed folders can be moved.
file(RELATIVE_PATH prefix_from_pkgconfig "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")

# A static library precedes those that it uses, and src/CMakeLists.txt lists modules bottom-up.
set(static_libraries "")
foreach(module IN LISTS installed_modules)
  get_target_property(type ${module} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(PREPEND static_libraries -l${module})
  endif()
endforeach()
list(JOIN static_libraries " " static_libraries)
set(foreign_libraries z3 fmt xxhash zstd ${OpenMP_CXX_LIB_NAMES} stdc++ m)
list(REMOVE_DUPLICATES foreign_libraries)
list(TRANSFORM foreign_libraries PREPEND "-l")
list(JOIN foreign_libraries " " foreign_libraries)

set(pkgconfig_files "")
if(TARGET quartz_shared)
  list(APPEND pkgconfig_files quartz)
endif()
# The libraries of CUDA have no place where every linker finds them.
if(NOT QUARTZ_CUDA)
  list(APPEND pkgconfig_files quartz-static)
endif()
foreach(name IN LISTS pkgconfig_files)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
