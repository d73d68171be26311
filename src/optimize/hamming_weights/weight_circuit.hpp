#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// A replacement of operations that follow each other. Both sides are equal for any value of the
/// angle `base`, of which the angles of their gates rz are multiples by powers of 2; the right side
/// may prepare an ancilla and measure it.
struct WeightStep {
  std::size_t position = 0;  ///< in the circuit after the steps before
  std::vector<Operation> before;
  std::vector<Operation> after;
  Angle base;
};

/// A circuit in which rotations by equal angles are added with ancillas, and figures about it.
struct WeightCircuit {
  /// The rotations of the input in another order, without ancillas.
  Circuit grouped;
  /// The steps that lead from there to `circuit`.
  std::vector<WeightStep> steps;
  Circuit circuit;
  std::uint32_t ancillas = 0;  ///< qubits that were added, after those of the input
  std::size_t adders = 0;      ///< full and half adders, each with a measurement and four T gates
  std::size_t rotations = 0;   ///< those by other angles than multiples of pi/4
  double t = 0;                ///< expected number of T gates
};

/// How many ancillas there may be, and what rotations are expected to cost.
struct WeightLimits {
  std::uint32_t ancillas = 0;
  double rotation = 0;    ///< T gates of a rotation by another angle than a multiple of pi/4
  double negligible = 0;  ///< an angle up to which rotations need no gates, in radians
};

/// Returns a circuit with fewer rotations by the same angle, or by multiples of it by powers of 2.
/// Those that commute are brought together (rotation_groups). Adders count in ancillas how many of
/// their forms are 1 (sum_steps), and the bits of this number are rotated instead and then
/// measured. The gates of the input are h, x, rz and cx; measurements, resets and gates under
/// conditions end a group. Returns nothing if there are no such rotations, or for a circuit for
/// which with_gadgets() returns nothing for. The budget is for the choice of the groups.
[[nodiscard]] std::optional<WeightCircuit> with_weights(const Circuit& circuit,
                                                        const WeightLimits& limits,
                                                        const Budget& budget);

}  // namespace quartz::optimizer
