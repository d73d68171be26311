#include <catch2/catch.hpp>

#include "cli/printable_text.hpp"

using quartz::cli::printable;

TEST_CASE("Text that a terminal can show stays as it is") {
  CHECK(printable("") == "");
  CHECK(printable("there is no gate 'rz(\\pi)'") == "there is no gate 'rz(\\pi)'");
  CHECK(printable("\u03b8 \u20ac \U0001f600") == "\u03b8 \u20ac \U0001f600");
}

TEST_CASE("Control characters and bytes that are not UTF-8 are escaped") {
  CHECK(printable("two\nlines") == "two lines");
  CHECK(printable(std::string_view("\0\t\x7f", 3)) == "\\x00\\x09\\x7f");
  CHECK(printable("rz\xff(\xce") == "rz\\xff(\\xce");
  CHECK(printable("\x80") == "\\x80");                             // no first byte
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // longer than necessary
  CHECK(printable("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");           // longer than necessary
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  CHECK(printable("\xe2\x82z") == "\\xe2\\x82z");                  // cut off
}
