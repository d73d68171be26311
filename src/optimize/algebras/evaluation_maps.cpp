#include "optimize/algebras/evaluation_maps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "optimize/algebras/quotient_algebra.hpp"
#include "optimize/products/bit_matrix.hpp"

namespace quartz::optimizer {
namespace {

/// Elements that are drawn to write the polynomials in; most of them serve.
constexpr int kMaxDraws = 20;

/// A place of the projective line; nothing for the infinite one.
using PlaceInField = std::optional<SmallField::Element>;

/// Evaluates polynomials over a subfield of K at a place. Polynomials are elements of K, as sums of
/// elements g^i y^j (number s j + i), where g generates the subfield of 2^s elements.
class Evaluation {
 public:
  /// `generator` is the polynomial over F2 of which g is a root.
  Evaluation(const LinearForm& generator, std::size_t terms, unsigned residue_degree)
      : subfield_(static_cast<unsigned>(generator.size() - 1)),
        terms_(terms),
        field_(subfield_ * residue_degree),
        root_(root_of(generator)) {}

  [[nodiscard]] unsigned degree_of_field() const { return field_.degree(); }

  /// Returns one root of each irreducible polynomial of the residue degree over the subfield, and
  /// the infinite place if the degree is 1.
  [[nodiscard]] std::vector<PlaceInField> places(std::size_t most) const {
    const unsigned degree = field_.degree() / subfield_;
    std::vector<PlaceInField> result;
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
      if (is_least && conjugates == degree) result.emplace_back(element);
    }
    if (degree == 1 && result.size() < most) result.emplace_back();
    return result;
  }

  /// Returns the images of the elements g^i y^j under the derivative of an order at a place.
  [[nodiscard]] std::vector<SmallField::Element> derivative(const PlaceInField& place,
                                                            unsigned order) const {
    return place ? derivative_at(*place, order) : derivative_at_infinity(order);
  }

 private:
  [[nodiscard]] std::vector<SmallField::Element> derivative_at(SmallField::Element place,
                                                               unsigned order) const {
    std::vector<SmallField::Element> images;
    SmallField::Element power = 1;
    for (std::size_t j = 0; j < terms_; ++j) {
      // Hasse derivatives: y^j has the value binomial(j, order) y^(j - order).
      const bool is_odd = (order & ~j) == 0;
      add_multiples(is_odd ? power : 0, images);
      if (j >= order) power = field_.product(power, place);
    }
    return images;
  }
  /// Returns the same at the infinite place: the coefficient of y^(m - 1 - order).
  [[nodiscard]] std::vector<SmallField::Element> derivative_at_infinity(unsigned order) const {
    std::vector<SmallField::Element> images;
    for (std::size_t j = 0; j < terms_; ++j) add_multiples(j + order + 1 == terms_ ? 1 : 0, images);
    return images;
  }
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

/// Returns the elements g^i y^j.
BitMatrix power_basis(const QuotientAlgebra& algebra, const LinearForm& generator,
                      std::size_t terms, const LinearForm& y) {
  BitMatrix basis;
  LinearForm power = algebra.one();
  for (std::size_t j = 0; j < terms; ++j) {
    LinearForm element = power;
    for (std::size_t i = 0; i < algebra.degree() / terms; ++i) {
      basis.push_back(element);
      element = algebra.product(element, generator);
    }
    power = algebra.product(power, y);
  }
  return basis;
}

/// Returns the powers of x in terms of a basis g^i y^j: y is x unless other elements are drawn.
BitMatrix powers_of_x_in_basis(const QuotientAlgebra& algebra, const LinearForm& generator,
                               std::size_t terms, FastRandom* random) {
  for (int draw = 0; random != nullptr && draw < kMaxDraws; ++draw) {
    LinearForm y(algebra.degree());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = random->below(2) != 0;
    if (auto powers = inverse(power_basis(algebra, generator, terms, y))) return *std::move(powers);
  }
  return inverse(power_basis(algebra, generator, terms, algebra.times_x(algebra.one()))).value();
}

void shuffle(std::vector<PlaceInField>& places, FastRandom& random) {
  for (std::size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1], places[random.below(static_cast<std::uint32_t>(i))]);
  }
}

/// Returns the images of elements, given as sums of others with known images.
std::vector<SmallField::Element> images_of(const BitMatrix& elements,
                                           const std::vector<SmallField::Element>& images) {
  std::vector<SmallField::Element> result;
  for (const LinearForm& element : elements) {
    SmallField::Element sum = 0;
    for (std::size_t i = element.find_first(); i != LinearForm::npos; i = element.find_next(i)) {
      sum ^= images[i];
    }
    result.push_back(sum);
  }
  return result;
}

}  // namespace

std::vector<EvaluationMap> evaluation_maps(const LinearForm& modulus, const EvaluationPlan& plan,
                                           FastRandom* random) {
  const QuotientAlgebra algebra(modulus);
  const std::size_t terms = algebra.degree() / plan.subfield;
  const LinearForm generator = algebra.generator_of_subfield(plan.subfield).value();
  const LinearForm polynomial = algebra.minimal_polynomial(generator);
  const BitMatrix powers = powers_of_x_in_basis(algebra, generator, terms, random);
  std::vector<EvaluationMap> maps;
  std::map<unsigned, std::vector<PlaceInField>> places_of;  // those that are left of each degree, reversed
  for (const EvaluationPlan::Places& places : plan.places) {
    const Evaluation evaluation(polynomial, terms, places.degree);
    const auto [entry, is_new] = places_of.try_emplace(places.degree);
    std::vector<PlaceInField>& left = entry->second;
    if (is_new) {
      left = evaluation.places(algebra.degree() * 4);
      if (random != nullptr) shuffle(left, *random);
      std::ranges::reverse(left);
    }
    for (unsigned number = 0; number < places.number; ++number) {
      const PlaceInField place = left.back();
      left.pop_back();
      std::vector<std::vector<SmallField::Element>> derivatives;
      for (unsigned order = 0; order < places.multiplicity; ++order) {
        derivatives.push_back(images_of(powers, evaluation.derivative(place, order)));
      }
      for (const unsigned sums : sums_of_truncated_product(places.multiplicity)) {
        std::vector<SmallField::Element> images(algebra.degree());
        for (unsigned order = 0; order < places.multiplicity; ++order) {
          if ((sums >> order & 1U) == 0) continue;
          for (std::size_t i = 0; i < images.size(); ++i) images[i] ^= derivatives[order][i];
        }
        maps.push_back({evaluation.degree_of_field(), std::move(images)});
      }
    }
  }
  return maps;
}

}  // namespace quartz::optimizer
