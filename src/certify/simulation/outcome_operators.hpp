#pragma once

#include "certify/problem/comparison.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::certify {

/// Compares a circuit of gates with one that has ancillas (pose_problem_with_ancillas) by the
/// operators of all outcomes of measurements and resets, in double precision. With the operator A_b
/// of the outcome b and the unitary U of the first circuit, the distance is the operator norm of
/// the difference between the isometry that the A_b are together and the closest one that applies U
/// to the data qubits for every outcome, and leaves the ancillas in some state g_b. Decides `equal`
/// if a bound on it, with rounding, is at most `epsilon`, or what rounding may come to. Gives up
/// for free parameters, and if there are too many qubits or outcomes.
[[nodiscard]] Comparison compare_outcome_operators(const Circuit& left, const Circuit& right,
                                                   double epsilon, const Budget& budget);

}  // namespace quartz::certify
