#include <catch2/catch.hpp>

#include "quartz/base/counted.hpp"

using namespace quartz;

TEST_CASE("A number is followed by the singular or the plural of what it counts") {
  CHECK(counted(0, "gate") == "0 gates");
  CHECK(counted(1, "gate") == "1 gate");
  CHECK(counted(12, "classical bit") == "12 classical bits");
  CHECK(counted(1, "branch") == "1 branch");
  CHECK(counted(2, "branch") == "2 branches");
  CHECK(counted(2, "class") == "2 classes");
}
