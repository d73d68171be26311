#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optimize/pauli/one_qubit_group.hpp"
#include "optimize/runs/run_words.hpp"
#include "quartz/circuit/operation.hpp"

/// Parts of a circuit that may change places, because they commute.
namespace quartz::optimizer {

/// Gates that stay together: the gates on a pair of qubits from one on both of them to another,
/// with nothing else on the pair in between; or any other gate alone.
///
/// Let F be the product of the one-qubit Clifford gates before a unit U on its wires, without those
/// in other units. The circuit equals the product of all F^dagger U F, followed by all of these
/// Clifford gates. A unit commutes with the Pauli operator of an *axis* of a wire if F^dagger U F
/// does. Two units that have an axis in common on each wire that they share commute: in a basis of
/// the operators' common eigenvectors, both act on their other wires alone.
struct CommutingUnit {
  /// A wire of a unit.
  struct Side {
    Qubit wire = 0;
    OneQubitGroup::Number frame = 0;  ///< F on the wire
    std::uint8_t axes = 0;            ///< bit i: axis i, as in PauliAxis
  };
  std::vector<std::uint32_t> gates;  ///< indices in the list, in its order
  std::vector<Side> sides;
  std::uint64_t length = 0;  ///< the heaviest chain of its gates
};

/// A list of gates as units in their order, and the Clifford gates outside of them.
struct CommutingUnits {
  std::vector<CommutingUnit> units;
  /// For each wire: the product of the Clifford gates outside of units.
  std::vector<OneQubitGroup::Element> cliffords;
};

/// Divides gates, without black boxes, into units. Clifford gates on one qubit are units, too, if
/// there are no words for them. `weight_of` returns the length of a gate.
[[nodiscard]] CommutingUnits commuting_units(
    std::span<const Operation> gates, std::uint32_t wires, RunWords& words,
    const std::function<std::uint64_t(const Operation&)>& weight_of);

}  // namespace quartz::optimizer
