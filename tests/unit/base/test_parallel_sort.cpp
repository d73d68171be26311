#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <utility>
#include <vector>

#include "quartz/base/parallel_sort.hpp"

using namespace quartz;

TEST_CASE("sorting on several threads is stable") {
  using Element = std::pair<unsigned, std::size_t>;
  const auto less = [](const Element& a, const Element& b) { return a.first < b.first; };
  std::mt19937_64 random(5);
  INFO("seed 5");
  for (const std::size_t size : {0U, 1U, 1023U, 1024U, 1025U, 5000U, 20000U}) {
    std::vector<Element> elements;
    for (std::size_t i = 0; i < size; ++i) elements.emplace_back(random() % 100, i);
    std::vector<Element> expected = elements;
    std::stable_sort(expected.begin(), expected.end(), less);
    for (const unsigned threads : {1U, 2U, 3U, 16U}) {
      std::vector<Element> sorted = elements;
      parallel_stable_sort(threads, sorted.begin(), sorted.end(), less);
      INFO(size << " elements, " << threads << " threads");
      CHECK(sorted == expected);
    }
  }
}
