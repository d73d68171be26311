#pragma once

#include <cstddef>
#include <optional>

#include "circuit/derivation.hpp"
#include "optimize/passes/circuit_pass.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Returns what becomes of the SWAP gates of a circuit in a free order.
[[nodiscard]] SwapGates swap_gates(const SuperoptimizeOptions& options);

/// What the stages of one call of superoptimize() share. The arguments outlive it.
struct RunState {
  RunState(const Circuit& circuit, const GateSet& set, const SuperoptimizeOptions& options);
  RunState(const RunState&) = delete;
  RunState& operator=(const RunState&) = delete;
  ~RunState() = default;

  /// Returns whether derivations are recorded.
  [[nodiscard]] bool records() const;
  [[nodiscard]] optimizer::PassContext context() const;
  /// Returns the qubits of `now` on which those of the input end; empty if that is no matter.
  [[nodiscard]] OutputPermutation permutation() const;
  /// Returns the first circuit in the gates of the set, which does not change.
  [[nodiscard]] const Circuit& translated() const {
    return is_in_set ? first.circuit : result.translated;
  }
  /// Returns the cost and the size of the translation, gate by gate, that reports are about.
  [[nodiscard]] CostValue cost_of_translation() const;
  [[nodiscard]] std::size_t operations_of_translation() const;
  [[nodiscard]] const Circuit& circuit_now() const {
    return is_translation ? translated() : now.circuit;
  }
  /// Returns `now` with its circuit.
  [[nodiscard]] circuit::DerivedCircuit& complete_now();
  /// Continues with a circuit that was derived from the current one.
  void append(circuit::DerivedCircuit step);

  const Circuit& circuit;  ///< the input
  const GateSet& set;
  const SuperoptimizeOptions& options;
  /// What `first` refers to if it is not the input. A large circuit is not copied without need.
  const std::optional<PermutedCircuit> changed;
  /// The circuit with which the journal begins: the input with its edges, and without its SWAP
  /// gates if the order of its qubits is free, unless there is a coupling map.
  struct {
    const Circuit& circuit;
    const OutputPermutation& permutation;
  } const first;
  /// Where the call is, derived from `first`. The circuit is that of circuit_now().
  circuit::DerivedCircuit now = circuit::DerivedCircuit::first({});
  SuperoptimizeResult result;
  /// Whether the first circuit is in the gates of the set, so that `result.translated` is only set
  /// at the end, and whether the current circuit is translated(), of which `now` then has no copy:
  /// a large circuit would be in the memory several times as long as it is searched.
  bool is_in_set = false;
  bool is_translation = false;
  /// Whether the translation has merged the runs of gates on one qubit with which the search
  /// begins.
  bool has_merged_runs = false;
};

}  // namespace quartz::workflow
