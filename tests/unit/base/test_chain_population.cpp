#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "base/chains/chain_population.hpp"

using namespace quartz;

TEST_CASE("chains that are behind for long go on from chains with smaller sets",
          "[chain_population]") {
  ChainPopulation population(4, 10, 3, 1);
  const std::vector<std::uint32_t> own{0, 1, 2, 3};
  const std::vector<std::uint32_t> sizes{9, 10, 8, 9};
  CHECK(population.next_sources(sizes, 1) == own);
  // The second chain has been behind for three rounds, the others since they became smaller for
  // two.
  std::vector<std::uint32_t> sources = population.next_sources(sizes, 3);
  CHECK(sources[1] != 1);
  sources[1] = 1;
  CHECK(sources == own);
  // Afterwards the first and the last one go on from the only one with a smaller set.
  population.restart(1, 3);
  CHECK(population.next_sources(sizes, 4) == std::vector<std::uint32_t>{2, 1, 2, 2});
}

TEST_CASE("chains with the smallest sets go on by themselves", "[chain_population]") {
  ChainPopulation population(3, 5, 1, 7);
  for (std::uint64_t round = 1; round < 20; ++round) {
    CHECK(population.next_sources({4, 4, 4}, round) == std::vector<std::uint32_t>{0, 1, 2});
  }
}
