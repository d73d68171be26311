#pragma once

#include <optional>
#include <string>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// The coupling map of a call.
struct ChosenCoupling {
  std::optional<CouplingMap> map;  ///< nothing: gates may act on any qubits
  /// Name in messages of a map that the caller gave, which the circuit may violate; empty for other
  /// maps.
  std::string name;
};

/// Returns the coupling map that the options choose for a circuit. Throws InputError for a bad
/// file.
[[nodiscard]] ChosenCoupling chosen_coupling(const Circuit& circuit,
                                             const SuperoptimizeOptions& options);
/// Throws InputError if a gate acts on a pair of qubits that the caller's map does not contain.
void require_coupled(const Circuit& circuit, const ChosenCoupling& coupling,
                     const std::string& circuit_name);

}  // namespace quartz::workflow
