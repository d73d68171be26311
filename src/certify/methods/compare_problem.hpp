#pragma once

#include <cstdint>

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Compares two families of unitaries by all methods, each with a share of the budget, until one
/// decides. Gates that both have at an end are cancelled first, and independent parts are compared
/// one by one: the result is equal if all parts are, and different if one is.
[[nodiscard]] Comparison compare_problem(Problem problem, const Budget& budget, std::uint64_t seed);

/// Makes the result of one part that of the whole, to which it is added: phases, distances and
/// probabilities are summed up. Both must be equal.
void add_part(Comparison& whole, const Comparison& part);

}  // namespace quartz::certify
