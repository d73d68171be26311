#include "verify/power_basis.hpp"

#include <algorithm>
#include <cstddef>

namespace quartz::verify {
namespace {

using Polynomial = std::vector<int>;  ///< coefficients, lowest degree first

/// Returns p(x^k).
Polynomial spread(const Polynomial& p, unsigned k) {
  Polynomial result((p.size() - 1) * k + 1, 0);
  for (std::size_t i = 0; i < p.size(); ++i) result[i * k] = p[i];
  return result;
}

/// Returns p / q for a monic q that divides p.
Polynomial quotient(Polynomial p, const Polynomial& q) {
  Polynomial result(p.size() - q.size() + 1, 0);
  for (std::size_t i = result.size(); i-- > 0;) {
    result[i] = p[i + q.size() - 1];
    for (std::size_t j = 0; j < q.size(); ++j) p[i + j] -= result[i] * q[j];
  }
  return result;
}

/// Returns the minimal polynomial of e^{2 pi i/order}, built prime by prime: Phi_{mp}(x) is
/// Phi_m(x^p), divided by Phi_m(x) if p does not divide m.
Polynomial cyclotomic_polynomial(unsigned order) {
  Polynomial result = {-1, 1};
  unsigned done = 1;
  for (unsigned prime = 2; done < order; ++prime) {
    while ((order / done) % prime == 0) {
      const Polynomial next = spread(result, prime);
      result = done % prime == 0 ? next : quotient(next, result);
      done *= prime;
    }
  }
  return result;
}

}  // namespace

PowerBasis::PowerBasis(unsigned order) {
  const Polynomial modulus = cyclotomic_polynomial(order);
  const std::size_t dimension = modulus.size() - 1;
  Polynomial power(dimension, 0);
  power[0] = 1;
  for (unsigned exponent = 0; exponent < order; ++exponent) {
    std::vector<Part>& parts = powers_.emplace_back();
    for (unsigned i = 0; i < dimension; ++i) {
      if (power[i] != 0) parts.push_back({i, power[i]});
    }
    // Multiplies by zeta; zeta^d is minus the lower terms of the monic modulus.
    const int carry = power.back();
    std::rotate(power.rbegin(), power.rbegin() + 1, power.rend());
    power[0] = 0;
    for (std::size_t i = 0; i < dimension; ++i) power[i] -= carry * modulus[i];
  }
}

}  // namespace quartz::verify
