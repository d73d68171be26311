#pragma once

#include <cstdint>

#include "certify/problem/comparison.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::certify {

/// Runs a circuit of gates and one that has ancillas (pose_problem_with_ancillas) on random states,
/// with random outcomes of measurements, with state vectors in double precision. Can find a
/// difference, with the outcomes as a witness, but never equality. Gives up if the circuits have
/// too many qubits, and for other operations of the first circuit.
[[nodiscard]] Comparison search_ancilla_difference(const Circuit& left, const Circuit& right,
                                                   const Budget& budget, std::uint64_t seed);

}  // namespace quartz::certify
