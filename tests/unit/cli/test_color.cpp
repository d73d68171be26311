#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "cli/color.hpp"
#include "environment_variable.hpp"

using namespace quartz::cli;
using quartz::test::EnvironmentVariable;

TEST_CASE("Colored text is bold, and plain where no colors are shown") {
  CHECK(colored("equal", Color::green, true) == "\x1b[1m\x1b[32mequal\x1b[0m");
  CHECK(colored("error:", Color::red, true) == "\x1b[1m\x1b[31merror:\x1b[0m");
  CHECK(colored("equal", Color::green, false) == "equal");
}

TEST_CASE("Only terminals show colors, and only if the user wants them") {
  // A pseudoterminal, as of a terminal emulator.
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  int pipe[2] = {};
  REQUIRE(::pipe(pipe) == 0);
  {
    const EnvironmentVariable type("TERM", "xterm");
    const EnvironmentVariable unset("NO_COLOR", "");
    CHECK(shows_colors(terminal));
    CHECK_FALSE(shows_colors(pipe[1]));
    const EnvironmentVariable set("NO_COLOR", "1");
    CHECK_FALSE(shows_colors(terminal));
  }
  const EnvironmentVariable unset("NO_COLOR", "");
  const EnvironmentVariable dumb("TERM", "dumb");
  CHECK_FALSE(shows_colors(terminal));
  ::close(terminal);
  ::close(pipe[0]);
  ::close(pipe[1]);
}
