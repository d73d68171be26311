#include "cli/options/program_option.hpp"

#include <CLI/CLI.hpp>

namespace quartz::cli {

void add_program_option(CLI::App& app, bool& is_program) {
  app.add_flag("--program", is_program,
               "assume a complete program: --initial-state zero, and --final-state discarded if "
               "the circuit measures anything. Gates that then have no effect are removed, rounds "
               "of error correction that begin in |0> among them, unless barriers enclose them");
}

ProgramAssumptions all_assumptions(ProgramAssumptions assumptions,
                                   const ProgramAssumptions& of_program) {
  assumptions.starts_zero = assumptions.starts_zero || of_program.starts_zero;
  assumptions.ends_discarded = assumptions.ends_discarded || of_program.ends_discarded;
  return assumptions;
}

}  // namespace quartz::cli
