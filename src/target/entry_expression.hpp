#pragma once

#include <string>
#include <vector>

#include "circuit/exact_sum.hpp"
#include "target/json_node.hpp"

namespace quartz::target {

/// Parses the entry of a matrix from a string (or a whole number): whole numbers, i, sqrt(2),
/// cos(), sin() and exp(i*...) of angles that are linear in the parameters, sums, differences,
/// products, and quotients by powers of sqrt(2). Throws InputError with the location of anything
/// else, and the reason.
[[nodiscard]] circuit::ExactSum parse_entry(const JsonNode& node,
                                            const std::vector<std::string>& parameters);

}  // namespace quartz::target
