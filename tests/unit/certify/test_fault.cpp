#include "quartz/certify/fault.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace quartz;

TEST_CASE("a fault has a reason", "[fault]") {
  CHECK_FALSE(Fault());
  CHECK(Fault().reason().empty());
  const Fault fault = "the gates differ";
  CHECK(fault);
  CHECK(fault.reason() == "the gates differ");
  CHECK(Fault("wire 3: " + fault.reason()).reason() == "wire 3: the gates differ");
  // An empty text is no success.
  CHECK_THROWS_AS(Fault(""), InternalError);
  CHECK_THROWS_AS(Fault(std::string()), InternalError);
}
