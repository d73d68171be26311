#pragma once

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/program_edges.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace quartz::cli {

/// Declares --program, which adds the edges of a complete program to what is assumed.
void add_program_option(CLI::App& app, bool& is_program);

/// Returns what is assumed about the qubits before and after a circuit: `edges`, and with
/// --program also edges_of_program().
[[nodiscard]] ProgramEdges assumed_edges(ProgramEdges edges, bool is_program,
                                         const Circuit& circuit);

}  // namespace quartz::cli
