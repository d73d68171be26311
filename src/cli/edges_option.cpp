#include "cli/edges_option.hpp"

#include <CLI/CLI.hpp>
#include <string>

namespace quartz::cli {
namespace {

/// Declares an option with two values, of which the first one means false and is the default.
void add_choice(CLI::App& app, const std::string& option, const std::string& no,
                const std::string& yes, bool& value, const std::string& description) {
  const auto set = [&value, yes](const std::string& given) { value = given == yes; };
  app.add_option_function<std::string>(option, set, description)
      ->check(CLI::IsMember({no, yes}))
      ->default_str(no);
}

}  // namespace

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
               "the circuit measures anything");
  add_choice(app, "--initial-state", "any", "zero", value.edges.starts_zero,
             "state of the qubits before the circuit: zero assumes |0> on each of them");
  add_choice(app, "--final-state", "kept", "discarded", value.edges.ends_discarded,
             "what is done with the qubits after the circuit: discarded assumes nothing, so that "
             "only the classical bits count");
  add_choice(app, "--permutation", "keep", "free", value.has_free_order,
             "order of the qubits after the circuit: free removes swap gates, and a comment at the "
             "top of the result, output permutation, states for each qubit on which one it ends");
}

}  // namespace quartz::cli
