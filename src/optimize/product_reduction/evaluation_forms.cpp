#include "optimize/product_reduction/evaluation_forms.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "optimize/product_reduction/quotient_algebra.hpp"
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
constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max() / 4;

/// The multiplication of truncated polynomials a_0 + a_1 e + ... modulo e^multiplicity, by products
/// of sums of coefficients: bit i for a_i.
struct TruncatedProduct {
  std::vector<unsigned> sums;
};
const std::array<TruncatedProduct, 3>& truncated_products() {
  static const std::array<TruncatedProduct, 3> kProducts{{{{1}}, {{1, 2, 3}}, {{1, 2, 4, 3, 5}}}};
  return kProducts;
}

/// Returns the number of places of a degree of the projective line over the field of 2^subfield
/// elements: of points for degree 1, else of irreducible polynomials.
std::size_t number_of_places(unsigned subfield, unsigned degree) {
  if (degree == 1) return (std::size_t{1} << subfield) + 1;
  std::size_t elements = std::size_t{1} << (subfield * degree);
  // The elements of the residue field, without those of smaller fields.
  for (unsigned divisor = 1; divisor < degree; ++divisor) {
    if (degree % divisor != 0) continue;
    const std::size_t places =
        divisor == 1 ? std::size_t{1} << subfield : number_of_places(subfield, divisor);
    elements -= divisor * places;
  }
  return elements / degree;
}

/// Evaluates polynomials over a subfield of K at a place. Polynomials are elements of K, as sums of
/// elements g^i x^j (number s j + i), where g generates the subfield of 2^s elements.
class Evaluation {
 public:
  /// `generator` is the polynomial over F2 of which g is a root.
  Evaluation(const LinearForm& generator, std::size_t terms, unsigned residue_degree)
      : subfield_(static_cast<unsigned>(generator.size() - 1)),
        terms_(terms),
        field_(subfield_ * residue_degree),
        root_(root_of(generator)) {}

  /// Returns one root of each irreducible polynomial of the residue degree over the subfield.
  [[nodiscard]] std::vector<SmallField::Element> places(std::size_t most) const {
    const unsigned degree = field_.degree() / subfield_;
    std::vector<SmallField::Element> result;
    for (SmallField::Element element = 0; element < field_.size() && result.size() < most;
         ++element) {
      unsigned conjugates = 0;
      SmallField::Element conjugate = element;
      bool is_least = true;
      do {
        conjugate = field_.frobenius(conjugate, subfield_);
        is_least = is_least && conjugate >= element;
        ++conjugates;
      } while (conjugate != element);
      if (is_least && conjugates == degree) result.push_back(element);
    }
    return result;
  }

  /// Returns the images of the elements g^i x^j under the derivative of an order at a place.
  [[nodiscard]] std::vector<SmallField::Element> derivative(SmallField::Element place,
                                                            unsigned order) const {
    std::vector<SmallField::Element> images;
    SmallField::Element power = 1;
    for (std::size_t j = 0; j < terms_; ++j) {
      // Hasse derivatives: x^j has the value binomial(j, order) x^(j - order).
      const bool is_odd = (order & ~j) == 0;
      add_multiples(is_odd ? power : 0, images);
      if (j >= order) power = field_.product(power, place);
    }
    return images;
  }
  /// Returns the same at the infinite place: the coefficient of x^(m - 1 - order).
  [[nodiscard]] std::vector<SmallField::Element> derivative_at_infinity(unsigned order) const {
    std::vector<SmallField::Element> images;
    for (std::size_t j = 0; j < terms_; ++j) add_multiples(j + order + 1 == terms_ ? 1 : 0, images);
    return images;
  }

 private:
  [[nodiscard]] SmallField::Element root_of(const LinearForm& polynomial) const {
    for (SmallField::Element element = 0; element < field_.size(); ++element) {
      SmallField::Element value = 0;
      for (std::size_t i = polynomial.size(); i-- > 0;) {
        value = field_.product(value, element) ^ (polynomial.test(i) ? 1U : 0U);
      }
      if (value == 0) return element;
    }
    return 0;
  }
  void add_multiples(SmallField::Element value, std::vector<SmallField::Element>& images) const {
    for (unsigned i = 0; i < subfield_; ++i) {
      images.push_back(value);
      value = field_.product(value, root_);
    }
  }

  unsigned subfield_;
  std::size_t terms_;
  SmallField field_;
  SmallField::Element root_;  ///< a root of the generator's polynomial
};

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
                                      : evaluate(modulus, plan(degree, true));
  return of_field_.emplace(degree, std::move(forms)).first->second;
}

