#include "cli/options/program_option.hpp"

#include <CLI/CLI.hpp>

namespace quartz::cli {

void add_program_option(CLI::App& app, bool& is_program, const std::string& description) {
  app.add_flag("--program", is_program, description);
}

ProgramAssumptions all_assumptions(ProgramAssumptions assumptions,
                                   const ProgramAssumptions& of_program) {
  assumptions.starts_zero = assumptions.starts_zero || of_program.starts_zero;
  assumptions.ends_discarded = assumptions.ends_discarded || of_program.ends_discarded;
  return assumptions;
}

}  // namespace quartz::cli
