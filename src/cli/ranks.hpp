#pragma once

#include <memory>
#include <string_view>

#include "cli/exit_code.hpp"
#include "quartz/communicator.hpp"

namespace quartz::cli {

struct Command;

/// The processes that mpirun started, of which this is one.
class Ranks : public Communicator {
 public:
  /// Ends the processes of all ranks, so that none waits for this one, which failed. What all ranks
  /// find wrong the first one says, alone.
  [[noreturn]] virtual void end_all(std::string_view message, ExitCode code) = 0;
};

/// The whole of a program's main where several processes may share the work: one that was not
/// started by mpirun is run_main(). Of several only the first reads the standard input, writes and
/// reports, and its exit code counts; the others are silent unless they fail.
[[nodiscard]] int run_main_on_ranks(const Command& command, int argc, const char* const* argv);

}  // namespace quartz::cli
