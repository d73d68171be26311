#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/exit_code.hpp"
#include "quartz/base/communicator.hpp"

namespace quartz::cli {

struct Command;

/// The processes started by mpirun, one of which is this process. Besides the collective exchanges,
/// a rank may send messages to another one and receive them whenever it likes; both calls belong to
/// the thread that exchanges messages.
class Ranks : public Communicator {
 public:
  /// A message that another rank sent.
  struct Letter {
    unsigned sender = 0;
    std::string content;
  };

  /// Sends a message to another rank. Returns once the content may be changed, for a long message
  /// not before the other rank receives it. Throws Error if that fails.
  virtual void send(unsigned receiver, std::string_view content) = 0;
  /// Sends a message to another rank without waiting for that rank, which may have died. It goes on
  /// while this rank sends and receives others. Throws Error if that fails.
  virtual void post(unsigned receiver, std::string content) = 0;
  /// Returns the next message that has arrived, or nothing. Does not wait. Throws Error if that
  /// fails.
  [[nodiscard]] virtual std::optional<Letter> receive() = 0;
  /// Returns how many threads this rank can run if those of the same machine share its cores, at
  /// least 1. All ranks must call it together.
  [[nodiscard]] virtual unsigned threads_of_share() = 0;
  /// Makes the destructor not wait for the other ranks, some of which do not answer any more.
  virtual void part_without_farewell() = 0;
  /// Ends the processes of all ranks, so that none waits for this one, which failed. Only the first
  /// rank reports an error that occurs on all ranks.
  [[noreturn]] virtual void end_all(std::string_view message, ExitCode code) = 0;
};

/// Joins the processes that were started together, as make_mpi_ranks() does
/// (cli/mpi/mpi_ranks.hpp).
using JoinRanks = std::unique_ptr<Ranks> (*)();

/// Implements main() of a program whose work several processes may share. A process that mpirun did
/// not start calls run_main(), and never `join_ranks`. If there are several, only the first one
/// reads standard input, writes and reports, and its exit code is used; the others are silent
/// unless they fail.
[[nodiscard]] int run_main_on_ranks(const Command& command, JoinRanks join_ranks, int argc,
                                    const char* const* argv);

}  // namespace quartz::cli
