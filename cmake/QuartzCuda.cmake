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

# Adds CUDA sources to a module, which sees QUARTZ_WITH_CUDA then.
function(quartz_cuda_sources module)
  set(target quartz_${module})
  target_sources(${target} PRIVATE ${ARGN})
  target_compile_definitions(${target} PRIVATE QUARTZ_WITH_CUDA)
  # The standard is given as a flag because CMake 3.25 does not know that nvcc 13 supports C++20.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr>")
  target_link_libraries(${target} PRIVATE CUDA::cudart_static)
endfunction()
