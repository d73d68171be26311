#include "optimize/products/trivector.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "base/random.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/coordinates.hpp"

namespace quartz::optimizer {
namespace {

/// Sets of 64 random triples of vectors in which sums of trivectors are compared.
constexpr int kTripleSets = 8;

/// Bit i has the value in the triple of vectors i.
using Values = std::uint64_t;

/// 64 triples of vectors: for each element of the basis, its coefficients in the first, second and
/// third vectors.
using VectorTriples = std::vector<std::array<Values, 3>>;

VectorTriples random_triples(std::size_t dimension, FastRandom& random) {
  VectorTriples triples(dimension);
  for (std::array<Values, 3>& coefficients : triples) {
    for (Values& each : coefficients) each = random();
  }
  return triples;
}

/// Returns the values of a form in the first, second and third vectors.
std::array<Values, 3> values_of(const LinearForm& form, const VectorTriples& triples) {
  std::array<Values, 3> values{};
  for (std::size_t i = form.find_first(); i != LinearForm::npos; i = form.find_next(i)) {
    for (std::size_t vector = 0; vector < 3; ++vector) values[vector] ^= triples[i][vector];
  }
  return values;
}

/// Returns the values of a product's trivector, the determinants of those of its forms.
Values values_of(const Product& product, const VectorTriples& triples) {
  const auto f = values_of(product.forms[0], triples);
  const auto g = values_of(product.forms[1], triples);
  const auto h = values_of(product.forms[2], triples);
  return (f[0] & ((g[1] & h[2]) ^ (g[2] & h[1]))) ^ (f[1] & ((g[0] & h[2]) ^ (g[2] & h[0]))) ^
         (f[2] & ((g[0] & h[1]) ^ (g[1] & h[0])));
}

}  // namespace

bool is_independent(const Product& product) {
  const auto& [f, g, h] = product.forms;
  if (f.none() || g.none() || h.none() || f == g || f == h || g == h) return false;
  return (f ^ g) != h;
}

bool have_same_sum(std::span<const Product> left, std::span<const Product> right) {
  if (left.empty() && right.empty()) return true;
  const std::size_t wires = (left.empty() ? right : left).front().forms[0].size();
  FastRandom random(0);
  for (int set = 0; set < kTripleSets; ++set) {
    const VectorTriples triples = random_triples(wires, random);
    Values sum = 0;
    for (const Product& product : left) sum ^= values_of(product, triples);
    for (const Product& product : right) sum ^= values_of(product, triples);
    if (sum != 0) return false;
  }
  return true;
}

ProductsInBasis in_basis(std::span<const Product> products) {
  std::map<LinearForm, std::size_t> occurrences;
  for (const Product& product : products) {
    for (const LinearForm& form : product.forms) ++occurrences[form];
  }
  std::vector<std::pair<std::size_t, LinearForm>> by_frequency;
  for (const auto& [form, count] : occurrences) by_frequency.emplace_back(count, form);
  std::ranges::stable_sort(
      by_frequency, [](const auto& left, const auto& right) { return left.first > right.first; });
  Coordinates coordinates;
  for (const auto& [count, form] : by_frequency) coordinates.extend(form);
  std::map<LinearForm, LinearForm> in_coordinates;
  for (const auto& [count, form] : by_frequency) {
    in_coordinates.emplace(form, coordinates.of(form).value());
  }
  ProductsInBasis result{coordinates.basis(), {}};
  for (const auto& [forms] : products) {
    result.products.push_back(
        {{in_coordinates.at(forms[0]), in_coordinates.at(forms[1]), in_coordinates.at(forms[2])}});
  }
  return result;
}

std::vector<Product> on_wires(const ProductsInBasis& products) {
  std::vector<Product> result;
  for (const auto& [forms] : products.products) {
    result.push_back({{multiply(forms[0], products.basis), multiply(forms[1], products.basis),
                       multiply(forms[2], products.basis)}});
  }
  return result;
}

}  // namespace quartz::optimizer
