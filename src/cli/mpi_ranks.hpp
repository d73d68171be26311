#pragma once

#include <memory>

#include "cli/ranks.hpp"

namespace quartz::cli {

/// Joins the processes that were started together, through MPI; to be called once, early, and on
/// the thread that will exchange messages. Leaves them when it is destroyed, which waits for all.
/// Throws Error where MPI cannot be started.
[[nodiscard]] std::unique_ptr<Ranks> make_mpi_ranks();

}  // namespace quartz::cli
