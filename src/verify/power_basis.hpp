#pragma once

#include <vector>

namespace quartz::verify {

/// Writes the powers of zeta = e^{2 pi i/order} in the basis 1, zeta, ..., zeta^(d - 1) of Q(zeta),
/// d = phi(order), by reduction modulo the cyclotomic polynomial.
class PowerBasis {
 public:
  struct Part {
    unsigned index = 0;
    int factor = 0;
  };

  explicit PowerBasis(unsigned order);

  [[nodiscard]] unsigned order() const noexcept { return static_cast<unsigned>(powers_.size()); }
  /// Returns the non-zero components of a power.
  [[nodiscard]] const std::vector<Part>& power(unsigned exponent) const {
    return powers_[exponent % order()];
  }

 private:
  std::vector<std::vector<Part>> powers_;
};

}  // namespace quartz::verify
