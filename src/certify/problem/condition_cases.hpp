#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// For each condition of a problem, whether it holds.
using ConditionCase = std::vector<bool>;

/// Returns cases of the conditions of a whole problem, among them all that can occur: two tests
/// that want different values of a bit do not both hold, and a test holds if others imply all its
/// values. Returns nullopt if there are more than `max_cases`, or if it is not known what the
/// conditions mean.
[[nodiscard]] std::optional<std::vector<ConditionCase>> condition_cases(const Problem& problem,
                                                                        std::size_t max_cases);

/// Returns the problem in one case: steps whose condition holds are unconditional, and those whose
/// condition does not hold are left out.
[[nodiscard]] Problem in_case(const Problem& problem, const ConditionCase& holds);

}  // namespace quartz::certify
