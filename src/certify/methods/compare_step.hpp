#pragma once

#include <cstdint>

#include "base/budget.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Compares the two sides of a step of a journal, which are expected to be equal: the methods that
/// prove equality come before those that look for a difference (compare_problem), the quickest and
/// strongest first.
[[nodiscard]] Comparison compare_step(Problem problem, const Budget& budget, std::uint64_t seed);

}  // namespace quartz::certify
