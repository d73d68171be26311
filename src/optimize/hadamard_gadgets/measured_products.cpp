#include "optimize/hadamard_gadgets/measured_products.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "optimize/product_layers/quadratic_phase.hpp"
#include "optimize/product_reduction/product_reduction.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/merging.hpp"
#include "optimize/products/trivector.hpp"
#include "optimize/rank_reduction/rank_reduction.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// With more variables, the table of their triples takes too long.
constexpr std::size_t kMostVariables = 400;

/// Returns parities r whose squares r (x) r have the sum of those of the odd phases, about as many
/// as the rank of this sum (A. Lempel, 1975). Phases by pi/4 about them leave products and Clifford
/// gates.
std::vector<LinearForm> parities_besides_products(const ParityPhases& phases,
                                                  std::size_t variables) {
  BitMatrix rows(variables, LinearForm(variables));
  for (const auto& [form, eighths] : phases) {
    if (eighths % 2 != 0) for_each_bit(form, [&](std::size_t i) { rows[i] ^= form; });
  }
  std::vector<LinearForm> parities;
  const auto subtract = [&](const LinearForm& parity) {
    for_each_bit(LinearForm(parity), [&](std::size_t i) { rows[i] ^= parity; });
    parities.push_back(parity);
  };
  const auto has_square = [&](std::size_t i) { return rows[i].test(i); };
  for (;;) {
    std::size_t first = 0;
    while (first < variables && !has_square(first)) ++first;
    if (first < variables) {
      subtract(LinearForm(rows[first]));
      continue;
    }
    const auto left = std::ranges::find_if(rows, &LinearForm::any);
    if (left == rows.end()) return parities;
    // Without squares, a row makes some.
    subtract(LinearForm(*left));
  }
}

/// The triples of variables that are in an odd number of odd phases.
class Triples {
 public:
  Triples(const ParityPhases& phases, std::size_t variables)
      : tables_(variables, BitMatrix(variables, LinearForm(variables))) {
    for (const auto& [form, eighths] : phases) {
      if (eighths % 2 == 0) continue;
      for_each_bit(form, [&](std::size_t i) {
        for_each_bit(form, [&](std::size_t j) { tables_[i][j] ^= form; });
      });
    }
    for (std::size_t i = 0; i < variables; ++i) remove_squares(i);
  }

  /// Removes the triples of one variable after the other, those with the fewest partners first, and
  /// returns them as products: x u w for the variable x and the forms u and w of which its pairs
  /// are made.
  [[nodiscard]] std::vector<Product> take_products() {
    std::vector<Product> products;
    while (const std::optional<std::size_t> variable = next_variable()) {
      take_products_of(*variable, products);
    }
    return products;
  }

 private:
  void remove_squares(std::size_t i) {
    tables_[i][i].reset();
    for (std::size_t j = 0; j < tables_.size(); ++j) tables_[i][j].reset(i).reset(j);
  }
  [[nodiscard]] std::optional<std::size_t> next_variable() const {
    std::optional<std::size_t> best;
    auto fewest = std::numeric_limits<std::ptrdiff_t>::max();
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const auto partners = std::ranges::count_if(tables_[i], &LinearForm::any);
      if (partners == 0 || partners >= fewest) continue;
      fewest = partners;
      best = i;
    }
    return best;
  }
  void take_products_of(std::size_t variable, std::vector<Product>& products) {
    BitMatrix& pairs = tables_[variable];
    for (std::size_t j = 0; j < pairs.size(); ++j) {
      if (pairs[j].none()) continue;
      const LinearForm u = pairs[j];
      const LinearForm w = pairs[u.find_first()];
      for_each_bit(u, [&](std::size_t i) { pairs[i] ^= w; });
      for_each_bit(w, [&](std::size_t i) { pairs[i] ^= u; });
      for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].reset(i);
      products.push_back({{unit_vector(pairs.size(), variable), u, w}});
    }
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      tables_[i][variable].reset();
      for (LinearForm& row : tables_[i]) row.reset(variable);
    }
  }

  std::vector<BitMatrix> tables_;
};

/// Returns the product of forms with the same span that takes the fewest gates.
Product with_fewest_gates(const Product& product) {
  std::array<LinearForm, 7> span;
  for (unsigned sum = 1; sum < 8; ++sum) {
    LinearForm form(product.forms[0].size());
    for (unsigned i = 0; i < 3; ++i) {
      if ((sum >> i & 1U) != 0) form ^= product.forms.at(i);
    }
    span.at(sum - 1) = std::move(form);
  }
  std::ranges::stable_sort(span, {}, &LinearForm::count);
  // The two shortest forms are independent, and so is the next one that is not their sum.
  const auto third = std::find_if(span.begin() + 2, span.end(), [&](const LinearForm& form) {
    return form != (span[0] ^ span[1]);
  });
  return {{span[0], span[1], *third}};
}

}  // namespace

std::size_t count_odd_phases(const ParityPhases& phases) {
  return static_cast<std::size_t>(
      std::ranges::count_if(phases, [](const auto& each) { return each.second % 2 != 0; }));
}

std::size_t MeasuredProducts::rotations() const {
  return kRotationsOfMeasuredProduct * products.size() + count_odd_phases(rest);
}

std::optional<MeasuredProducts> as_measured_products(const ParityPhases& phases,
                                                     std::size_t variables, const Budget& budget,
                                                     FastRandom& random) {
  if (variables > kMostVariables) return std::nullopt;
  const std::vector<LinearForm> parities = parities_besides_products(phases, variables);
  ParityPhases rest = phases;
  for (const LinearForm& parity : parities) add_phase(rest, parity, -1);
  MeasuredProducts result;
  const std::vector<Product> products =
      with_merged_products(Triples(rest, variables).take_products(), random);
  for (const Product& product : with_fewer_products(products, budget, random)) {
    result.products.push_back(with_fewest_gates(product));
  }
  if (result.products.empty()) return std::nullopt;
  ProductNetwork network;
  network.wires = variables;
  network.products = result.products;
  for (const auto& [form, eighths] : phases_of(network)) add_phase(rest, form, -eighths);
  const std::optional<QuadraticPhase> clifford = as_quadratic_phase(rest, variables);
  ensure(clifford.has_value(), "parities beside products leave Clifford gates");
  for (const LinearForm& parity : parities) add_phase(result.rest, parity, 1);
  for (const ParityPhase& phase : on_parities(*clifford, parities)) {
    add_phase(result.rest, phase.form, phase.eighths);
  }
  return result;
}

std::size_t fewest_odd_phases(const ParityPhases& phases, const Budget& budget,
                              FastRandom& random) {
  ParityTable table;
  for (const auto& [form, eighths] : phases) {
    if (eighths % 2 != 0) table.push_back(form);
  }
  if (table.empty()) return 0;
  const std::array starts{std::move(table)};
  return with_fewer_parities(starts, {}, {}, budget, random).size();
}

}  // namespace quartz::optimizer
