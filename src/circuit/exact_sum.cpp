#include "circuit/exact_sum.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

#include "algebra/cyclotomic.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::circuit {
namespace {

/// Limit for the terms of a sum, far above those of realistic gates.
constexpr std::size_t kMaxTerms = 4096;

const Rational kEighthTurn(1, 4);

bool all_even(const std::map<Angle, std::int64_t>& terms) {
  return std::all_of(terms.begin(), terms.end(),
                     [](const auto& term) { return term.second % 2 == 0; });
}

}  // namespace

ExactSum::ExactSum(std::span<const PhaseTerm> terms) {
  for (const PhaseTerm& term : terms) {
    ExactSum one;
    one.sqrt2_power_ = term.sqrt2_power;
    one.add(term.exponent, term.coefficient);
    one.reduce();
    *this += one;
  }
}

ExactSum ExactSum::integer(std::int64_t value) {
  ExactSum result;
  result.add(Angle(), value);
  return result;
}

ExactSum ExactSum::phase(const Angle& angle) {
  ExactSum result;
  result.add(angle, 1);
  return result;
}

/// Uses e^{i (angle + pi)} = -e^{i angle}.
void ExactSum::add(const Angle& angle, std::int64_t coefficient) {
  const Angle half_turn = angle.reduced_modulo(Rational(1));
  const bool odd = ((angle - half_turn).pi_part().numerator() & 1) != 0;
  std::int64_t& place = terms_[half_turn];
  place =
      algebra::checked_sum(place, odd ? algebra::checked_product(coefficient, -1) : coefficient);
  if (place == 0) terms_.erase(half_turn);
  if (terms_.size() > kMaxTerms) throw OverflowError("an exact sum has too many terms");
}

/// Uses sqrt(2) = e^{i pi/4} + e^{-i pi/4}.
void ExactSum::multiply_by_sqrt2() {
  const std::map<Angle, std::int64_t> before = std::exchange(terms_, {});
  for (const auto& [angle, coefficient] : before) {
    add(angle + Angle::pi_times(kEighthTurn), coefficient);
    add(angle - Angle::pi_times(kEighthTurn), coefficient);
  }
}

/// Reduces to lowest terms: x / sqrt(2)^k = (x sqrt(2) / 2) / sqrt(2)^(k-1).
void ExactSum::reduce() {
  while (sqrt2_power_ > 0) {
    if (terms_.empty()) {
      sqrt2_power_ = 0;
      return;
    }
    const std::map<Angle, std::int64_t> before = terms_;
    multiply_by_sqrt2();
    if (!all_even(terms_)) {
      terms_ = before;
      return;
    }
    for (auto& [angle, coefficient] : terms_) coefficient /= 2;
    --sqrt2_power_;
  }
}

ExactSum ExactSum::operator-() const {
  ExactSum result = *this;
  for (auto& [angle, coefficient] : result.terms_)
    coefficient = algebra::checked_product(coefficient, -1);
  return result;
}

ExactSum& ExactSum::operator+=(const ExactSum& other) {
  ExactSum addend = other;
  if (sqrt2_power_ < addend.sqrt2_power_) std::swap(*this, addend);
  for (; addend.sqrt2_power_ < sqrt2_power_; ++addend.sqrt2_power_) addend.multiply_by_sqrt2();
  for (const auto& [angle, coefficient] : addend.terms_) add(angle, coefficient);
  reduce();
  return *this;
}

ExactSum operator*(const ExactSum& a, const ExactSum& b) {
  ExactSum result;
  result.sqrt2_power_ = a.sqrt2_power_ + b.sqrt2_power_;
  for (const auto& [angle, coefficient] : a.terms_) {
    for (const auto& [other, factor] : b.terms_) {
      result.add(angle + other, algebra::checked_product(coefficient, factor));
    }
  }
  result.reduce();
  return result;
}

bool ExactSum::is_zero() const {
  // A sum vanishes for all values of the symbols exactly if the coefficient of each monomial in
  // them vanishes, and such a coefficient is a sum of roots of unity.
  struct Group {
    std::vector<std::pair<Rational, std::int64_t>> roots;
    std::int64_t denominator = 4;
  };
  std::map<Angle, Group> groups;
  for (const auto& [angle, coefficient] : terms_) {
    Group& group = groups[angle - Angle::pi_times(angle.pi_part())];
    group.roots.emplace_back(angle.pi_part(), coefficient);
    group.denominator = algebra::checked_product(
        group.denominator / std::gcd(group.denominator, angle.pi_part().denominator()),
        angle.pi_part().denominator());
  }
  return std::all_of(groups.begin(), groups.end(), [](const auto& entry) {
    const Group& group = entry.second;
    const algebra::CyclotomicRing ring(
        static_cast<std::uint64_t>(algebra::checked_product(2, group.denominator)));
    if (ring.has_canonical_basis()) return false;  // the remaining terms are not zero
    std::vector<algebra::RootTerm> sum;
    for (const auto& [multiple, coefficient] : group.roots) {
      sum.push_back({ring.exponent_of(multiple), coefficient});
    }
    return ring.is_zero(sum);
  });
}

ExactSum ExactSum::conjugate() const {
  ExactSum result;
  result.sqrt2_power_ = sqrt2_power_;
  for (const auto& [angle, coefficient] : terms_) result.add(-angle, coefficient);
  return result;
}

std::optional<ExactSum> ExactSum::inverse() const {
  ExactSum root = *this;
  if (root.terms_.size() == 2) {  // possibly an odd power of sqrt(2)
    root.multiply_by_sqrt2();
    ++root.sqrt2_power_;
  }
  if (root.terms_.size() != 1) return std::nullopt;
  const auto& [angle, coefficient] = *root.terms_.begin();
  int power = -root.sqrt2_power_;  // the magnitude is sqrt(2)^power
  std::int64_t size = std::llabs(coefficient);
  for (; size % 2 == 0; size /= 2) power += 2;
  if (size != 1) return std::nullopt;
  ExactSum result;
  result.add(-angle, coefficient < 0 ? -1 : 1);
  for (; power < 0; ++power) result.multiply_by_sqrt2();
  result.sqrt2_power_ = power;
  result.reduce();
  return result;
}

ExactSum ExactSum::substitute(const std::map<std::string, Angle>& replacements) const {
  ExactSum result;
  result.sqrt2_power_ = sqrt2_power_;
  for (const auto& [angle, coefficient] : terms_) {
    result.add(angle.substitute(replacements), coefficient);
  }
  result.reduce();
  return result;
}

std::vector<PhaseTerm> ExactSum::terms() const {
  std::vector<PhaseTerm> result;
  for (const auto& [angle, coefficient] : terms_) {
    if (std::llabs(coefficient) > std::numeric_limits<int>::max()) {
      throw OverflowError("an entry has a coefficient of more than 32 bits");
    }
    result.push_back({static_cast<int>(coefficient), sqrt2_power_, angle});
  }
  return result;
}

std::vector<Angle> ExactSum::turns_to(const ExactSum& other) const {
  std::vector<Angle> turns;
  if (terms_.empty() || other.sqrt2_power_ != sqrt2_power_) return turns;
  const auto& [first, size] = *terms_.begin();
  for (const auto& [angle, coefficient] : other.terms_) {
    if (std::llabs(coefficient) != std::llabs(size)) continue;
    const Angle half_turn = Angle::pi_times(coefficient == size ? 0 : 1);
    turns.push_back((angle - first + half_turn).reduced_symmetric(Rational(2)));
  }
  return turns;
}

}  // namespace quartz::circuit
