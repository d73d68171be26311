#include "cli/check/check_command.hpp"

int main(int argc, char** argv) {
  return quartz::cli::run_main(quartz::cli::check_command(), argc, argv);
}
