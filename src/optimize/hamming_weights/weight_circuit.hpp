#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "optimize/measured_ancillas/ancilla_step.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// A circuit in which rotations by equal angles are added with ancillas, and figures about it.
struct WeightCircuit {
  /// The rotations of the input in another order, without ancillas.
  Circuit grouped;
  /// The steps that lead from there to `circuit`.
  std::vector<AncillaStep> steps;
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
/// Rotations that commute form groups (rotation_groups). For each group, adders write to ancillas
/// how many of its forms are 1 (sum_steps); the bits of this number are rotated in place of the
/// forms, and then measured. The gates of the input are h, x, rz and cx; measurements, resets and
/// gates under conditions end a group. Returns nothing if there are no such rotations, if the
/// circuit has more than kMaxQubitsOfPauliString qubits, or if it has too many rotations. The
/// budget is for the choice of the groups.
[[nodiscard]] std::optional<WeightCircuit> with_weights(const Circuit& circuit,
                                                        const WeightLimits& limits,
                                                        const Budget& budget);

}  // namespace quartz::optimizer
