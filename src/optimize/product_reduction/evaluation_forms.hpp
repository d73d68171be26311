#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/algebras/evaluation_plan.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Linear forms y on an algebra K = F2[x] / f, as bits of the powers of x from 0 to n - 1, such
/// that the product of two elements is a linear function of the products y(a) y(b): the squares y
/// y^T span the multiplication table.
///
/// The forms are those of smaller fields, whose products a plan (evaluation_plan.hpp) with the
/// least number of forms needs. In fields of up to 2^7 elements, a search for square forms finds
/// them.
class EvaluationForms {
 public:
  /// The budget limits the searches in small fields.
  EvaluationForms(const Budget& budget, FastRandom& random) : budget_(budget), random_(&random) {}

  /// Returns the forms for an algebra, given by the n + 1 bits of f; subfields are only used if the
  /// algebra is a field.
  [[nodiscard]] std::vector<LinearForm> of_algebra(const LinearForm& modulus);

  /// Returns forms on polynomials with a number of coefficients, such that all of the product of
  /// two polynomials follows from the products y(a) y(b).
  [[nodiscard]] std::vector<LinearForm> of_polynomials(std::size_t coefficients);

 private:
  [[nodiscard]] const std::vector<LinearForm>& of_field(unsigned degree);
  [[nodiscard]] std::vector<LinearForm> search(const LinearForm& modulus,
                                               const Budget& budget) const;
  /// Returns the forms for an algebra by the products in smaller fields.
  [[nodiscard]] std::vector<LinearForm> evaluate(const LinearForm& modulus, bool is_field);

  Budget budget_;
  FastRandom* random_;
  std::map<unsigned, std::vector<LinearForm>> of_field_;  ///< by degree
};

}  // namespace quartz::optimizer
