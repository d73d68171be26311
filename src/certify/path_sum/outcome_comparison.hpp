#pragma once

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Proves that a circuit equals one that has ancillas (pose_problem_with_ancillas), outcome by
/// outcome, or gives up. Each comparison is a path sum in which all outcomes are numbers, so that
/// corrections are gates that are applied or not, and no products with outcomes arise.
///
/// The steps of the right circuit are reordered so that each step under an outcome comes after its
/// measurement and before the next one. Let V be everything before a measurement, with the
/// outcome 0 of all measurements before it, and A_b what the outcome b and the steps up to the next
/// measurement make of it. If <A_0 psi, A_1 psi> = e^{i phase} |V psi|^2 / 2 for all psi, then,
/// since |A_0 psi|^2 + |A_1 psi|^2 = |V psi|^2, both outcomes are equally likely, and leave the
/// same state (the inequality of Cauchy and Schwarz is an equality). By induction over the
/// measurements all outcomes are equally likely and leave the same state. So the circuits are equal
/// if the right one with the outcome 0 of all measurements is the left one, times 2^{-h/2} for h
/// measurements.
[[nodiscard]] Comparison compare_by_outcomes(const Problem& problem, const Budget& budget);

}  // namespace quartz::certify
