#include "cli/opt/opt_command.hpp"

int main(int argc, char** argv) {
  return quartz::cli::run_main(quartz::cli::opt_command(), argc, argv);
}
