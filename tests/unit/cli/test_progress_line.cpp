#include <catch2/catch.hpp>
#include <sstream>

#include "cli/output/progress_line.hpp"

using namespace quartz::cli;

TEST_CASE("Progress is one line that is erased at the end") {
  std::ostringstream err;
  {
    ProgressLine line(err, true, std::chrono::seconds(0));
    line.show("one");
    line.show("two");
  }
  CHECK(err.str() == "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K");
}

TEST_CASE("Without a terminal there is no progress") {
  std::ostringstream err;
  {
    ProgressLine line(err, false);
    CHECK_FALSE(line.due());
    line.show("one");
    line.clear();
  }
  CHECK(err.str().empty());
}

TEST_CASE("Texts that come too soon are skipped") {
  std::ostringstream err;
  ProgressLine line(err, true, std::chrono::hours(1));
  CHECK(line.due());
  line.show("one");
  CHECK_FALSE(line.due());
  line.show("two");
  CHECK(err.str() == "\r\x1b[Kone");
  line.clear();
  line.clear();
  CHECK(err.str() == "\r\x1b[Kone\r\x1b[K");
  line.show("three");
  CHECK(err.str() == "\r\x1b[Kone\r\x1b[K\r\x1b[Kthree");
}

TEST_CASE("Long texts are cut to a line") {
  std::ostringstream err;
  ProgressLine line(err, true);
  line.show(std::string(5000, 'x'));
  CHECK(err.str().size() < 5000);
}
