#pragma once

#include "certify/problem/comparison.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::certify {

/// Compares circuits of gates, measurements, resets and conditions as quantum instruments, by the
/// operators of all their branches in double precision. The right circuit may have ancillas
/// (pose_problem_with_ancillas).
///
/// For each content of the classical bits, the operators of the branches that end with it are
/// together an isometry into the qubits and an environment: the outcomes that are not kept, and the
/// ancillas. The distance is the operator norm of the difference of these isometries, after the
/// unitary of the right environment that makes it least: the distance of Kretschmann, Schlingemann
/// and Werner (arXiv quant-ph/0605009, equation 4). Decides `equal` if a bound on it, with
/// rounding, is at most `epsilon`, or what rounding may come to, and `different` if the distance is
/// certainly larger than `epsilon`. Gives up for free parameters, for other operations, and if
/// there are too many qubits or branches.
[[nodiscard]] Comparison compare_instruments(const Circuit& left, const Circuit& right,
                                             double epsilon, const Budget& budget);

}  // namespace quartz::certify
