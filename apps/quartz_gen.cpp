#include "cli/gen_command.hpp"

int main(int argc, char** argv) {
  return quartz::cli::run_main(quartz::cli::gen_command(), argc, argv);
}
