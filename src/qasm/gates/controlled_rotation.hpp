#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/qasm/include_path.hpp"

/// Rotations with any number of controls, with a number of gates that is linear in it.
namespace quartz::qasm {

/// A qubit and the angle of its rotation.
struct RotationTarget {
  Qubit qubit{};
  Angle angle;
};

/// Returns the number of cx of append_controlled_rotations.
[[nodiscard]] std::uint64_t cost_of_controlled_rotations(std::size_t controls, std::size_t targets,
                                                         std::size_t borrowed,
                                                         ControlExpansion expansion);
/// Appends rz on each of the one or more targets, all with the same controls. Borrowed qubits, in
/// any state, are restored.
void append_controlled_rotations(std::span<const Qubit> controls,
                                 std::span<const RotationTarget> targets,
                                 std::span<const Qubit> borrowed, ControlExpansion expansion,
                                 std::vector<Operation>& gates);

}  // namespace quartz::qasm
