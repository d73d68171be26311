#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/products/parity_phases.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// The diagonal Clifford unitary |x> -> i^{sum of linear[i] x_i + 2 x_i x_j over the pairs} |x>.
class QuadraticPhase {
 public:
  explicit QuadraticPhase(std::size_t bits) : linear_(bits), pairs_(bits, LinearForm(bits)) {}

  [[nodiscard]] std::size_t bits() const { return linear_.size(); }
  [[nodiscard]] bool is_identity() const;
  /// Returns the power of i for a bit that is 1, modulo 4.
  [[nodiscard]] unsigned linear(std::size_t bit) const { return linear_[bit]; }
  /// Returns the bits that form a pair with a bit.
  [[nodiscard]] const LinearForm& pairs(std::size_t bit) const { return pairs_[bit]; }

  void multiply(const QuadraticPhase& other);
  /// Multiplies by i^{quarters x_i}.
  void add_bit(std::size_t bit, unsigned quarters) { linear_[bit] = (linear_[bit] + quarters) % 4; }
  /// Multiplies by (-1)^{x_i x_j}, for different bits.
  void add_pair(std::size_t first, std::size_t second);
  /// Multiplies by i^{quarters f(x)}.
  void add_parity(const LinearForm& form, unsigned quarters);
  /// Multiplies by the terms of degree 1 and 2 of (-1)^{f(x) g(x) h(x)}, written as a polynomial in
  /// the bits.
  void add_lower_terms(const Product& product);

 private:
  void add_symmetric(const LinearForm& left, const LinearForm& right);

  std::vector<unsigned> linear_;
  std::vector<LinearForm> pairs_;  ///< symmetric; no bit forms a pair with itself
};

/// Returns the quadratic phase that a sum of phases on some bits is, provided that it is one;
/// nothing if its terms of degree 1 or 2 are not Clifford gates. The terms of degree 3 are not
/// looked at. The time is the square of the number of bits for each parity.
[[nodiscard]] std::optional<QuadraticPhase> as_quadratic_phase(const ParityPhases& phases,
                                                               std::size_t bits);

/// Returns phases by multiples of pi/2 whose product is a quadratic phase. As few parities as
/// possible are other than those of `available`, as long as finding that out is quick.
[[nodiscard]] std::vector<ParityPhase> on_parities(QuadraticPhase phase,
                                                   std::span<const LinearForm> available);

}  // namespace quartz::optimizer
