#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "circuit/derivation.hpp"
#include "optimize/passes/circuit_pass.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::workflow {

/// Options of approximate_circuit.
struct ApproximationOptions {
  double epsilon = 0;    ///< largest sum of the distances of all rotations, above 0
  double seconds = 60;   ///< as in ProductsOptions, above 0
  unsigned threads = 0;  ///< 0: all cores
  bool records = false;  ///< whether the derivation is recorded
};

/// A circuit with approximated rotations.
struct ApproximatedCircuit {
  circuit::DerivedCircuit derived;
  std::size_t rotations = 0;  ///< number of those that were approximated
};

/// Returns whether a gate set expresses all gates of a circuit. Throws Stopped.
[[nodiscard]] bool is_expressible(const Circuit& circuit, const GateSet& set,
                                  const std::stop_token& stop);

/// Returns the gate set with rotations about Z by any angle.
[[nodiscard]] GateSet with_rotations(const GateSet& set);

/// Returns why approximate_circuit cannot translate the circuit into the gate set, for a message;
/// nothing if it can. It can if the set expresses Clifford+T gates and all gates of the circuit
/// besides rotations by constant angles, and the circuit has no opaque operations, one of which may
/// be the beginning of a loop. The text is empty if a gate without rotations is the reason.
[[nodiscard]] std::optional<std::string> obstacle_to_approximation(
    const Circuit& circuit, const optimizer::PassContext& context);

/// Translates a circuit into a gate set that lacks the angles of its rotations: rotations are
/// merged as far as they can be (the search "fold"), and those that are left are approximated by
/// Clifford+T gates (quartz/approximation/rotation.hpp). Rotations by multiples of pi/4 stay exact.
/// Throws InexpressibleGate if there is an obstacle_to_approximation(), UsageError if epsilon is
/// too small for the check to prove it, and Stopped.
[[nodiscard]] ApproximatedCircuit approximate_circuit(const Circuit& circuit,
                                                      const optimizer::PassContext& context,
                                                      const ApproximationOptions& options);

}  // namespace quartz::workflow
