#pragma once

#include <optional>

#include "optimize/rank_reduction/rank_reduction.hpp"

namespace quartz::optimizer {

/// Returns a table for the multiplication in the field K of q = 2^degree elements
/// (field_tables.hpp) that is one orbit of its automorphisms; nothing if the smallest orbits do not
/// give one, or the degree is above kMaxDegreeOfOrbit.
///
/// Method: the sum of trivectors of the multiplication is that of the determinant over K^3, which
/// is the field L of q^3 elements. Multiplications by elements of norm 1 keep it. They are a cyclic
/// group of q^2 + q + 1 elements, and the powers of degree 3 of the elements of a subgroup, in
/// terms of their conjugates, have the sum zero unless the order of the subgroup divides the
/// exponent. If it only divides that of the norm, the subgroup is a table: 39 parities for the
/// field of 16 elements.
[[nodiscard]] std::optional<ParityTable> orbit_table(unsigned degree);
inline constexpr unsigned kMaxDegreeOfOrbit = 5;

}  // namespace quartz::optimizer
