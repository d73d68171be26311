# Enables the CUDA backends, which are in the folders cuda of modules. The run-time library is linked
# statically and looks for the driver when it is first called, so programs also run on machines
# without one.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  # Machine code for Hopper, and PTX that the driver compiles for later architectures.
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# Defines quartz_<module>_cuda, the library of the CUDA sources of a module. Only the list of backends is compiled in
# another way than without CUDA (quartz_backend_list), so that ccache has the other objects for both kinds of build.
function(quartz_cuda_backend module)
  set(target quartz_${module}_cuda)
  add_library(${target} STATIC ${ARGN})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME ${module}_cuda)
  # The standard is given as a flag because CMake 3.25 does not know that nvcc 13 supports C++20.
  target_compile_options(${target} PRIVATE -std=c++20 --expt-relaxed-constexpr)
  target_link_libraries(${target} PRIVATE quartz_${module} CUDA::cudart_static)
  set_property(GLOBAL APPEND PROPERTY quartz_backend_libraries ${target})
endfunction()
