#pragma once

#include <cstdint>

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Compares two families of unitaries as compare_problem does. If they are not equal for all truth
/// values of the conditions, compares them in each case of the conditions that can occur.
///
/// States for different values of classical bits never interfere, so the phase may be another one
/// in each case; the result then has none.
[[nodiscard]] Comparison compare_families(Problem problem, const Budget& budget,
                                          std::uint64_t seed);

}  // namespace quartz::certify
