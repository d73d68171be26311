#include <catch2/catch.hpp>
#include <string_view>
#include <vector>

#include "quartz/base/nearest_name.hpp"

using namespace quartz;

namespace {
const std::vector<std::string_view> sets{"nam", "clifford_t", "ibm", "ibm_heron", "ion_trap"};
}

TEST_CASE("The nearest name is found") {
  CHECK(nearest_name("clifordt", sets) == "clifford_t");
  CHECK(nearest_name("clifford+t", sets) == "clifford_t");
  CHECK(nearest_name("NAM", sets) == "nam");
  CHECK(nearest_name("nan", sets) == "nam");
  CHECK(nearest_name("ibm_heren", sets) == "ibm_heron");
}

TEST_CASE("Names that are far from all others have no suggestion") {
  CHECK(nearest_name("quantinuum", sets).empty());
  CHECK(nearest_name("x", sets).empty());
  CHECK(nearest_name("", sets).empty());
  CHECK(nearest_name("nam", {}).empty());
}

TEST_CASE("The end of a message suggests a name in quotes") {
  CHECK(did_you_mean("nan", sets) == " (did you mean 'nam'?)");
  CHECK(did_you_mean("rigetti", sets).empty());
}

TEST_CASE("A message about an unknown name has a suggestion and the known names") {
  const std::vector<std::string_view> names{"total", "t"};
  CHECK(unknown_name_message("cost", "totl", "known costs", names) ==
        "unknown cost 'totl' (did you mean 'total'?); known costs: total, t");
  CHECK(unknown_name_message("cost", "price", "known costs", names) ==
        "unknown cost 'price'; known costs: total, t");
}
