#pragma once

#include "quartz/circuit/program_edges.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace quartz::cli {

/// What the command line says about the qubits before and after a circuit.
struct EdgesChoice {
  bool is_program = false;  ///< edges_of_program() in addition to `edges`
  ProgramEdges edges;
  QubitOrder qubit_order = QubitOrder::keep;

  /// Returns the edges of a circuit.
  [[nodiscard]] ProgramEdges of(const Circuit& circuit) const;
};

/// Declares --program, --initial-state, --final-state and --permutation.
void add_edges_options(CLI::App& app, EdgesChoice& value);

}  // namespace quartz::cli
