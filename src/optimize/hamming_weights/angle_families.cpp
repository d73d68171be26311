#include "optimize/hamming_weights/angle_families.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// The most doublings by which two angles of a family differ.
constexpr std::size_t kMostDoublings = 30;

/// Returns whether an angle counts as negative: its part in multiples of pi, or else in radians, or
/// else its first term.
bool is_negative_angle(const Angle& angle) {
  if (angle.pi_part() != Rational()) return angle.pi_part() < Rational();
  if (angle.radian_part() != Rational()) return angle.radian_part() < Rational();
  return !angle.terms().empty() && angle.terms()[0].coefficient < Rational();
}

/// Returns the same angle for all angles that are equal up to a sign and multiples of pi/4.
Angle canonical(const Angle& angle) {
  Angle reduced = angle.reduced_symmetric(Rational(1, 4));
  return is_negative_angle(reduced) ? (-reduced).reduced_symmetric(Rational(1, 4)) : reduced;
}

/// Returns the canonical angles 2 a, 4 a, ... of an angle a, until one of them is a multiple of
/// pi/4 or occurs again.
std::vector<Angle> doublings_of(const Angle& angle) {
  std::vector<Angle> chain{canonical(angle)};
  try {
    while (chain.size() <= kMostDoublings) {
      Angle next = canonical(chain.back() * Rational(2));
      if (next.is_zero() || std::ranges::find(chain, next) != chain.end()) break;
      chain.push_back(std::move(next));
    }
  } catch (const OverflowError&) {
    // Further doublings are not compared.
  }
  return chain;
}

/// Returns an angle as a multiple of a base angle, if it is one; the family is not set.
std::optional<FamilyAngle> as_multiple(const Angle& angle, const Angle& base,
                                       std::size_t doublings) {
  try {
    const Angle multiple = doubled(base, doublings);
    for (const bool is_negative : {false, true}) {
      const auto rest = eighths_of(angle - (is_negative ? -multiple : multiple));
      if (rest) return FamilyAngle{0, doublings, is_negative, *rest};
    }
  } catch (const OverflowError&) {
    // The angle is in no family.
  }
  return std::nullopt;
}

}  // namespace

Angle doubled(const Angle& angle, std::size_t doublings) {
  return angle * Rational(std::int64_t{1} << doublings);
}

AngleFamilies angle_families(std::span<const Angle> angles) {
  AngleFamilies result;
  std::map<Angle, std::vector<std::size_t>> places;  // by canonical angle
  std::map<Angle, std::vector<Angle>> chains;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    try {
      if (eighths_of(angles[i])) continue;
      const Angle representative = canonical(angles[i]);
      if (!chains.contains(representative)) {
        chains.emplace(representative, doublings_of(representative));
      }
      places[representative].push_back(i);
    } catch (const OverflowError&) {
      // The angle is in no family.
    }
  }
  // An angle from which more of the others follow by doubling comes first.
  std::vector<std::pair<std::size_t, Angle>> order;
  for (const auto& [angle, chain] : chains) {
    const auto reached = static_cast<std::size_t>(
        std::ranges::count_if(chain, [&](const Angle& each) { return chains.contains(each); }));
    order.emplace_back(reached, angle);
  }
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first > b.first; });
  result.angles.resize(angles.size());
  std::map<Angle, bool> is_assigned;
  for (const auto& [reached, base] : order) {
    if (is_assigned[base]) continue;
    const std::size_t family = result.bases.size();
    result.bases.push_back(base);
    const std::vector<Angle>& chain = chains.at(base);
    for (std::size_t k = 0; k < chain.size(); ++k) {
      const auto found = places.find(chain[k]);
      if (found == places.end() || is_assigned[chain[k]]) continue;
      is_assigned[chain[k]] = true;
      for (const std::size_t place : found->second) {
        result.angles[place] = as_multiple(angles[place], base, k);
        if (result.angles[place]) result.angles[place]->family = family;
      }
    }
  }
  return result;
}

}  // namespace quartz::optimizer
