#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace quartz::optimizer {

/// How the product of two elements of an algebra K = F2[x] / f of degree n follows from products in
/// smaller fields (Chudnovsky and Chudnovsky 1988): an element of K is a polynomial of degree below
/// m = n / s over a subfield of 2^s elements, and the product of two of them follows from its
/// values at places of the projective line over the subfield whose degrees sum up to 2m - 1. The
/// values at a place of degree d are in a field of 2^(s d) elements. A place counts twice or three
/// times with the derivatives of the polynomials.
struct EvaluationPlan {
  /// Places of one degree that count equally often.
  struct Places {
    unsigned degree = 0;
    unsigned multiplicity = 0;
    unsigned number = 0;
  };

  std::size_t cost = 0;   ///< the sum of the costs of all products in smaller fields
  unsigned subfield = 1;  ///< s, where the subfield has 2^s elements
  std::vector<Places> places;
};

/// Returns what the product of two truncated polynomials costs, over the field of 2^degree elements
/// and modulo e^multiplicity.
using CostOfPlace = std::function<std::size_t(unsigned degree, unsigned multiplicity)>;

/// Returns the multiplication of truncated polynomials a_0 + a_1 e + ... modulo e^multiplicity, by
/// products of sums of coefficients: bit i of a sum for a_i. The multiplicity is at most
/// kMaxMultiplicity.
[[nodiscard]] const std::vector<unsigned>& sums_of_truncated_product(unsigned multiplicity);
inline constexpr unsigned kMaxMultiplicity = 3;

/// Returns the plan with the least cost for an algebra of some degree, with fields of at most
/// 2^max_residue_degree elements and fewer than the algebra has; subfields are only used if it is a
/// field.
[[nodiscard]] EvaluationPlan cheapest_plan(std::size_t degree, bool is_field,
                                           unsigned max_residue_degree, const CostOfPlace& cost);

}  // namespace quartz::optimizer
