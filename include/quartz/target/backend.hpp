#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/gate_weights.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// A device as its own files describe it (docs/formats/backend.md): the properties and the
/// configuration of a backend of Qiskit, or the device properties of Amazon Braket. Its qubits are
/// those of the circuit with the same numbers.
struct Backend {
  std::string name;                ///< in messages: the device's own name, or that of the file
  std::vector<std::string> gates;  ///< the working gates, by their names in the file, sorted
  std::set<GateKind> kinds;        ///< those of them that the gate table has, without the identity
  std::set<Qubit> qubits;
  /// The pairs on which a gate works, with directions if a gate of the device has one. Nothing if
  /// gates act on all pairs.
  std::optional<CouplingMap> coupling;
  /// For gates on two qubits: the pairs on which the gate does not work although another one does,
  /// with the lesser qubit first.
  std::map<GateKind, std::set<std::pair<Qubit, Qubit>>> missing = {};
  /// Weights of the cost `error`. Nothing if the files have no error rates.
  std::optional<GateWeights> error = {};
  /// Weights of the cost `duration`. Nothing if the files have no durations.
  std::optional<GateWeights> duration = {};
};

/// A cost that a device's files define.
struct BackendCost {
  std::string_view name;  ///< the name on the command line
  std::string_view description;
  std::optional<GateWeights> Backend::*weights;
  Combination combination;
  std::string_view quantity;  ///< what a gate has, in messages
};

/// The list of such costs.
[[nodiscard]] std::span<const BackendCost> backend_costs();
/// Returns null for an unknown name.
[[nodiscard]] const BackendCost* find_backend_cost(std::string_view name);

/// Parses a device's file from JSON text; `name` is what messages call the source. Throws
/// InputError with the location of the error.
[[nodiscard]] Backend parse_backend(std::string_view text, const std::string& name);
/// Reads one file, or the properties and the configuration of the same backend of Qiskit in any
/// order. Throws InputError for a bad file, and UsageError for other combinations of files.
[[nodiscard]] Backend load_backend(std::span<const std::filesystem::path> files,
                                   const std::stop_token& stop = {});

/// Returns the name of the bundled gate set with the gates of the device, or else of the one with
/// most of them and no others. If two sets have the same gates, it is the first by name. Throws
/// UsageError if there is none, or if two sets have equally many of the gates.
[[nodiscard]] std::string gate_set_name_of(const Backend& backend);

/// Returns the pairs of a device on which a gate of the set works; nothing if gates act on all
/// pairs.
[[nodiscard]] std::optional<CouplingMap> coupling_for(const Backend& backend, const GateSet& set);
/// Returns a sentence about the gates of a circuit that the device lacks on their qubits
/// (Backend::missing); nothing if there are none.
[[nodiscard]] std::optional<std::string> warning_of_missing_gates(const Circuit& circuit,
                                                                  const Backend& backend);

/// Throws InputError if a gate, measurement or reset acts on a qubit that the device does not have;
/// `circuit_name` is what the message calls the circuit.
void require_qubits(const Circuit& circuit, const Backend& backend,
                    const std::string& circuit_name);

}  // namespace quartz
