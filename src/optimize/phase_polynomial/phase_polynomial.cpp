#include "optimize/phase_polynomial/phase_polynomial.hpp"

#include <bit>
#include <boost/container/static_vector.hpp>
#include <utility>

namespace quartz::optimizer {
namespace {

using ParityList = boost::container::static_vector<WireParity, (1U << kParityWires)>;

ParityList members(ParitySet set) {
  ParityList result;
  for (; set != 0; set &= set - 1) {
    result.push_back(static_cast<WireParity>(std::countr_zero(set)));
  }
  return result;
}

/// Returns the parities whose eighths have a bit of the mask.
ParitySet parities_with(const PhasePolynomial& polynomial, unsigned mask) {
  ParitySet set = 0;
  for (std::size_t y = 1; y < polynomial.eighths.size(); ++y) {
    if ((polynomial.eighths[y] & mask) != 0) set |= ParitySet{1} << y;
  }
  return set;
}

/// Adds `scale` times the identity: a sum over the given parities, or over the complements of those
/// whose bit in `complements` is set.
void add_identity(PhasePolynomial& polynomial, std::span<const WireParity> parities,
                  unsigned complements, int scale) {
  for (unsigned some = 1; some < 1U << parities.size(); ++some) {
    unsigned parity = 0;
    for (std::size_t i = 0; i < parities.size(); ++i) {
      if ((some >> i & 1U) != 0) parity ^= parities[i];
    }
    const bool complement = (std::popcount(some & complements) & 1) != 0;
    const bool negative = (std::popcount(some) & 1) == 0;
    polynomial.add_phase(static_cast<WireParity>(parity), complement, negative ? -scale : scale);
  }
}

/// Moves `count` different members, chosen at random, to the front.
void shuffle_front(ParityList& list, std::size_t count, FastRandom& random) {
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(list[i], list[i + random.below(static_cast<std::uint32_t>(list.size() - i))]);
  }
}

bool independent(std::span<const WireParity> parities) {
  for (unsigned some = 1; some < 1U << parities.size(); ++some) {
    unsigned parity = 0;
    for (std::size_t i = 0; i < parities.size(); ++i) {
      if ((some >> i & 1U) != 0) parity ^= parities[i];
    }
    if (parity == 0) return false;
  }
  return true;
}

/// Multiples of pi form a linear function, so they can be moved to any parities with the same sum,
/// preferably to parities that have other phases anyway.
void gather_half_turns(PhasePolynomial& polynomial, FastRandom& random) {
  unsigned sum = 0;
  for (std::size_t y = 1; y < polynomial.eighths.size(); ++y) {
    if ((polynomial.eighths[y] & 4U) != 0) sum ^= static_cast<unsigned>(y);
    polynomial.eighths[y] &= 3U;
  }
  ParityList others = members(polynomial.parities());
  shuffle_front(others, others.size(), random);
  // This is Gaussian elimination: a basis of their span, with the terms of which each element is
  // the sum.
  struct Element {
    unsigned parity = 0;
    ParitySet terms = 0;
  };
  std::array<Element, kParityWires> basis{};  // indexed by highest bit
  ParitySet terms = 0;
  const auto reduce = [&](unsigned& parity, ParitySet& chosen) {
    for (unsigned bit = kParityWires; bit-- > 0;) {
      if ((parity >> bit & 1U) == 0 || basis[bit].parity == 0) continue;
      parity ^= basis[bit].parity;
      chosen ^= basis[bit].terms;
    }
  };
  for (const WireParity other : others) {
    unsigned parity = other;
    ParitySet own = ParitySet{1} << other;
    reduce(parity, own);
    if (parity != 0) basis[static_cast<std::size_t>(std::bit_width(parity) - 1)] = {parity, own};
  }
  reduce(sum, terms);
  if (sum != 0) terms ^= ParitySet{1} << sum;
  for (const WireParity y : members(terms)) polynomial.eighths[y] ^= 4U;
}

}  // namespace

void PhasePolynomial::add_phase(WireParity parity, bool complement, int turns) {
  if (complement) phase = (phase + static_cast<unsigned>(2 * turns)) & 15U;
  const int change = complement ? -turns : turns;
  if (parity == 0) return;
  eighths[parity] = static_cast<std::uint8_t>((eighths[parity] + change) & 7);
}

void PhasePolynomial::add_rotation(WireParity parity, bool complement, int turns) {
  add_phase(parity, complement, turns);
  phase = (phase - static_cast<unsigned>(turns)) & 15U;
}

ParitySet PhasePolynomial::parities() const { return parities_with(*this, 7U); }

std::uint64_t weight_of(const PhasePolynomial& polynomial, const RotationWeights& weights) {
  std::uint64_t weight = 0;
  for (const std::uint8_t eighths : polynomial.eighths) weight += weights[eighths & 3U];
  return weight;
}

bool change_odd_parities(PhasePolynomial& polynomial, const RotationWeights& weights,
                         FastRandom& random) {
  constexpr std::size_t kCount = 4;
  ParityList odd = members(parities_with(polynomial, 1U));
  if (odd.size() < kCount) return false;
  shuffle_front(odd, kCount, random);
  const std::span<const WireParity> chosen(odd.data(), kCount);
  if (!independent(chosen)) return false;
  // One additional rotation is no gain, but further changes from there may be.
  std::uint64_t least = weight_of(polynomial, weights) + weights[1];
  PhasePolynomial best;
  unsigned equals = 0;
  for (unsigned signs = 0; signs < 2U << kCount; ++signs) {
    PhasePolynomial changed = polynomial;
    add_identity(changed, chosen, signs >> 1U, (signs & 1U) != 0 ? 1 : -1);
    const std::uint64_t weight = weight_of(changed, weights);
    if (weight > least) continue;
    if (weight < least) equals = 0;
    least = weight;
    if (random.below(++equals) == 0) best = changed;
  }
  if (equals == 0) return false;
  polynomial = best;
  return true;
}

void change_even_parities(PhasePolynomial& polynomial, const RotationWeights& weights,
                          FastRandom& random) {
  constexpr int kRounds = 8;
  constexpr std::size_t kCount = 3;
  ParityList some = members(polynomial.parities());
  for (int round = 0; round < kRounds && some.size() >= kCount; ++round) {
    shuffle_front(some, kCount, random);
    const std::span<const WireParity> chosen(some.data(), kCount);
    if (!independent(chosen)) continue;
    PhasePolynomial changed = polynomial;
    add_identity(changed, chosen, 0, 2);
    if (weight_of(changed, weights) > weight_of(polynomial, weights)) continue;
    polynomial = changed;
    some = members(polynomial.parities());
  }
  gather_half_turns(polynomial, random);
}

}  // namespace quartz::optimizer
