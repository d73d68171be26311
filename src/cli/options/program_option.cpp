#include "cli/options/program_option.hpp"

#include <CLI/CLI.hpp>

namespace quartz::cli {

void add_program_option(CLI::App& app, bool& is_program) {
  app.add_flag("--program", is_program,
               "assume a complete program: --initial-state zero, and --final-state discarded if "
               "the circuit measures anything. Gates that then have no effect are removed, rounds "
               "of error correction that begin in |0> among them, unless barriers enclose them");
}

ProgramEdges assumed_edges(ProgramEdges edges, bool is_program, const Circuit& circuit) {
  if (!is_program) return edges;
  const ProgramEdges program = edges_of_program(circuit);
  edges.starts_zero = edges.starts_zero || program.starts_zero;
  edges.ends_discarded = edges.ends_discarded || program.ends_discarded;
  return edges;
}

}  // namespace quartz::cli
