#include "algebra/laurent.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "quartz/base/errors.hpp"

namespace quartz::algebra {
namespace {

using Terms = boost::container::small_vector<LaurentTerm, 4>;

/// Returns the first term of the last run of terms with equal exponents.
Terms::const_iterator leading_group(const Terms& terms) {
  auto first = terms.end();
  while (first != terms.begin() &&
         std::prev(first)->monomial.exponents == terms.back().monomial.exponents) {
    --first;
  }
  return first;
}

std::vector<RootTerm> coefficient_of_group(Terms::const_iterator first,
                                           Terms::const_iterator last) {
  std::vector<RootTerm> sum;
  for (; first != last; ++first) sum.push_back({first->monomial.root, first->coefficient});
  return sum;
}

/// Cancels two powers of sqrt(2) while all coefficients are even, which keeps coefficients small.
void cancel_twos(Laurent& polynomial) {
  while (polynomial.sqrt2_power >= 2) {
    for (const LaurentTerm& term : polynomial.terms) {
      if (term.coefficient % 2 != 0) return;
    }
    for (LaurentTerm& term : polynomial.terms) term.coefficient /= 2;
    polynomial.sqrt2_power -= 2;
    if (polynomial.terms.empty()) return;
  }
}

}  // namespace

ExponentPacking::ExponentPacking(std::span<const std::int64_t> bounds) {
  unsigned offset = 0;
  for (const std::int64_t bound : bounds) {
    // A width w holds -2^{w-1} < e < 2^{w-1}.
    const auto width = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(bound))) + 1;
    offsets_.push_back(offset);
    widths_.push_back(width);
    offset += width;
  }
  if (offset > 127) throw OverflowError("the exponents of the symbols need more than 127 bits");
}

std::vector<std::int64_t> ExponentPacking::unpack(PackedExponents packed) const {
  std::vector<std::int64_t> exponents;
  for (const unsigned width : widths_) {
    const PackedExponents modulus = PackedExponents{1} << width;
    PackedExponents digit = packed & (modulus - 1);
    if (digit >= modulus / 2) digit -= modulus;
    exponents.push_back(static_cast<std::int64_t>(digit));
    packed = (packed - digit) / modulus;
  }
  return exponents;
}

Laurent LaurentRing::one() const {
  Laurent result;
  result.terms.push_back({Monomial{}, 1});
  return result;
}

