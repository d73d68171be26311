#pragma once

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/program_assumptions.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace quartz::cli {

/// Declares --program, which adds the assumptions of a complete program to what is assumed.
void add_program_option(CLI::App& app, bool& is_program);

/// Returns what is assumed about the qubits before and after a circuit: `assumptions`, and with
/// --program also assumptions_of_program().
[[nodiscard]] ProgramAssumptions all_assumptions(ProgramAssumptions assumptions, bool is_program,
                                                 const Circuit& circuit);

}  // namespace quartz::cli
