#include "cli/ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "cli/color.hpp"
#include "cli/command.hpp"
#include "cli/stop_signal.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

/// Environment variables by which launchers tell a process how many they started: Open MPI's
/// mpirun, and launchers that use PMI (MPICH's mpiexec, Slurm's srun).
constexpr const char* kSizeVariables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

bool started_with_others() {
  return std::any_of(std::begin(kSizeVariables), std::end(kSizeVariables), [](const char* name) {
    const char* const size = std::getenv(name);
    return size != nullptr && std::strtoul(size, nullptr, 10) > 1;
  });
}

/// A stream buffer that discards its input.
class Silence final : public std::streambuf {
 protected:
  int_type overflow(int_type character) override { return traits_type::not_eof(character); }
  std::streamsize xsputn(const char*, std::streamsize size) override { return size; }
};

}  // namespace

int run_main_on_ranks(const Command& command, JoinRanks join_ranks, int argc,
                      const char* const* argv) {
  if (!started_with_others()) return run_main(command, argc, argv);
  const StopSignal stop;
  std::unique_ptr<Ranks> ranks;
  try {
    ranks = join_ranks();
  } catch (const UsageError& error) {
    std::cerr << fmt::format("{}: error: {}\n", command.name, error.what());
    return static_cast<int>(ExitCode::usage_error);
  } catch (const Error& error) {
    std::cerr << fmt::format("{}: error: {}\n", command.name, error.what());
    return static_cast<int>(ExitCode::internal_error);
  }
  const bool first = ranks->rank() == 0;
  Silence silence;
  std::ostream silent(&silence);
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const int code =
      run_command(command, arguments,
                  {first ? std::cout : silent, first ? std::cerr : silent,
                   first && ::isatty(STDERR_FILENO) == 1, stop.token(), ranks.get(),
                   first && shows_colors(STDOUT_FILENO), first && shows_colors(STDERR_FILENO)});
  return first ? code : 0;
}

}  // namespace quartz::cli
