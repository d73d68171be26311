#include "certify/path_sum/phase_polynomial.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "certify/path_sum/constant_sum.hpp"

namespace quartz::certify {
namespace {

/// Constants this close to a multiple of pi / 2^12 are rounded to it.
constexpr double kSnapDistance = 1e-11;
constexpr std::int64_t kSnapDenominator = 1 << 12;
/// Largest number of variables in added terms; a sum that exceeds it has exploded and would not
/// end.
constexpr std::uint64_t kMaxWork = 20'000'000;
constexpr std::size_t kMaxTerms = 200'000;

/// The multiple of pi / 2^12 to which a constant is rounded, and the rounding error.
struct Snapped {
  Turns turns = 0;
  double distance = 0;
};

std::optional<Snapped> snap(const Angle& angle) {
  if (!angle.is_constant()) return std::nullopt;
  const double value = angle.value_modulo(2);
  const double units = value / std::numbers::pi * static_cast<double>(kSnapDenominator);
  const double nearest = std::round(units);
  const double distance =
      std::abs(units - nearest) * std::numbers::pi / static_cast<double>(kSnapDenominator);
  if (!(distance <= kSnapDistance)) return std::nullopt;
  const auto multiple = Rational(static_cast<std::int64_t>(nearest), kSnapDenominator);
  return Snapped{*exact_turns(Angle::pi_times(multiple)), distance + angle.value_modulo_error()};
}

}  // namespace

double radians_of(Turns turns) {
  return static_cast<double>(static_cast<std::int64_t>(turns)) * 0x1p-63 * std::numbers::pi;
}

std::optional<Angle> angle_of(Turns turns) {
  if (turns == 0) return Angle();
  const int zeros = std::countr_zero(turns);
  if (zeros == 0) return std::nullopt;
  const auto numerator = static_cast<std::int64_t>(turns) >> zeros;
  return Angle::pi_times(Rational(numerator, std::int64_t{1} << (63 - zeros)));
}

std::optional<Turns> exact_turns(const Angle& angle) {
  if (!angle.is_pi_multiple()) return std::nullopt;
  const auto denominator = static_cast<std::uint64_t>(angle.pi_part().denominator());
  if (!std::has_single_bit(denominator)) return std::nullopt;
  const auto numerator = static_cast<std::uint64_t>(angle.pi_part().numerator());
  return numerator << (63 - std::countr_zero(denominator));
}

void PhasePolynomial::add(const Monomial& monomial, Turns coefficient) {
  count_work(1 + monomial.size());
  if (coefficient == 0) return;
  const auto [term, is_new] = dyadic_.try_emplace(monomial, 0);
  if (is_new) {
    if (!monomial.empty() && monomial.back() >= uses_.size()) uses_.resize(monomial.back() + 1);
    for (const Variable variable : monomial) {
      uses_[variable].monomials.push_back(monomial);
      ++uses_[variable].count;
    }
  }
  changed_.insert(changed_.end(), monomial.begin(), monomial.end());
  term->second += coefficient;
  if (term->second == 0) erase(term);
}

void PhasePolynomial::erase(DyadicTerms::iterator term) {
  for (const Variable variable : term->first) --uses_[variable].count;
  dyadic_.erase(term);
}

void PhasePolynomial::remove_constant_sum() {
  if (others_.empty() || !is_constant_sum(others_)) return;
  // No function has a constant term, so that their sum is 0 if all bits are 0.
  while (!others_.empty()) erase(others_.begin());
}

// As integers, a XOR b = a + b - 2ab. So the XOR of many is the sum over all their non-empty
// subsets S of (-2)^(|S|-1) times the product of S, and products of many vanish modulo a turn.
void PhasePolynomial::add(const BooleanPolynomial& function, Turns coefficient) {
  const std::vector<Monomial>& monomials = function.monomials();
  if (monomials.empty()) return;
  if (monomials.front().empty()) {  // 1 XOR f = 1 - f
    add(Monomial(), coefficient);
    add_products(monomials, 1, {}, 0 - coefficient);
  } else {
    add_products(monomials, 0, {}, coefficient);
  }
}

void PhasePolynomial::add_products(const std::vector<Monomial>& monomials, std::size_t first,
                                   const Monomial& factor, Turns coefficient) {
  if (coefficient == 0) return;
  for (std::size_t i = first; i < monomials.size(); ++i) {
    const Monomial term = product(factor, monomials[i]);
    add(term, coefficient);
    add_products(monomials, i + 1, term, 0 - 2 * coefficient);
  }
}

void PhasePolynomial::add_constant(const Angle& angle) {
  if (const std::optional<Turns> turns = exact_turns(angle)) {
    add(Monomial(), *turns);
  } else {
    constant_.add_phase(angle);
  }
}

void PhasePolynomial::add(const BooleanPolynomial& function, const Angle& angle) {
  count_work(1 + function.monomials().size());
  if (const std::optional<Turns> turns = exact_turns(angle)) return add(function, *turns);
  if (function.is_zero()) return;
  if (function.monomials().front().empty()) {  // 1 XOR f = 1 - f
    add_constant(angle);
    return add(function ^ BooleanPolynomial::one(), -angle);
  }
  const auto [term, is_new] = others_.try_emplace(function);
  if (is_new) count_uses(function, true);
  const Angle sum = (term->second + angle).reduced_modulo(2);
  note_change(function);
  if (const std::optional<Turns> turns = exact_turns(sum)) {
    erase(term);
    add(function, *turns);
  } else if (const std::optional<Snapped> snapped = snap(sum)) {
    erase(term);
    rounding_ += snapped->distance;
    add(function, snapped->turns);
  } else {
    term->second = sum;
  }
}

void PhasePolynomial::note_change(const BooleanPolynomial& function) {
  for (const Monomial& monomial : function.monomials()) {
    changed_.insert(changed_.end(), monomial.begin(), monomial.end());
  }
}

void PhasePolynomial::count_work(std::uint64_t amount) {
  constexpr std::uint64_t kWorkBetweenChecks = 1 << 14;
  const std::uint64_t before = work_;
  work_ += amount;
  if (before / kWorkBetweenChecks == work_ / kWorkBetweenChecks) return;
  // Approximate size of a term in its two tables.
  constexpr double kTermBytes = 300;
  const std::size_t terms = dyadic_.size() + others_.size();
  if (budget_.spent() || work_ > kMaxWork || terms > kMaxTerms ||
      static_cast<double>(terms) * kTermBytes > budget_.memory_bytes) {
    throw OutOfBudget();
  }
}

Turns PhasePolynomial::constant_turns() const {
  const auto found = dyadic_.find(Monomial());
  return found == dyadic_.end() ? 0 : found->second;
}

const std::vector<Monomial>& PhasePolynomial::terms_with(Variable variable) {
  if (variable >= uses_.size()) uses_.resize(variable + 1);
  Uses& uses = uses_[variable];
  if (uses.monomials.size() != uses.count) {
    count_work(uses.monomials.size());
    std::sort(uses.monomials.begin(), uses.monomials.end());
    uses.monomials.erase(std::unique(uses.monomials.begin(), uses.monomials.end()),
                         uses.monomials.end());
    std::erase_if(uses.monomials, [this](const Monomial& m) { return !dyadic_.contains(m); });
  }
  return uses.monomials;
}

std::vector<std::pair<Monomial, Turns>> PhasePolynomial::factors_of(Variable variable) {
  std::vector<std::pair<Monomial, Turns>> factors;
  for (const Monomial& monomial : terms_with(variable)) {
    factors.emplace_back(without(monomial, variable), dyadic_.at(monomial));
  }
  return factors;
}

PhasePolynomial::OtherTerms::iterator PhasePolynomial::erase(OtherTerms::iterator term) {
  count_uses(term->first, false);
  return others_.erase(term);
}

void PhasePolynomial::count_uses(const BooleanPolynomial& function, bool are_new) {
  for (const Monomial& monomial : function.monomials()) {
    if (!monomial.empty() && monomial.back() >= uses_.size()) uses_.resize(monomial.back() + 1);
    for (const Variable variable : monomial) {
      std::size_t& count = uses_[variable].others;
      count = are_new ? count + 1 : count - 1;
    }
  }
}

std::size_t PhasePolynomial::occurrences(Variable variable) const {
  return variable < uses_.size() ? uses_[variable].count : 0;
}

void PhasePolynomial::substitute(Variable variable, const BooleanPolynomial& value) {
  // The value may contain the variable itself, so all terms are removed before any is added.
  const std::vector<std::pair<Monomial, Turns>> factors = factors_of(variable);
  const std::vector<Monomial> monomials = terms_with(variable);
  for (const Monomial& monomial : monomials) {
    erase(dyadic_.find(monomial));
    changed_.insert(changed_.end(), monomial.begin(), monomial.end());
  }
  for (const auto& [factor, coefficient] : factors) {
    BooleanPolynomial function;
    function.toggle(factor);
    add(function * value, coefficient);
  }
  if (!others_contain(variable)) return;
  std::vector<std::pair<BooleanPolynomial, Angle>> moved;
  for (auto term = others_.begin(); term != others_.end();) {
    if (term->first.contains(variable)) {
      note_change(term->first);
      moved.emplace_back(term->first.substitute(variable, value), std::move(term->second));
      term = erase(term);
    } else {
      ++term;
    }
  }
  for (const auto& [function, angle] : moved) add(function, angle);
}

std::vector<Variable> PhasePolynomial::take_changed() { return std::exchange(changed_, {}); }

}  // namespace quartz::certify
