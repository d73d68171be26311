#pragma once

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Compares circuits by path sums (Amy, arXiv 1805.06908). The method is exact, for all values of
/// the parameters and any number of wires. It may give up, but is never wrong.
///
/// The left circuit followed by the inverse of the right one maps a basis state to a path sum,
/// whose sums are eliminated one by one (certify/path_sum.hpp). If none is left, the outputs equal
/// the inputs and the phase is constant, then the circuits are equal up to that phase; otherwise an
/// input for which this fails is a witness. Angles that are not multiples of pi / 2^k are kept as
/// exact expressions; constants within 1e-11 of such a multiple are rounded to it, and the sum of
/// all such errors must stay below the tolerance. If sums are left, the amplitudes of some inputs
/// are computed in double precision, which can show a difference but not equality.
[[nodiscard]] Comparison compare_path_sums(const Problem& problem, const Budget& budget);

}  // namespace quartz::certify
