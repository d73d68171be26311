#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <semaphore>
#include <stop_token>

#include "cli/stop_signal.hpp"

using namespace quartz::cli;

TEST_CASE("The first signal requests a stop") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const StopSignal stop;
    CHECK_FALSE(stop.token().stop_requested());
    std::binary_semaphore requested(0);
    const std::stop_callback on_stop(stop.token(), [&] { requested.release(); });
    REQUIRE(::kill(::getpid(), signal) == 0);
    requested.acquire();
    CHECK(stop.token().stop_requested());
  }
}

TEST_CASE("Without a signal nothing is stopped, and the signal mask is restored") {
  sigset_t before;
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  for (int i = 0; i < 20; ++i) {
    const StopSignal stop;
    CHECK_FALSE(stop.token().stop_requested());
  }
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    CHECK(sigismember(&before, signal) == sigismember(&after, signal));
  }
}

TEST_CASE("A SIGHUP that is ignored at the start, as under nohup, stays ignored") {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before {};
  REQUIRE(::sigaction(SIGHUP, &ignore, &before) == 0);
  {
    const StopSignal stop;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    CHECK(sigismember(&blocked, SIGHUP) == 0);
    // The signal would end the process or request a stop if it were not ignored.
    REQUIRE(::kill(::getpid(), SIGHUP) == 0);
    // If SIGHUP were awaited too, it would be received first, because lower signals come first.
    std::binary_semaphore requested(0);
    const std::stop_callback on_stop(stop.token(), [&] { requested.release(); });
    CHECK_FALSE(stop.token().stop_requested());
    REQUIRE(::kill(::getpid(), SIGTERM) == 0);
    requested.acquire();
  }
  REQUIRE(::sigaction(SIGHUP, &before, nullptr) == 0);
}
