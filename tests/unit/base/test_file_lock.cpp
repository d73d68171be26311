#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/file_lock.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;

TEST_CASE("A lock has one holder, and leaves nothing behind") {
  const TemporaryFolder folder;
  std::optional<FileLock> lock = FileLock::try_lock(folder / "a");
  REQUIRE(lock);
  CHECK_FALSE(FileLock::try_lock(folder / "a"));
  CHECK(FileLock::try_lock(folder / "b"));
  const FileLock moved = std::move(*lock);
  lock.reset();
  CHECK_FALSE(FileLock::try_lock(folder / "a"));
  CHECK(folder.names() == std::vector<std::string>{"a.lock"});
}

TEST_CASE("A released lock is free, and its file is removed") {
  const TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) CHECK(FileLock::try_lock(folder / "a"));
  CHECK(folder.names().empty());
}

TEST_CASE("Threads that wait for a lock hold it one at a time") {
  const TemporaryFolder folder;
  std::atomic<int> holders = 0;
  std::atomic<int> most = 0;
  std::atomic<int> had = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < 5; ++k) {
          const std::optional<FileLock> lock = FileLock::wait(folder / "a", {});
          if (!lock) continue;
          const int now = ++holders;
          int known = most;
          while (known < now && !most.compare_exchange_weak(known, now)) {
          }
          std::this_thread::yield();
          --holders;
          ++had;
        }
      });
    }
  }
  CHECK(most == 1);
  CHECK(had == 20);
  CHECK(folder.names().empty());
}

TEST_CASE("Another process holds a lock until it ends in any way") {
  const TemporaryFolder folder;
  int ready[2];
  int end[2];
  REQUIRE(::pipe(ready) == 0);
  REQUIRE(::pipe(end) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  char byte = 0;
  if (child == 0) {
    const std::optional<FileLock> lock = FileLock::try_lock(folder / "a");
    byte = lock ? 1 : 0;
    (void)!::write(ready[1], &byte, 1);
    (void)!::read(end[0], &byte, 1);
    ::_exit(0);  // without releasing the lock
  }
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK(byte == 1);
  CHECK_FALSE(FileLock::try_lock(folder / "a"));
  REQUIRE(::write(end[1], &byte, 1) == 1);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(FileLock::try_lock(folder / "a"));
  CHECK(folder.names().empty());
  for (const int descriptor : {ready[0], ready[1], end[0], end[1]}) ::close(descriptor);
}

TEST_CASE("Waiting for a lock can be stopped") {
  const TemporaryFolder folder;
  const std::optional<FileLock> lock = FileLock::try_lock(folder / "a");
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  CHECK_FALSE(FileLock::wait(folder / "a", stop.get_token()));
}

TEST_CASE("The error for a lock file that cannot be created names the file") {
  const TemporaryFolder folder;
  const std::string path = (folder / "no/such/file").string();
  CHECK_THROWS_WITH(FileLock::try_lock(path),
                    path + ".lock: cannot write: No such file or directory");
}
