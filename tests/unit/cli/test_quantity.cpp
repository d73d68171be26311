#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

#include "cli/output/quantity.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::cli;

TEST_CASE("Durations have units, or are in seconds") {
  CHECK(parse_seconds("10") == 10);
  CHECK(parse_seconds("0") == 0);
  CHECK(parse_seconds("10s") == 10);
  CHECK(parse_seconds("500ms") == Approx(0.5));
  CHECK(parse_seconds("20us") == Approx(2e-5));
  CHECK(parse_seconds("2min") == 120);
  CHECK(parse_seconds("1.5h") == 5400);
  CHECK(parse_seconds("1e2s") == 100);
}

TEST_CASE("Memory sizes have units, or are in bytes") {
  CHECK(parse_bytes("1000") == 1000);
  CHECK(parse_bytes("4GiB") == 4294967296.0);
  CHECK(parse_bytes("4GB") == 4e9);
  CHECK(parse_bytes("64KiB") == 65536);
  CHECK(parse_bytes("2kB") == 2000);
  CHECK(parse_bytes("1.5MiB") == 1572864);
}

TEST_CASE("Texts that are not quantities are rejected") {
  for (const char* text : {"", "s", "ten", "10 s", "10S", "10sec", "-1s", "-0", "nan", "inf",
                           "1e999", "10s5", "0x10", "+5", "4GiB"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_seconds(text), UsageError);
  }
  for (const char* text : {"", "GiB", "4Gib", "4 GiB", "-4GiB", "10s", "inf"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_bytes(text), UsageError);
  }
}

TEST_CASE("Options with units keep their default and name themselves in messages") {
  double seconds = 7;
  double bytes = 8;
  CLI::App options;
  add_seconds_option(options, "-t,--time", seconds, "how long");
  add_bytes_option(options, "--memory", bytes, "how much");
  options.parse("--memory 1KiB");
  CHECK(seconds == 7);
  CHECK(bytes == 1024);
  CHECK_THROWS_WITH(options.parse("--time 5x"), Catch::Contains("--time: '5x' is not a duration"));
}
