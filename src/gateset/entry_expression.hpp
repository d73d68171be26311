#pragma once

#include <string>
#include <vector>

#include "circuit/exact_sum.hpp"
#include "gateset/json_node.hpp"

namespace quartz {

/// The entry of a matrix that a string (or a whole number) holds: whole numbers, i, sqrt(2), cos(),
/// sin() and exp(i*...) of angles that are linear in the parameters, sums, differences, products,
/// and quotients by powers of sqrt(2). Throws InputError with the place of what is none of these,
/// and why.
[[nodiscard]] ExactSum parse_entry(const JsonNode& node,
                                   const std::vector<std::string>& parameters);

}  // namespace quartz
