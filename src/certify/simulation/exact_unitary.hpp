#pragma once

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Compares every column of both unitaries in the ring Z[w, 1/sqrt 2], w = e^{i pi/4}. The
/// comparison is exact, and complete for circuits whose gates have their entries in the ring up to
/// a phase (Clifford+T and everything with angles that are multiples of pi/4, except controlled
/// rotations). Coefficients are 64-bit integers; if one overflows, the outcome is unknown.
[[nodiscard]] Comparison compare_exact_unitaries(const Problem& problem, const Budget& budget);

}  // namespace quartz::certify
