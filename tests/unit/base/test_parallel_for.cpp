#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

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

TEST_CASE("work on threads is done once for each index, the first on the calling thread") {
  for (const std::size_t count : {0U, 1U, 2U, 5U}) {
    std::vector<std::atomic<int>> visits(count);
    std::thread::id first;
    on_threads(count, [&](std::size_t i) {
      ++visits[i];
      if (i == 0) first = std::this_thread::get_id();
    });
    for (std::size_t i = 0; i < count; ++i) CHECK(visits[i] == 1);
    if (count != 0) CHECK(first == std::this_thread::get_id());
  }
}

TEST_CASE("work on threads rethrows the exception of the least index") {
  const auto loop = [] {
    on_threads(4, [](std::size_t i) {
      if (i >= 1) throw std::runtime_error(std::to_string(i));
    });
  };
  CHECK_THROWS_WITH(loop(), "1");
}

TEST_CASE("a parallel loop inside another one visits every index") {
  std::atomic<int> visits = 0;
  parallel_for(2, 4, 1, [&](unsigned, std::size_t, std::size_t) {
    parallel_for(2, 8, 1, [&](unsigned worker, std::size_t begin, std::size_t end) {
      if (worker < 2) visits += static_cast<int>(end - begin);
    });
  });
  CHECK(visits == 32);
}

TEST_CASE("a child of a process that ran parallel loops runs them as well") {
  const auto visits_of_loops = [] {
    std::atomic<std::size_t> visits = 0;
    parallel_for(3, 1000, 1,
                 [&](unsigned, std::size_t begin, std::size_t end) { visits += end - begin; });
    on_threads(3, [&](std::size_t) { ++visits; });
    return visits.load();
  };
  REQUIRE(visits_of_loops() == 1003);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(60);  // ends a child that waits for threads of its parent
    ::_exit(visits_of_loops() == 1003 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a parallel loop uses fewer threads if there is no memory for their stacks") {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // The threads of OpenMP that the calling thread had do not exist in the child, in which it
    // would run the loops alone: they run on a thread that had none. A stack takes 8 MiB.
    std::atomic<std::size_t> visits = 0;
    std::thread([&] {
      rlimit limit{};
      limit.rlim_cur = limit.rlim_max = 64 << 20;
      if (::setrlimit(RLIMIT_DATA, &limit) != 0) return;
      parallel_for(200, 1000, 1,
                   [&](unsigned, std::size_t begin, std::size_t end) { visits += end - begin; });
      on_threads(200, [&](std::size_t) { ++visits; });
    }).join();
    ::_exit(visits == 1200 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
#endif

TEST_CASE("0 threads means all cores") {
  CHECK(thread_count(0) >= 1);
  CHECK(thread_count(3) == 3);
}

TEST_CASE("the number of threads has a limit") {
  REQUIRE(thread_count(1) == 1);
  REQUIRE(thread_count(kMaxThreads) == kMaxThreads);
  REQUIRE(thread_count(0) >= 1);
  REQUIRE(thread_count(0) <= kMaxThreads);
  REQUIRE_THROWS_AS(thread_count(kMaxThreads + 1), UsageError);
  REQUIRE_THROWS_WITH(thread_count(1'000'000'000), Catch::Contains("expected at most 1024"));
}
