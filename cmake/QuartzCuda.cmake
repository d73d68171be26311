# The CUDA backend, in src/fingerprint/cuda alone. The run-time library is linked statically and
# looks for the driver when it is first called: a program built here runs on machines without one.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  # Machine code for Hopper, and code that the driver translates for what comes after.
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
