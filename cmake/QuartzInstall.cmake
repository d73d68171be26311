# What a user gets: the commands, the public headers, the libraries and a CMake package.
install(TARGETS ${QUARTZ_APPS} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
