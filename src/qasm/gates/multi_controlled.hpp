#pragma once

#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/qasm/include_path.hpp"

/// X and the phase gate with any number of controls, in gates of the table.
namespace quartz::qasm {

/// Appends x on the target with these controls; without controls, x. It takes O(n^2) gates, or O(n)
/// with a borrowed qubit: any other qubit in any state, which is restored. With four or more
/// controls and a borrowed qubit, all gates are Clifford gates and T gates; with three, they are
/// for few rotations.
void append_multi_controlled_x(std::span<const Qubit> controls, Qubit target,
                               std::span<const Qubit> borrowed, ControlExpansion expansion,
                               std::vector<Operation>& gates);

/// Appends the phase e^{i angle} on the states in which all of the one or more qubits are 1, in
/// O(n^2) gates, or O(n) if the phase is -1 and a qubit is borrowed.
void append_multi_controlled_phase(std::span<const Qubit> qubits, const Angle& angle,
                                   std::span<const Qubit> borrowed, ControlExpansion expansion,
                                   std::vector<Operation>& gates);

}  // namespace quartz::qasm
