#include "cli/mpi/mpi_ranks.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cli {

std::unique_ptr<Ranks> make_mpi_ranks() {
  throw UsageError("mpirun started several processes, but this program was built without MPI");
}

}  // namespace quartz::cli
