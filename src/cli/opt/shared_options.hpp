#pragma once

#include "cli/opt/opt_options.hpp"
#include "cli/ranks.hpp"

/// The options of a call that several processes share.
namespace quartz::cli {

/// The end of messages to those whom it surprises that processes share their work.
inline constexpr const char* kHowToRunSeparately =
    " (to run separately in each process, unset OMPI_COMM_WORLD_SIZE and PMI_SIZE)";

/// Throws UsageError unless all ranks were called in the same way: a launcher may also have started
/// a script that calls the command for other inputs in each process. All ranks must call it.
void require_same_call(const OptOptions& options, Ranks& ranks);

/// Returns the options with the number of threads that a rank of a machine can run, unless they say
/// one. All ranks must call it.
[[nodiscard]] OptOptions with_own_threads(const OptOptions& options, Ranks& ranks);

}  // namespace quartz::cli
