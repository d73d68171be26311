# Has the modules compiled in less time, for those who build them once (pyproject.toml): without warnings
# (QuartzModule.cmake), with a compiler that does not collect its garbage before it has 1 GiB of it, and with units of
# more files, since each unit takes the compiler three to four seconds for the headers and templates that all of them
# use. Precompiled headers took longer to make and to load than they saved the few units.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(quartz_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>")
endif()
set(QUARTZ_UNIT_SIZE 56)
