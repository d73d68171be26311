#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/product_reduction/small_field.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Linear forms y on an algebra K = F2[x] / f, as bits of the powers of x from 0 to n - 1, such
/// that the product of two elements is a linear function of the products y(a) y(b): the squares y
/// y^T span the multiplication table.
///
/// Method (Chudnovsky and Chudnovsky 1988): an element of K is a polynomial of degree below m = n /
/// s over a subfield of 2^s elements, and the product of two of them follows from its values at
/// places of the projective line over the subfield whose degrees sum up to 2m - 1. The values at a
/// place of degree d are in a field of 2^(s d) elements, whose products are computed in turn by
/// forms. A place counts twice or three times with the derivatives of the polynomials. The subfield
/// and the places are chosen for the least number of forms. In fields of up to 2^7 elements, a
/// search for square forms finds them.
class EvaluationForms {
 public:
  /// The budget limits the searches in small fields.
  EvaluationForms(const Budget& budget, FastRandom& random) : budget_(budget), random_(&random) {}

  /// Returns the forms for an algebra, given by the n + 1 bits of f; subfields are only used if the
  /// algebra is a field.
  [[nodiscard]] std::vector<LinearForm> of_algebra(const LinearForm& modulus);

 private:
  /// Places of one degree that count equally often.
  struct Places {
    unsigned degree = 0;
    unsigned multiplicity = 0;
    unsigned number = 0;
  };
  struct Plan {
    std::size_t forms = 0;
    unsigned subfield = 1;  ///< s, where the subfield has 2^s elements
    std::vector<Places> places;
  };

  [[nodiscard]] const std::vector<LinearForm>& of_field(unsigned degree);
  [[nodiscard]] std::vector<LinearForm> search(const LinearForm& modulus,
                                               const Budget& budget) const;
  [[nodiscard]] Plan plan(std::size_t degree, bool is_field);
  [[nodiscard]] Plan plan_over(unsigned subfield, std::size_t degree);
  [[nodiscard]] std::vector<LinearForm> evaluate(const LinearForm& modulus, const Plan& plan);

  Budget budget_;
  FastRandom* random_;
  std::map<unsigned, std::vector<LinearForm>> of_field_;  ///< by degree
};

}  // namespace quartz::optimizer
