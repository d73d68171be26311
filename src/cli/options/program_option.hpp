#pragma once

#include <string>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/program_assumptions.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace quartz::cli {

/// Declares --program, which adds the assumptions of a complete program to what is assumed.
void add_program_option(CLI::App& app, bool& is_program, const std::string& description);

/// Returns what is assumed about the qubits: `assumptions`, and those of a complete program, or of
/// two that are compared.
[[nodiscard]] ProgramAssumptions all_assumptions(ProgramAssumptions assumptions,
                                                 const ProgramAssumptions& of_program);

}  // namespace quartz::cli
