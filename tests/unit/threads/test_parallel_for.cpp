#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "quartz/parallel_for.hpp"

using namespace quartz;

TEST_CASE("a parallel loop visits every index once for any number of threads and any grain") {
  for (const unsigned threads : {1U, 2U, 7U}) {
    for (const std::size_t count : {0U, 1U, 10U, 1000U}) {
      for (const std::size_t grain : {1U, 3U, 2000U}) {
        std::vector<std::atomic<int>> visits(count);
        std::atomic<bool> in_range = true;
        parallel_for(threads, count, grain,
                     [&](unsigned worker, std::size_t begin, std::size_t end) {
                       if (worker >= threads || end - begin > grain || end > count)
                         in_range = false;
                       for (std::size_t i = begin; i < end; ++i) ++visits[i];
                     });
        REQUIRE(in_range);
        for (std::size_t i = 0; i < count; ++i) REQUIRE(visits[i] == 1);
      }
    }
  }
}

TEST_CASE("a parallel loop rethrows the earliest exception") {
  for (const unsigned threads : {1U, 4U}) {
    const auto loop = [&] {
      parallel_for(threads, 1000, 1, [](unsigned, std::size_t begin, std::size_t) {
        if (begin >= 17) throw std::runtime_error(std::to_string(begin));
      });
    };
    CHECK_THROWS_WITH(loop(), "17");
  }
}

TEST_CASE("0 threads means all cores") {
  CHECK(thread_count(0) >= 1);
  CHECK(thread_count(3) == 3);
}
