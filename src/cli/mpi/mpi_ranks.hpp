#pragma once

#include <memory>

#include "cli/ranks.hpp"

namespace quartz::cli {

/// Joins the processes that were started together, through MPI. Must be called once, early, and on
/// the thread that will exchange messages. The destructor leaves them and waits for all. Throws
/// Error if MPI cannot be started, and UsageError in a build without MPI. It is in the library
/// quartz_mpi_ranks, which only programs that several processes may run are linked with.
[[nodiscard]] std::unique_ptr<Ranks> make_mpi_ranks();

}  // namespace quartz::cli