void LaurentRing::make_canonical(Laurent& polynomial) const {
  Terms& terms = polynomial.terms;
  for (LaurentTerm& term : terms) {
    if (coefficients_.is_canonical(term.monomial.root)) continue;
    term.monomial.root = coefficients_.opposite(term.monomial.root);
    term.coefficient = checked_product(term.coefficient, -1);
  }
  // Insertion sort, because the terms are few and nearly sorted.
  for (std::size_t i = 1; i < terms.size(); ++i) {
    for (std::size_t j = i; j > 0 && terms[j].monomial < terms[j - 1].monomial; --j) {
      std::swap(terms[j], terms[j - 1]);
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms.size();) {
    LaurentTerm merged = terms[i];
    for (++i; i < terms.size() && terms[i].monomial == merged.monomial; ++i) {
      merged.coefficient = checked_sum(merged.coefficient, terms[i].coefficient);
    }
    if (merged.coefficient != 0) terms[kept++] = merged;
  }
  terms.resize(kept);
}

void LaurentRing::scale(Laurent& polynomial, std::int64_t coefficient, int sqrt2_power,
                        const Monomial& monomial) const {
  polynomial.sqrt2_power += sqrt2_power;
  for (LaurentTerm& term : polynomial.terms) {
    term.monomial = product(term.monomial, monomial);
    if (coefficient != 1) term.coefficient = checked_product(term.coefficient, coefficient);
  }
  // Exponents keep their order; roots may wrap around.
  if (monomial.root != 0) make_canonical(polynomial);
}

void LaurentRing::multiply_by_sqrt2(Laurent& polynomial) const {
  // sqrt(2) = e^{i pi/4} + e^{-i pi/4}.
  const std::uint32_t eighth = coefficients_.order() / 8;
  const std::size_t size = polynomial.terms.size();
  for (std::size_t i = 0; i < size; ++i) {
    LaurentTerm other = polynomial.terms[i];
    other.monomial.root = coefficients_.subtract(other.monomial.root, eighth);
    polynomial.terms[i].monomial.root =
        coefficients_.add(polynomial.terms[i].monomial.root, eighth);
    polynomial.terms.push_back(other);
  }
  make_canonical(polynomial);
}

void LaurentRing::raise_sqrt2_power(Laurent& polynomial, int sqrt2_power) const {
  if ((sqrt2_power - polynomial.sqrt2_power) % 2 != 0) {
    multiply_by_sqrt2(polynomial);
    ++polynomial.sqrt2_power;
  }
  for (; polynomial.sqrt2_power < sqrt2_power; polynomial.sqrt2_power += 2) {
    for (LaurentTerm& term : polynomial.terms) {
      term.coefficient = checked_product(term.coefficient, 2);
    }
  }
}

void LaurentRing::add(Laurent& sum, Laurent& addend) const {
  if (sum.terms.empty()) {
    std::swap(sum, addend);
    return;
  }
  if (sum.sqrt2_power < addend.sqrt2_power) std::swap(sum, addend);
  if (sum.sqrt2_power != addend.sqrt2_power) raise_sqrt2_power(addend, sum.sqrt2_power);

  Terms merged;
  merged.reserve(sum.terms.size() + addend.terms.size());
  auto left = sum.terms.begin();
  auto right = addend.terms.begin();
  while (left != sum.terms.end() && right != addend.terms.end()) {
    if (left->monomial < right->monomial) {
      merged.push_back(*left++);
    } else if (right->monomial < left->monomial) {
      merged.push_back(*right++);
    } else {
      const std::int64_t total = checked_sum(left->coefficient, right->coefficient);
      if (total != 0) merged.push_back({left->monomial, total});
      ++left;
      ++right;
    }
  }
  merged.insert(merged.end(), left, sum.terms.end());
  merged.insert(merged.end(), right, addend.terms.end());
  sum.terms = std::move(merged);
  cancel_twos(sum);
}

bool LaurentRing::is_zero(const Laurent& polynomial) const {
  if (polynomial.terms.empty()) return true;
  if (coefficients_.has_canonical_basis()) return false;
  Laurent rest = polynomial;
  drop_vanishing_groups(rest);
  return rest.terms.empty();
}

/// Removes groups of terms that add to zero: without a canonical basis, a coefficient may be zero
/// in a form that does not show it.
void LaurentRing::drop_vanishing_groups(Laurent& polynomial) const {
  Terms kept;
  for (auto first = polynomial.terms.cbegin(); first != polynomial.terms.cend();) {
    auto last = first;
    while (last != polynomial.terms.cend() &&
           last->monomial.exponents == first->monomial.exponents) {
      ++last;
    }
    if (!coefficients_.is_zero(coefficient_of_group(first, last))) {
      kept.insert(kept.end(), first, last);
    }
    first = last;
  }
  polynomial.terms = std::move(kept);
}

bool LaurentRing::equal(const Laurent& a, const Laurent& b) const {
  if (a.sqrt2_power == b.sqrt2_power && a.terms == b.terms) return true;
  if (a.sqrt2_power == b.sqrt2_power && coefficients_.has_canonical_basis()) return false;
  Laurent difference = a;
  Laurent negative = b;
  scale(negative, -1, 0, Monomial{});
  add(difference, negative);
  return is_zero(difference);
}

std::optional<Monomial> LaurentRing::ratio(const Laurent& a, const Laurent& b) const {
  Laurent numerator = a;
  Laurent denominator = b;
  const int sqrt2_power = std::max(a.sqrt2_power, b.sqrt2_power);
  raise_sqrt2_power(numerator, sqrt2_power);
  raise_sqrt2_power(denominator, sqrt2_power);
  if (!coefficients_.has_canonical_basis()) {
    drop_vanishing_groups(numerator);
    drop_vanishing_groups(denominator);
  }
  if (numerator.terms.empty() || denominator.terms.empty()) return std::nullopt;

  const PackedExponents exponents =
      numerator.terms.back().monomial.exponents - denominator.terms.back().monomial.exponents;
  const auto accepts = [&](std::uint32_t root) {
    Laurent candidate = denominator;
    scale(candidate, 1, 0, {exponents, root});
    return equal(candidate, numerator);
  };
  const auto top = leading_group(numerator.terms);
  const auto bottom = leading_group(denominator.terms);
  // A root of unity maps each term of a canonical form to a term, up to sign.
  for (auto term = top; term != numerator.terms.end(); ++term) {
    if (std::abs(term->coefficient) != std::abs(bottom->coefficient)) continue;
    std::uint32_t root = coefficients_.subtract(term->monomial.root, bottom->monomial.root);
    if (term->coefficient != bottom->coefficient) root = coefficients_.opposite(root);
    if (accepts(root)) return Monomial{exponents, root};
  }
  if (coefficients_.has_canonical_basis()) return std::nullopt;
  // Without a canonical basis, a numeric approximation suggests the root and the exact test
  // decides.
  const std::complex<double> quotient =
      coefficients_.value(coefficient_of_group(top, numerator.terms.end())) /
      coefficients_.value(coefficient_of_group(bottom, denominator.terms.end()));
  const double turns = std::arg(quotient) / (2 * std::numbers::pi);
  const auto order = static_cast<std::int64_t>(coefficients_.order());
  std::int64_t nearest = std::llround(turns * static_cast<double>(order)) % order;
  if (nearest < 0) nearest += order;
  const auto root = static_cast<std::uint32_t>(nearest);
  if (accepts(root)) return Monomial{exponents, root};
  return std::nullopt;
}

}  // namespace quartz::algebra
