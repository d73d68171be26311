#pragma once

#include <string>

#include "cli/ranks.hpp"

/// What a call of a command needs that several processes share.
namespace quartz::cli {

/// The end of messages to those whom it surprises that processes share their work.
inline constexpr const char* kHowToRunSeparately =
    " (to run separately in each process, unset OMPI_COMM_WORLD_SIZE and PMI_SIZE)";

/// Throws UsageError unless all ranks were called with the same command line: a launcher may also
/// have started a script that calls the command for other inputs in each process. All ranks must
/// call it.
void require_same_call(const std::string& line, Ranks& ranks);

/// Returns the option for the number of threads; if it is 0, the number that a rank of a machine
/// can run, unless OMP_NUM_THREADS is set. All ranks must call it.
[[nodiscard]] unsigned threads_of_rank(unsigned option, Ranks& ranks);

}  // namespace quartz::cli
