#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "enumerate/key_index.hpp"

using namespace quartz;
using namespace quartz::enumerate;
using namespace quartz::fingerprint;

TEST_CASE("the key index works like a map, with growth, clustering and wrapping around") {
  const std::uint64_t seed = 5;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  KeyIndex index;
  std::map<FingerprintKey, std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 6000; ++i) {
    FingerprintKey key = random();
    if (i % 3 == 0) key = kNoKey - 1 - random() % 500;  // keys crowded at the end of the table
    if (i % 3 == 1) key = random() % 500;               // keys crowded at its beginning
    index.prefetch(key);
    REQUIRE(index.find_or_insert(key, i) == expected.emplace(key, i).first->second);
  }
  for (const auto& [key, number] : expected) REQUIRE(index.find_or_insert(key, 77) == number);
}
