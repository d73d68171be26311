#pragma once

#include <memory>
#include <string_view>

#include "cli/exit_code.hpp"
#include "quartz/base/communicator.hpp"

namespace quartz::cli {

struct Command;

/// The processes started by mpirun, one of which is this process.
class Ranks : public Communicator {
 public:
  /// Ends the processes of all ranks, so that none waits for this one, which failed. Only the first
  /// rank reports an error that occurs on all ranks.
  [[noreturn]] virtual void end_all(std::string_view message, ExitCode code) = 0;
};

/// Implements main() of a program whose work several processes may share. A process that mpirun did
/// not start calls run_main(). If there are several, only the first one reads standard input,
/// writes and reports, and its exit code is used; the others are silent unless they fail.
[[nodiscard]] int run_main_on_ranks(const Command& command, int argc, const char* const* argv);

}  // namespace quartz::cli
