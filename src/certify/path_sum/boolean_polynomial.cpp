#include "certify/path_sum/boolean_polynomial.hpp"

#include <algorithm>
#include <iterator>

#include "certify/problem/comparison.hpp"

namespace quartz::certify {
namespace {

constexpr std::size_t kMaxProduct = 4'000'000;

}  // namespace

Monomial product(const Monomial& a, const Monomial& b) {
  Monomial result;
  result.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

bool contains(const Monomial& monomial, Variable variable) {
  return std::binary_search(monomial.begin(), monomial.end(), variable);
}

Monomial without(const Monomial& monomial, Variable variable) {
  Monomial result;
  std::copy_if(monomial.begin(), monomial.end(), std::back_inserter(result),
               [variable](Variable other) { return other != variable; });
  return result;
}

std::size_t MonomialHash::operator()(const Monomial& monomial) const noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (const Variable variable : monomial) {
    hash = (hash ^ variable) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  return hash;
}

BooleanPolynomial BooleanPolynomial::one() {
  BooleanPolynomial result;
  result.monomials_.emplace_back();
  return result;
}

BooleanPolynomial BooleanPolynomial::variable(Variable variable) {
  BooleanPolynomial result;
  result.monomials_.push_back({variable});
  return result;
}

bool BooleanPolynomial::is_one() const noexcept {
  return monomials_.size() == 1 && monomials_[0].empty();
}

std::size_t BooleanPolynomial::degree() const noexcept {
  std::size_t degree = 0;
  for (const Monomial& monomial : monomials_) degree = std::max(degree, monomial.size());
  return degree;
}

std::set<Variable> BooleanPolynomial::variables() const {
  std::set<Variable> result;
  for (const Monomial& monomial : monomials_) result.insert(monomial.begin(), monomial.end());
  return result;
}

bool BooleanPolynomial::contains(Variable variable) const {
  return std::any_of(monomials_.begin(), monomials_.end(), [variable](const Monomial& monomial) {
    return certify::contains(monomial, variable);
  });
}

void BooleanPolynomial::toggle(const Monomial& monomial) {
  const auto place = std::lower_bound(monomials_.begin(), monomials_.end(), monomial);
  if (place != monomials_.end() && *place == monomial) {
    monomials_.erase(place);
  } else {
    monomials_.insert(place, monomial);
  }
}

BooleanPolynomial& BooleanPolynomial::operator^=(const BooleanPolynomial& other) {
  std::vector<Monomial> result;
  result.reserve(monomials_.size() + other.monomials_.size());
  std::set_symmetric_difference(monomials_.begin(), monomials_.end(), other.monomials_.begin(),
                                other.monomials_.end(), std::back_inserter(result));
  monomials_ = std::move(result);
  return *this;
}

BooleanPolynomial operator*(const BooleanPolynomial& a, const BooleanPolynomial& b) {
  if (a.monomials_.size() * b.monomials_.size() > kMaxProduct) throw OutOfBudget();
  BooleanPolynomial result;
  result.monomials_.reserve(a.monomials_.size() * b.monomials_.size());
  for (const Monomial& left : a.monomials_) {
    for (const Monomial& right : b.monomials_) result.monomials_.push_back(product(left, right));
  }
  result.normalize();
  return result;
}

std::strong_ordering operator<=>(const BooleanPolynomial& a, const BooleanPolynomial& b) {
  if (a.monomials_ == b.monomials_) return std::strong_ordering::equal;
  return a.monomials_ < b.monomials_ ? std::strong_ordering::less : std::strong_ordering::greater;
}

BooleanPolynomial BooleanPolynomial::substitute(Variable variable,
                                                const BooleanPolynomial& value) const {
  BooleanPolynomial kept;
  BooleanPolynomial factor;
  for (const Monomial& monomial : monomials_) {
    if (certify::contains(monomial, variable)) {
      factor.monomials_.push_back(without(monomial, variable));
    } else {
      kept.monomials_.push_back(monomial);
    }
  }
  factor.normalize();
  return kept ^= factor * value;
}

void BooleanPolynomial::normalize() {
  std::sort(monomials_.begin(), monomials_.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < monomials_.size();) {
    std::size_t end = i + 1;
    while (end < monomials_.size() && monomials_[end] == monomials_[i]) ++end;
    if ((end - i) % 2 == 1) {
      if (kept != i) monomials_[kept] = std::move(monomials_[i]);
      ++kept;
    }
    i = end;
  }
  monomials_.resize(kept);
}

}  // namespace quartz::certify
