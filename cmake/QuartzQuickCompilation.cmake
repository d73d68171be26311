# Has the modules compiled in less time, for those who build them once (pyproject.toml): without warnings
# (QuartzModule.cmake), with a compiler that does not collect its garbage before it has 1 GiB of it, and with units of
# more files, since each unit takes the compiler three to four seconds for the headers and templates that all of them
# use. Precompiled headers took longer to make and to load than they saved the few units.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(quartz_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>")
endif()
set(QUARTZ_UNIT_SIZE 56)
# Cold files take g++ a fifth less time at this level than with -O1.
set(QUARTZ_COLD_OPTIONS "$<$<CONFIG:Release>:-Og>")

# Units of several modules: the headers and templates of a unit are compiled once for all of them. The group cold has
# the files that are COLD or COLD_SOURCES of these modules, and the group small all other files of modules with few of
# them. Sanitized builds set options of single modules.
if(NOT QUARTZ_SANITIZE)
  set(QUARTZ_JOINED_GROUPS cold small)
  set(QUARTZ_JOINED_cold qasm target verify rules certify enumerate circuit optimize journal compound_journal workflow report
      cli)
  set(QUARTZ_JOINED_small base algebra flips parity_chains window_chains circuit approximation fingerprint verify classes enumerate
      journal rewrite)
endif()
