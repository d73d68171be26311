#pragma once

#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

/// X and the phase gate with any number of controls, in gates of the table.
namespace quartz::qasm {

/// Appends x on the target with these controls; without controls, x. It takes O(n^2) gates, or O(n)
/// with a borrowed qubit: any other qubit in any state, which is restored (Barenco et al.,
/// quant-ph/9503016, lemmas 7.2 and 7.3).
void append_multi_controlled_x(std::span<const Qubit> controls, Qubit target,
                               std::span<const Qubit> borrowed, std::vector<Operation>& gates);

/// Appends the phase e^{i angle} on the states in which all of the one or more qubits are 1, in
/// O(n^2) gates (lemma 7.5).
void append_multi_controlled_phase(std::span<const Qubit> qubits, const Angle& angle,
                                   std::vector<Operation>& gates);

}  // namespace quartz::qasm
