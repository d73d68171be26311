#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/products/parity_phases.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// The number of T gates of a product that an ancilla and a measurement carry out.
inline constexpr std::size_t kRotationsOfMeasuredProduct = 4;

/// A diagonal unitary as products, each of which an ancilla and a measurement carry out, and
/// phases.
///
/// A product of forms f, g and h takes four T gates as follows (C. Jones, arXiv 1212.5069;
/// C. Gidney, arXiv 1709.06648): an ancilla a is prepared in |+>, and the phases of the parities
/// a, a + f, a + g and a + f + g make it (-1)^{a f g} i^{-f g}. H and S on a make it carry f g. A
/// CZ with h follows, a is measured in the basis of X, and if the outcome is 1, CZ is applied to f
/// and g.
struct MeasuredProducts {
  std::vector<Product> products;
  ParityPhases rest;

  /// Returns the number of T gates.
  [[nodiscard]] std::size_t rotations() const;
};

/// Returns the number of phases by an odd number of eighths.
[[nodiscard]] std::size_t count_odd_phases(const ParityPhases& phases);

/// Returns phases on some variables as as few measured products as were found, with as few other
/// odd phases as such products leave; nothing if there are no products, or too many variables.
[[nodiscard]] std::optional<MeasuredProducts> as_measured_products(const ParityPhases& phases,
                                                                   std::size_t variables,
                                                                   const Budget& budget,
                                                                   FastRandom& random);

/// Returns about the fewest odd phases of the same unitary without measured products.
[[nodiscard]] std::size_t fewest_odd_phases(const ParityPhases& phases, const Budget& budget,
                                            FastRandom& random);

}  // namespace quartz::optimizer
