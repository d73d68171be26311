#pragma once

#include "certify/comparison.hpp"
#include "certify/problem.hpp"

namespace quartz::certify {

/// Comparison by path sums (Amy, arXiv 1805.06908): exact, for all values of the parameters and for
/// any number of wires; may give up, never wrong.
///
/// The circuit left, then the inverse of right, maps a basis state to a path sum, whose sums are
/// done one by one (certify/path_sum.hpp). If none is left, the outputs are the inputs and the
/// phase is constant, then the circuits are equal up to that phase; if not, an input for which this
/// fails is a witness. Angles that are no multiples of pi / 2^k are kept as exact expressions;
/// constants within 1e-11 of such a multiple are taken for it, and all such roundings together must
/// stay below the tolerance. Where sums are left, the amplitudes of some inputs are computed in
/// double precision, which can show a difference but not equality.
[[nodiscard]] Comparison compare_path_sums(const Problem& problem, const Budget& budget);

}  // namespace quartz::certify
