#include "approximation/rings/norm_equation.hpp"

#include "approximation/rings/prime_factors.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::approximation {
namespace {

CyclotomicInteger power(const CyclotomicInteger& base, unsigned exponent) {
  CyclotomicInteger result{{1, 0, 0, 0}};
  for (unsigned j = 0; j < exponent; ++j) result = result * base;
  return result;
}

/// Returns the square root of -1 modulo a prime p = 1 modulo 4.
Integer root_of_minus_one(const Integer& p) {
  for (unsigned base = 2;; ++base) {
    const Integer root = power_modulo(base, (p - 1) / 4, p);
    if ((root * root + 1) % p == 0) return root;
  }
}

/// Returns a square root of 2 modulo a prime p = 1 or 7 modulo 8.
Integer root_of_two(const Integer& p) {
  if (p % 8 == 7) return power_modulo(2, (p + 1) / 4, p);
  for (unsigned base = 2;; ++base) {
    const Integer eighth = power_modulo(base, (p - 1) / 8, p);  // a power of an eighth root of 1
    const Integer quarter = eighth * eighth % p;
    if ((quarter * quarter + 1) % p != 0) continue;
    return (eighth + power_modulo(eighth, 7, p)) % p;  // w + w^-1
  }
}

/// Returns how often xi can be divided by a prime, and divides it.
unsigned divide_out(RootTwoInteger& xi, const RootTwoInteger& prime) {
  unsigned exponent = 0;
  while (const std::optional<RootTwoInteger> quotient = divided(xi, prime)) {
    xi = *quotient;
    ++exponent;
  }
  return exponent;
}

/// Builds a solution t of t^dagger t = xi from the primes of the norm of xi.
class Solution {
 public:
  explicit Solution(const RootTwoInteger& xi) : xi_(xi), rest_(xi) {}

  /// Multiplies t by the primes of Z[w] above p. Returns whether there are such.
  bool take(const Integer& p) {
    if (p == 2) {
      multiply(one_plus_omega(), divide_out(rest_, {0, 1}));
      return true;
    }
    const Integer residue = p % 8;
    if (residue == 3 || residue == 5) {
      const unsigned exponent = divide_out(rest_, {p, 0});
      multiply(gcd(cyclotomic({p, 0}), root_above(p)), exponent);
      return true;
    }
    const RootTwoInteger prime = gcd(RootTwoInteger{p, 0}, {root_of_two(p), 1});
    return take_prime(prime, p) && take_prime(conjugate(prime), p);
  }

  /// Returns t, after all primes of the norm have been taken.
  [[nodiscard]] CyclotomicInteger finish() {
    // The quotient xi / (t^dagger t) is a totally positive unit, (1 + sqrt(2))^(2 j).
    const std::optional<RootTwoInteger> unit = divided(xi_, absolute_square(t_));
    ensure(unit && norm(*unit) == 1, "the norm equation has no unit for its primes");
    RootTwoInteger left = *unit;
    const bool is_small = left.b < 0;  // j < 0
    const RootTwoInteger factor{is_small ? -1 : 1, 1};
    const RootTwoInteger step = is_small ? RootTwoInteger{3, 2} : RootTwoInteger{3, -2};
    while (!(left == RootTwoInteger{1, 0})) {
      t_ = t_ * cyclotomic(factor);
      left = left * step;
    }
    ensure(absolute_square(t_) == xi_, "the solution of the norm equation is wrong");
    return t_;
  }

 private:
  void multiply(const CyclotomicInteger& prime, unsigned exponent) {
    t_ = t_ * power(prime, exponent);
  }

  /// Returns h + i, or h + i sqrt(2), whose norm the prime divides.
  static CyclotomicInteger root_above(const Integer& p) {
    if (p % 8 == 3) return {{power_modulo(p - 2, (p + 1) / 4, p), 1, 0, 1}};
    return {{root_of_minus_one(p), 0, 1, 0}};
  }

  /// Multiplies t by a prime of Z[w] above a prime of Z[sqrt(2)] of norm p or -p.
  bool take_prime(const RootTwoInteger& prime, const Integer& p) {
    const unsigned exponent = divide_out(rest_, prime);
    if (exponent == 0) return true;
    if (p % 8 == 1) {
      multiply(gcd(cyclotomic(prime), root_above(p)), exponent);
      return true;
    }
    if (exponent % 2 != 0) return false;  // the prime stays one in Z[w]
    multiply(cyclotomic(prime), exponent / 2);
    return true;
  }

  RootTwoInteger xi_;
  RootTwoInteger rest_;
  CyclotomicInteger t_{{1, 0, 0, 0}};
};

/// Returns whether the norm of xi can be that of t^dagger t: primes of Z[w] other than the one
/// above 2 have norms that are 1 modulo 8.
bool can_be_norm(Integer norm_of_xi) {
  norm_of_xi >>= lsb(norm_of_xi);
  return norm_of_xi % 8 == 1;
}

}  // namespace

std::optional<CyclotomicInteger> solve_norm_equation(const RootTwoInteger& xi) {
  if (xi.is_zero()) return CyclotomicInteger{};
  const Integer norm_of_xi = norm(xi);
  if (!can_be_norm(norm_of_xi)) return std::nullopt;
  const std::optional<std::vector<PrimePower>> factors = prime_factors(norm_of_xi);
  if (!factors) return std::nullopt;
  for (const PrimePower& factor : *factors) {
    if (factor.prime % 8 == 7 && factor.exponent % 2 != 0) return std::nullopt;
  }
  Solution solution(xi);
  for (const PrimePower& factor : *factors) {
    if (!solution.take(factor.prime)) return std::nullopt;
  }
  return solution.finish();
}

}  // namespace quartz::approximation
