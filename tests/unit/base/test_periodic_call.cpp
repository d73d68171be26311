#include "base/periodic_call.hpp"

#include <catch2/catch.hpp>

#include <atomic>

using namespace quartz;

TEST_CASE("A function is called periodically until the end", "[periodic_call]") {
  std::atomic<int> calls = 0;
  {
    const PeriodicCall call(std::chrono::milliseconds(1), [&calls] {
      ++calls;
      calls.notify_all();
    });
    for (int seen = 0; seen < 3; seen = calls) calls.wait(seen);
  }
  const int at_the_end = calls;
  CHECK(at_the_end >= 3);
  {
    // The end does not wait for the period.
    const PeriodicCall call(std::chrono::hours(1), [&calls] { ++calls; });
  }
  CHECK(calls == at_the_end);
}

TEST_CASE("The first period may be another one", "[periodic_call]") {
  std::atomic<int> calls = 0;
  {
    const PeriodicCall call(
        std::chrono::hours(1),
        [&calls] {
          ++calls;
          calls.notify_all();
        },
        std::chrono::milliseconds(0));
    calls.wait(0);
  }
  CHECK(calls == 1);
}
