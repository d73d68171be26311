#pragma once

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Compares a circuit with one that has ancillas (pose_problem_with_ancillas) by a path sum: that
/// of the right circuit followed by the inverse of the left one, whose sums are eliminated as far
/// as no discarded wire depends on them.
///
/// The circuits are equal if all other wires then carry their inputs, and neither the phase nor a
/// discarded wire depends on an input: each input is mapped to itself, times one state of the
/// discarded wires. The outcomes of ancillas then tell nothing about the input, and each of them
/// leaves the state that the left circuit does. The sums that are left are those over outcomes. If
/// each of them is over the bit of a discarded wire, an input for which one of this fails is a
/// witness. The method is exact, as compare_path_sums() is, and may give up.
[[nodiscard]] Comparison compare_with_ancillas(const Problem& problem, const Budget& budget);

}  // namespace quartz::certify
