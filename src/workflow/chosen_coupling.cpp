#include "workflow/chosen_coupling.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <variant>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/coupling_file.hpp"

namespace quartz::workflow {

ChosenCoupling chosen_coupling(const Circuit& circuit, const SuperoptimizeOptions& options) {
  if (std::holds_alternative<CouplingOfCircuit>(options.coupling)) {
    return {coupling_of(circuit), {}};
  }
  if (const auto* map = std::get_if<CouplingMap>(&options.coupling)) {
    return {*map, "the coupling map"};
  }
  if (const auto* file = std::get_if<std::filesystem::path>(&options.coupling)) {
    const std::string text = read_text_file(*file, {file_limit::description, options.stop});
    return {parse_coupling(text, file->string()), file->string()};
  }
  return {};
}

void require_coupled(const Circuit& circuit, const ChosenCoupling& coupling,
                     const std::string& circuit_name) {
  if (!coupling.map || coupling.name.empty()) return;
  const std::optional<UncoupledGate> gate = uncoupled_gate(circuit, *coupling.map);
  if (!gate) return;
  const bool reversed = coupling.map->contains(gate->first, gate->second);
  throw InputError(fmt::format(
      "{}: a gate between qubits {} and {}, which {} {}", circuit_name, gate->first, gate->second,
      coupling.name,
      reversed ? fmt::format("couples in the other direction only, and no rewrite of {} with its "
                             "qubits exchanged is known in the gate set",
                             quartz::gate(circuit.operations[gate->operation].gate).name)
               : "does not couple; route the circuit first"));
}

}  // namespace quartz::workflow
