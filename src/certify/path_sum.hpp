#pragma once

#include "certify/comparison.hpp"
#include "certify/problem.hpp"

namespace quartz::certify {

/// Comparison by path sums (Amy, arXiv 1805.06908): exact, for all values of the parameters and for
/// any number of wires; may give up, never wrong.
///
/// The circuit left, then the inverse of right, maps a basis state x to the sum over bits y of
/// 2^{-m/2} e^{i phase(x, y)} |outputs(x, y)>, with one y for each Hadamard gate. Sums that can be
/// done are done (see path_sum.cpp) until no y is left. If then the outputs are x and the phase
/// is constant, the circuits are equal up to that phase; if not, an x for which this fails is a
/// witness. Angles that are no multiples of pi / 2^k are kept as exact expressions; constants
/// within 1e-11 of such a multiple are taken for it, and all such roundings together must stay
/// below the tolerance.
[[nodiscard]] Comparison compare_path_sums(const Problem& problem, const Budget& budget);

}  // namespace quartz::certify
