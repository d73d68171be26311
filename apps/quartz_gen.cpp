#include "cli/gen/gen_command.hpp"
#include "cli/mpi/mpi_ranks.hpp"
#include "cli/ranks.hpp"

int main(int argc, char** argv) {
  return quartz::cli::run_main_on_ranks(quartz::cli::gen_command(), &quartz::cli::make_mpi_ranks,
                                        argc, argv);
}
