#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "certify/replay/window_proofs.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using certify::KnownKeys;

TEST_CASE("keys are found with their values, and no others", "[replay]") {
  test::Random random(91);
  INFO("seed 91");
  const auto random_key = [&] {
    // Short keys of few letters, so that many occur again, and some that differ in their end only.
    std::string key(test::below(random, 9), '\0');
    for (char& letter : key) letter = static_cast<char>(test::below(random, 3));
    return key;
  };
  KnownKeys keys;
  std::map<std::string, std::uint32_t> expected;
  CHECK_FALSE(keys.find(""));
  for (std::uint32_t i = 0; i < 40'000; ++i) {
    const std::string key = random_key();
    const auto known = expected.find(key);
    REQUIRE(keys.find(key).has_value() == (known != expected.end()));
    if (known != expected.end()) {
      REQUIRE(keys.find(key) == known->second);
      continue;
    }
    keys.add(key, i);
    expected.emplace(key, i);
  }
  CHECK(keys.size() == expected.size());
  CHECK(expected.size() > 4096);  // the table has grown several times
  for (const auto& [key, value] : expected) REQUIRE(keys.find(key) == value);
}
