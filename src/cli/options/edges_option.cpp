#include "cli/options/edges_option.hpp"

#include "cli/options/named_option.hpp"

namespace quartz::cli {
ProgramEdges EdgesChoice::of(const Circuit& circuit) const {
  ProgramEdges result = edges;
  if (is_program) {
    const ProgramEdges program = edges_of_program(circuit);
    result.starts_zero = result.starts_zero || program.starts_zero;
    result.ends_discarded = result.ends_discarded || program.ends_discarded;
  }
  return result;
}

void add_edges_options(CLI::App& app, EdgesChoice& value) {
  app.add_flag("--program", value.is_program,
               "assume a complete program: --initial-state zero, and --final-state discarded if "
               "the circuit measures anything. Gates that then have no effect are removed, rounds "
               "of error correction that begin in |0> among them, unless barriers enclose them");
  add_named_option(
      app, "--initial-state", kInitialStateValues, value.edges.starts_zero,
      "state of the qubits before the circuit: zero assumes |0> on each of them; the "
      "search uses that up to the first barrier on a qubit, unless barriers are ignored");
  add_named_option(
      app, "--final-state", kFinalStateValues, value.edges.ends_discarded,
      "what is done with the qubits after the circuit: discarded assumes nothing, so that "
      "only the classical bits count; the search uses that from the last barrier on a qubit on, "
      "unless barriers are ignored");
  add_named_option(
      app, "--permutation", kQubitOrderValues, value.qubit_order,
      "order of the qubits after the circuit: free removes swap gates, and a comment at the "
      "top of the result, output permutation, states for each qubit on which one it ends");
}

}  // namespace quartz::cli