std::vector<LinearForm> EvaluationForms::of_algebra(const LinearForm& modulus) {
  const std::size_t degree = modulus.size() - 1;
  if (degree <= kMaxSearchDegree) return search(modulus, budget_);
  return evaluate(modulus, plan(degree, QuotientAlgebra(modulus).is_field()));
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

EvaluationForms::Plan EvaluationForms::plan(std::size_t degree, bool is_field) {
  Plan best = plan_over(1, degree);
  for (unsigned subfield = 2; is_field && subfield <= kMaxResidueDegree && 2 * subfield <= degree;
       ++subfield) {
    if (degree % subfield != 0) continue;
    Plan plan = plan_over(subfield, degree);
    if (plan.forms < best.forms) best = std::move(plan);
  }
  return best;
}

EvaluationForms::Plan EvaluationForms::plan_over(unsigned subfield, std::size_t degree) {
  const std::size_t needed = 2 * (degree / subfield) - 1;
  // `least` has the least number of forms for each sum of degrees, and is updated for each place.
  std::vector<std::size_t> least(needed + 1, kMany);
  least[0] = 0;
  std::vector<std::pair<unsigned, std::vector<std::uint8_t>>> choices;  // degree and multiplicities
  const std::size_t most = std::min<std::size_t>(kMaxResidueDegree, (degree + 1) / 2);
  for (unsigned d = 1; subfield * d <= most; ++d) {
    const std::size_t cost = of_field(subfield * d).size();
    const std::size_t places = std::min(number_of_places(subfield, d), (needed + d - 1) / d);
    for (std::size_t place = 0; place < places; ++place) {
      std::vector<std::size_t> next = least;
      std::vector<std::uint8_t> multiplicities(needed + 1, 0);
      for (std::size_t sum = 1; sum <= needed; ++sum) {
        for (unsigned m = 1; m <= truncated_products().size(); ++m) {
          const std::size_t rest = sum > std::size_t{m} * d ? sum - std::size_t{m} * d : 0;
          const std::size_t forms = least[rest] + cost * truncated_products()[m - 1].sums.size();
          if (forms >= next[sum]) continue;
          next[sum] = forms;
          multiplicities[sum] = static_cast<std::uint8_t>(m);
        }
      }
      least = std::move(next);
      choices.emplace_back(d, std::move(multiplicities));
    }
  }
  Plan plan{least[needed], subfield, {}};
  std::size_t sum = needed;
  for (std::size_t i = choices.size(); i-- > 0;) {
    const auto& [d, multiplicities] = choices[i];
    const unsigned m = multiplicities[sum];
    if (m == 0) continue;
    sum -= std::min(sum, std::size_t{m} * d);
    const auto same = std::ranges::find_if(plan.places, [&](const Places& places) {
      return places.degree == d && places.multiplicity == m;
    });
    if (same == plan.places.end()) {
      plan.places.push_back({d, m, 1});
    } else {
      ++same->number;
    }
  }
  return plan;
}

std::vector<LinearForm> EvaluationForms::evaluate(const LinearForm& modulus, const Plan& plan) {
  const QuotientAlgebra algebra(modulus);
  const std::size_t terms = algebra.degree() / plan.subfield;
  const LinearForm generator = algebra.generator_of_subfield(plan.subfield).value();
  LinearForm polynomial = algebra.minimal_polynomial(generator);
  BitMatrix basis;
  LinearForm first = algebra.one();
  for (std::size_t j = 0; j < terms; ++j) {
    LinearForm element = first;
    for (unsigned i = 0; i < plan.subfield; ++i) {
      basis.push_back(element);
      element = algebra.product(element, generator);
    }
    first = algebra.times_x(first);
  }
  const BitMatrix to_powers = transpose(inverse(std::move(basis)).value());
  std::vector<LinearForm> forms;
  std::map<unsigned, std::size_t> used;  // places of each degree
  for (const Places& places : plan.places) {
    const Evaluation evaluation(polynomial, terms, places.degree);
    const auto roots = evaluation.places(algebra.degree() * 4);
    for (unsigned number = 0; number < places.number; ++number) {
      const std::size_t place = used[places.degree]++;
      std::vector<std::vector<SmallField::Element>> derivatives;
      for (unsigned order = 0; order < places.multiplicity; ++order) {
        derivatives.push_back(place < roots.size() ? evaluation.derivative(roots[place], order)
                                                   : evaluation.derivative_at_infinity(order));
      }
      for (const unsigned sums : truncated_products()[places.multiplicity - 1].sums) {
        std::vector<SmallField::Element> images(algebra.degree());
        for (unsigned order = 0; order < places.multiplicity; ++order) {
          if ((sums >> order & 1U) == 0) continue;
          for (std::size_t i = 0; i < images.size(); ++i) images[i] ^= derivatives[order][i];
        }
        for (const LinearForm& form : of_field(plan.subfield * places.degree)) {
          forms.push_back(multiply(pulled_back(form, images), to_powers));
        }
      }
    }
  }
  return forms;
}

}  // namespace quartz::optimizer
