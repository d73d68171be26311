#include "child_process.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iostream>
#include <span>
#include <string>

#include "target.hpp"

// The counters of libFuzzer: one byte for each edge of the control flow of the program. The linker
// defines the ends of their section; both are null in a program without such counters.
extern "C" {
__attribute__((weak, visibility("hidden"))) extern std::uint8_t __start___sancov_cntrs;
__attribute__((weak, visibility("hidden"))) extern std::uint8_t __stop___sancov_cntrs;
}

namespace quartz::fuzz {
namespace {

std::span<std::uint8_t> counters() {
  std::uint8_t* const begin = &__start___sancov_cntrs;
  std::uint8_t* const end = &__stop___sancov_cntrs;
  if (begin == nullptr || end == nullptr) return {};
  return {begin, end};
}

/// Memory that child processes share with this one.
std::span<std::uint8_t> shared_counters() {
  static const std::span<std::uint8_t> memory = [] {
    const std::size_t size = counters().size();
    if (size == 0) return std::span<std::uint8_t>();
    void* const address =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) throw Error("cannot map memory");
    return std::span(static_cast<std::uint8_t*>(address), size);
  }();
  return memory;
}

void copy(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

[[noreturn]] void run_and_exit(const std::function<void()>& action) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = 0;
  try {
    action();
  } catch (const std::exception& error) {
    std::cerr << "finding: " << error.what() << std::endl;
    status = 1;
  }
  copy(counters(), shared_counters());
  ::_exit(status);
}

}  // namespace

void run_in_child(const std::function<void()>& action) {
  static_cast<void>(shared_counters());
  const pid_t child = ::fork();
  if (child < 0) throw Error("cannot start a child process");
  if (child == 0) run_and_exit(action);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Error("cannot wait for a child process");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Finding("the child process ended with status " + std::to_string(status));
  }
  copy(shared_counters(), counters());
}

}  // namespace quartz::fuzz
