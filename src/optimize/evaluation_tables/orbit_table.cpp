#include "optimize/evaluation_tables/orbit_table.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/algebras/small_field.hpp"
#include "optimize/products/bit_matrix.hpp"

namespace quartz::optimizer {
namespace {

using Element = SmallField::Element;

/// Returns whether, of the sums of one to three different powers 2^i with i < 3 degree, an order
/// divides exactly those of 2^i, 2^(i + degree) and 2^(i + 2 degree).
bool divides_norm_only(std::uint64_t order, unsigned degree) {
  const unsigned bits = 3 * degree;
  for (unsigned i = 0; i < bits; ++i) {
    const std::uint64_t one = std::uint64_t{1} << i;
    if (one % order == 0) return false;
    for (unsigned j = 0; j < i; ++j) {
      const std::uint64_t two = one + (std::uint64_t{1} << j);
      if (two % order == 0) return false;
      for (unsigned k = 0; k < j; ++k) {
        const bool is_norm = i - j == degree && j - k == degree;
        if (((two + (std::uint64_t{1} << k)) % order == 0) != is_norm) return false;
      }
    }
  }
  return true;
}

/// Returns the smallest order of a subgroup that is a table; 0 if there is none.
std::uint64_t order_of_table(unsigned degree) {
  const std::uint64_t q = std::uint64_t{1} << degree;
  for (std::uint64_t order = 2; order <= q * q + q + 1; ++order) {
    if ((q * q + q + 1) % order == 0 && divides_norm_only(order, degree)) return order;
  }
  return 0;
}

bool trace(const SmallField& field, Element element) {
  Element sum = 0;
  for (unsigned i = 0; i < field.degree(); ++i) sum ^= field.frobenius(element, i);
  return sum != 0;
}

Element power(const SmallField& field, Element element, std::uint64_t exponent) {
  Element result = 1;
  for (; exponent != 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result = field.product(result, element);
    element = field.product(element, element);
  }
  return result;
}

std::vector<Element> subgroup(const SmallField& field, std::uint64_t order) {
  std::vector<Element> result;
  for (Element element = 1; element < field.size(); ++element) {
    if (power(field, element, order) == 1) result.push_back(element);
  }
  return result;
}

/// Returns the powers below the degree of an element that has the given minimal polynomial.
std::vector<Element> powers_of_root(const SmallField& field, Element polynomial, unsigned degree) {
  for (Element root = 1;; ++root) {
    std::vector<Element> powers{1};
    while (powers.size() <= degree) powers.push_back(field.product(powers.back(), root));
    Element value = 0;
    for (unsigned i = 0; i <= degree; ++i) value ^= (polynomial >> i & 1U) != 0 ? powers[i] : 0;
    if (value != 0) continue;
    powers.pop_back();
    return powers;
  }
}

std::vector<Element> multiples(const SmallField& field, const std::vector<Element>& elements,
                               Element factor) {
  std::vector<Element> result;
  for (const Element element : elements) result.push_back(field.product(element, factor));
  return result;
}

/// Returns the elements of the third line over K that are dual to the powers: the sum over the
/// orbit of tr(s a) tr(s b w) tr(s z) is bit k of a b for the element z of number k.
std::vector<Element> dual_elements(const SmallField& field, const std::vector<Element>& orbit,
                                   const std::vector<Element>& powers, Element w) {
  const std::vector<Element> line = multiples(field, powers, field.product(w, w));
  BitMatrix sums(powers.size(), LinearForm(powers.size()));
  for (const Element s : orbit) {
    if (!trace(field, field.product(s, w))) continue;
    for (std::size_t j = 0; j < line.size(); ++j) {
      if (!trace(field, field.product(s, line[j]))) continue;
      for (std::size_t i = 0; i < powers.size(); ++i) {
        if (trace(field, field.product(s, powers[i]))) sums[j].flip(i);
      }
    }
  }
  std::vector<Element> result;
  const BitMatrix dual = inverse(std::move(sums)).value();
  for (const LinearForm& row : dual) {
    Element sum = 0;
    for (std::size_t j = 0; j < line.size(); ++j) sum ^= row.test(j) ? line[j] : 0;
    result.push_back(sum);
  }
  return result;
}

}  // namespace

std::optional<ParityTable> orbit_table(unsigned degree) {
  if (degree > kMaxDegreeOfOrbit) return std::nullopt;
  const std::uint64_t order = order_of_table(degree);
  if (order == 0) return std::nullopt;
  const SmallField field(3 * degree);
  const std::vector<Element> orbit = subgroup(field, order);
  const std::vector<Element> powers = powers_of_root(field, SmallField(degree).modulus(), degree);
  constexpr Element kW = 2;  // x generates the whole field, so that 1, x and x^2 are a basis over K
  std::vector<Element> elements = powers;
  for (const Element element : multiples(field, powers, kW)) elements.push_back(element);
  for (const Element element : dual_elements(field, orbit, powers, kW)) elements.push_back(element);
  ParityTable table;
  for (const Element s : orbit) {
    LinearForm& parity = table.emplace_back(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      parity[i] = trace(field, field.product(s, elements[i]));
    }
  }
  return table;
}

}  // namespace quartz::optimizer
