#pragma once

#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

/// X and the phase gate under any number of controls, in gates of the table.
namespace quartz::qasm {

/// x on the target where all controls are 1; without controls, x. In O(n^2) gates, and in O(n) with
/// a borrowed qubit: any other one, in any state, which it gets back (Barenco et al.,
/// quant-ph/9503016, lemmas 7.2 and 7.3).
void append_multi_controlled_x(std::span<const Qubit> controls, Qubit target,
                               std::span<const Qubit> borrowed, std::vector<Operation>& gates);

/// The phase e^{i angle} where all of the qubits, one or more, are 1. In O(n^2) gates (lemma 7.5).
void append_multi_controlled_phase(std::span<const Qubit> qubits, const Angle& angle,
                                   std::vector<Operation>& gates);

}  // namespace quartz::qasm
