#include "optimize/product_reduction/evaluation_forms.hpp"

#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "optimize/algebras/evaluation_maps.hpp"
#include "optimize/algebras/quotient_algebra.hpp"
#include "optimize/algebras/small_field.hpp"
#include "optimize/product_reduction/square_forms.hpp"
#include "optimize/products/bit_matrix.hpp"

namespace quartz::optimizer {

namespace {

/// Largest degree of a residue field over F2.
constexpr unsigned kMaxResidueDegree = 12;
/// Largest degree of a field whose forms a search finds.
constexpr unsigned kMaxSearchDegree = 7;
/// Limit on one search in a residue field.
constexpr Budget::Amount kSearch{0.5, 500000};

/// Returns the form that is `form` of the images of the basis.
LinearForm pulled_back(const LinearForm& form, std::span<const SmallField::Element> images) {
  const auto bits = static_cast<SmallField::Element>(form.to_ulong());
  LinearForm result(images.size());
  for (std::size_t i = 0; i < images.size(); ++i)
    result[i] = std::popcount(bits & images[i]) % 2 != 0;
  return result;
}

}  // namespace

const std::vector<LinearForm>& EvaluationForms::of_field(unsigned degree) {
  const auto found = of_field_.find(degree);
  if (found != of_field_.end()) return found->second;
  const SmallField field(degree);
  const LinearForm modulus(degree + 1, field.modulus());
  std::vector<LinearForm> forms = degree <= kMaxSearchDegree
                                      ? search(modulus, budget_.limited_to(kSearch))
                                      : evaluate(modulus, true);
  return of_field_.emplace(degree, std::move(forms)).first->second;
}

std::vector<LinearForm> EvaluationForms::of_algebra(const LinearForm& modulus) {
  const std::size_t degree = modulus.size() - 1;
  if (degree <= kMaxSearchDegree) return search(modulus, budget_);
  return evaluate(modulus, QuotientAlgebra(modulus).is_field());
}

std::vector<LinearForm> EvaluationForms::of_polynomials(std::size_t coefficients) {
  // Without subfields, the values determine the product before it is reduced.
  return evaluate(unit_vector(coefficients + 1, coefficients), false);
}

std::vector<LinearForm> EvaluationForms::search(const LinearForm& modulus,
                                                const Budget& budget) const {
  const auto degree = static_cast<unsigned>(modulus.size() - 1);
  const BitMatrix powers = QuotientAlgebra(modulus).powers_of_x(std::size_t{2} * degree);
  std::vector<SymmetricMatrix> slices(degree);
  for (unsigned row = 0; row < degree; ++row) {
    for (unsigned column = 0; column <= row; ++column) {
      const SymmetricMatrix bit = SymmetricMatrix{1} << symmetric_bit(row, column);
      for (unsigned i = 0; i < degree; ++i) slices[i] |= powers[row + column].test(i) ? bit : 0;
    }
  }
  std::vector<LinearForm> forms;
  for (const std::uint32_t form : square_forms(degree, slices, degree, budget, *random_)) {
    forms.emplace_back(degree, form);
  }
  return forms;
}

std::vector<LinearForm> EvaluationForms::evaluate(const LinearForm& modulus, bool is_field) {
  const EvaluationPlan plan = cheapest_plan(
      modulus.size() - 1, is_field, kMaxResidueDegree, [&](unsigned degree, unsigned multiplicity) {
        return of_field(degree).size() * sums_of_truncated_product(multiplicity).size();
      });
  std::vector<LinearForm> forms;
  for (const EvaluationMap& map : evaluation_maps(modulus, plan)) {
    for (const LinearForm& form : of_field(map.degree)) {
      forms.push_back(pulled_back(form, map.images));
    }
  }
  return forms;
}

}  // namespace quartz::optimizer
