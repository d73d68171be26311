#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "circuit/record_encoding.hpp"

namespace quartz::circuit {
namespace {

std::vector<std::uint32_t> read(const NumberList& list) { return {list.begin(), list.end()}; }

}  // namespace

TEST_CASE("a list of numbers has the numbers that were put into it", "[history]") {
  constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();
  for (const std::vector<std::uint32_t>& numbers :
       std::vector<std::vector<std::uint32_t>>{{},
                                               {0},
                                               {7},
                                               {0, 1, 2, 3},
                                               {5, 6, 7, 2, 3, 9},
                                               {kLargest - 1, kLargest, 0, 1},
                                               {3, 2, 1, 0}}) {
    CAPTURE(numbers);
    const NumberList list(numbers);
    CHECK(list.size() == numbers.size());
    CHECK(list.empty() == numbers.empty());
    CHECK(read(list) == numbers);
  }
}

TEST_CASE("lists of random runs are read as they were written", "[history]") {
  std::mt19937 random(4);
  std::vector<std::uint32_t> numbers;
  NumberList list;
  for (int run = 0; run < 500; ++run) {
    auto number = static_cast<std::uint32_t>(random() >> (random() % 32));
    for (auto left = static_cast<std::uint32_t>(1 + random() % 300); left != 0; --left) {
      numbers.push_back(number);
      list.push_back(number++);
    }
  }
  CHECK(read(list) == numbers);
  CHECK(list == NumberList(numbers));
  numbers.back() ^= 1U;
  CHECK_FALSE(list == NumberList(numbers));
}

}  // namespace quartz::circuit
