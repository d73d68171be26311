#include "approximation/rings/prime_factors.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

namespace quartz::approximation {
namespace {

__extension__ typedef unsigned __int128 Wide;

/// Arithmetic modulo a number that fits 64 bits.
class ShortModulus {
 public:
  using Number = std::uint64_t;
  explicit ShortModulus(Number modulus) : modulus_(modulus) {}
  [[nodiscard]] Number modulus() const { return modulus_; }
  [[nodiscard]] Number times(Number a, Number b) const {
    return static_cast<Number>(Wide{a} * b % modulus_);
  }
  [[nodiscard]] Number plus(Number a, Number b) const {
    return static_cast<Number>((Wide{a} + b) % modulus_);
  }
  [[nodiscard]] static bool is_odd(Number a) { return a % 2 != 0; }
  [[nodiscard]] static Number gcd(Number a, Number b) { return std::gcd(a, b); }

 private:
  Number modulus_;
};

/// Arithmetic modulo a number of any size.
class LongModulus {
 public:
  using Number = Integer;
  explicit LongModulus(Number modulus) : modulus_(std::move(modulus)) {}
  [[nodiscard]] const Number& modulus() const { return modulus_; }
  [[nodiscard]] Number times(const Number& a, const Number& b) const { return a * b % modulus_; }
  [[nodiscard]] Number plus(const Number& a, const Number& b) const { return (a + b) % modulus_; }
  [[nodiscard]] static bool is_odd(const Number& a) { return !is_even(a); }
  [[nodiscard]] static Number gcd(const Number& a, const Number& b) {
    return boost::multiprecision::gcd(a, b);
  }

 private:
  Number modulus_;
};

template <typename Modulus>
typename Modulus::Number power(const Modulus& modulus, typename Modulus::Number base,
                               typename Modulus::Number exponent) {
  typename Modulus::Number result = 1;
  while (exponent != 0) {
    if (Modulus::is_odd(exponent)) result = modulus.times(result, base);
    base = modulus.times(base, base);
    exponent >>= 1;
  }
  return result;
}

/// These bases make the Miller-Rabin test a proof below 3.3e24 (Sorenson, Webster, 2015).
constexpr std::array<unsigned, 13> kBases{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41};

/// Returns whether the Miller-Rabin test finds no fault in the odd modulus, which is above 41.
template <typename Modulus>
bool is_prime(const Modulus& modulus) {
  using Number = typename Modulus::Number;
  const Number minus_one = modulus.modulus() - 1;
  Number odd = minus_one;
  unsigned twos = 0;
  for (; !Modulus::is_odd(odd); odd >>= 1) ++twos;
  return std::all_of(kBases.begin(), kBases.end(), [&](unsigned base) {
    Number x = power(modulus, Number(base), odd);
    if (x == 1 || x == minus_one) return true;
    for (unsigned round = 1; round < twos; ++round) {
      x = modulus.times(x, x);
      if (x == minus_one) return true;
    }
    return false;
  });
}

/// Steps of Pollard's rho between two greatest common divisors.
constexpr unsigned kStepsOfBatch = 64;
/// Steps with one polynomial. A factor of 32 bits takes about 2^16 steps.
constexpr unsigned kShortSteps = 1U << 19U;
constexpr unsigned kLongSteps = 1U << 13U;
constexpr unsigned kPolynomials = 8;

/// Returns a proper factor found by Pollard's rho with x^2 + constant, in Brent's form; 0 if there
/// is none among this many steps.
template <typename Modulus>
typename Modulus::Number factor_by_rho(const Modulus& modulus, unsigned constant, unsigned steps) {
  using Number = typename Modulus::Number;
  const auto next = [&](const Number& x) {
    return modulus.plus(modulus.times(x, x), Number(constant));
  };
  const auto difference = [](const Number& a, const Number& b) {
    return a > b ? Number(a - b) : Number(b - a);
  };
  Number x = 2;
  for (unsigned length = 1; length <= steps; length *= 2) {
    const Number anchor = x;
    for (unsigned done = 0; done < length; done += kStepsOfBatch) {
      const Number first = x;
      const unsigned batch = std::min(kStepsOfBatch, length - done);
      Number product = 1;
      for (unsigned j = 0; j < batch; ++j) {
        x = next(x);
        product = modulus.times(product, difference(x, anchor));
      }
      Number divisor = Modulus::gcd(product, modulus.modulus());
      if (divisor == 1) continue;
      for (x = next(first); divisor == modulus.modulus() || divisor == 0; x = next(x)) {
        divisor = Modulus::gcd(difference(x, anchor), modulus.modulus());
        if (divisor != 1) return divisor == modulus.modulus() ? Number(0) : divisor;
        divisor = modulus.modulus();
      }
      return divisor;
    }
  }
  return 0;
}

/// Adds the prime factors of n, which has no factor below kTrialBound. Returns whether it could.
bool add_factors(const Integer& n, std::vector<Integer>& primes);

template <typename Modulus>
bool add_factors_modulo(const Modulus& modulus, unsigned steps, std::vector<Integer>& primes) {
  if (is_prime(modulus)) {
    primes.emplace_back(modulus.modulus());
    return true;
  }
  for (unsigned constant = 1; constant <= kPolynomials; ++constant) {
    const auto factor = factor_by_rho(modulus, constant, steps);
    if (factor == 0) continue;
    return add_factors(Integer(factor), primes) &&
           add_factors(Integer(modulus.modulus() / factor), primes);
  }
  return false;
}

bool add_factors(const Integer& n, std::vector<Integer>& primes) {
  if (n == 1) return true;
  if (msb(n) < 64) {
    return add_factors_modulo(ShortModulus(static_cast<std::uint64_t>(n)), kShortSteps, primes);
  }
  const Integer root = sqrt(n);  // Pollard's rho is slow with squares
  if (root * root == n) return add_factors(root, primes) && add_factors(root, primes);
  return add_factors_modulo(LongModulus(n), kLongSteps, primes);
}

constexpr unsigned kTrialBound = 256;

template <typename Number>
Number without_small_factors(Number n, std::vector<Integer>& primes) {
  for (unsigned divisor = 2; divisor < kTrialBound && n != 1; divisor += divisor == 2 ? 1 : 2) {
    while (n % divisor == 0) {
      n /= divisor;
      primes.emplace_back(divisor);
    }
  }
  return n;
}

}  // namespace

Integer power_modulo(const Integer& base, const Integer& exponent, const Integer& modulus) {
  if (msb(modulus) < 64) {
    return power(ShortModulus(static_cast<std::uint64_t>(modulus)),
                 static_cast<std::uint64_t>(base % modulus), static_cast<std::uint64_t>(exponent));
  }
  return power(LongModulus(modulus), Integer(base % modulus), exponent);
}

std::optional<std::vector<PrimePower>> prime_factors(const Integer& n) {
  std::vector<Integer> primes;
  const Integer rest = msb(n) < 64 ? without_small_factors(static_cast<std::uint64_t>(n), primes)
                                   : without_small_factors(n, primes);
  if (!add_factors(rest, primes)) return std::nullopt;
  std::sort(primes.begin(), primes.end());
  std::vector<PrimePower> result;
  for (const Integer& prime : primes) {
    if (result.empty() || result.back().prime != prime) result.push_back({prime, 0});
    ++result.back().exponent;
  }
  return result;
}

}  // namespace quartz::approximation
