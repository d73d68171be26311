# Enables the CUDA backend, which is only in src/classes/cuda. The run-time library is linked
# statically and looks for the driver when it is first called, so programs also run on machines
# without one.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  # Machine code for Hopper, and PTX that the driver compiles for later architectures.
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
