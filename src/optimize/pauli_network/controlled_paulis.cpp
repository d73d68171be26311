#include "optimize/pauli_network/controlled_paulis.hpp"

#include <algorithm>
#include <array>
#include <boost/container/static_vector.hpp>
#include <compare>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// A Pauli operator up to its phase.
struct PauliBits {
  std::uint64_t x = 0;
  std::uint64_t z = 0;
  friend auto operator<=>(const PauliBits&, const PauliBits&) = default;
};

PauliBits bits_of(const PauliString& pauli) { return {pauli.x, pauli.z}; }
PauliBits quotient(const PauliBits& a, const PauliBits& b) { return {a.x ^ b.x, a.z ^ b.z}; }

/// Returns an angle, if it is a multiple of pi/4, in this unit, modulo two full turns.
std::optional<unsigned> eighths_modulo_16(const Angle& angle) {
  if (!angle.is_constant()) return std::nullopt;
  const Angle reduced = angle.reduced_modulo(Rational(4));
  if (!reduced.is_pi_multiple()) return std::nullopt;
  const Rational eighths = reduced.pi_part() * Rational(4);
  if (eighths.denominator() != 1) return std::nullopt;
  return static_cast<unsigned>(eighths.numerator());  // 0 to 15
}

/// A Clifford rotation about a Pauli operator as gates, whose product may have to be negated.
struct CliffordRotation {
  std::vector<CliffordGate> gates;
  bool is_negated = false;
};

/// Returns the rotation by 1 to 3 quarter turns about an operator other than the identity.
CliffordRotation clifford_rotation(const PauliString& axis, unsigned quarters) {
  // Gates that turn the operator into Z on one qubit, up to the sign.
  std::vector<CliffordGate> basis;
  PauliString current = axis;
  const auto apply = [&](const CliffordGate& gate) {
    current = pushed(current, gate);
    basis.push_back(gate);
  };
  std::optional<std::uint32_t> target;
  for (std::uint64_t rest = axis.support(); rest != 0; rest &= rest - 1) {
    const auto qubit = static_cast<std::uint32_t>(__builtin_ctzll(rest));
    if ((axis.x & axis.z & bit_of(qubit)) != 0) apply({CliffordKind::s, qubit});
    if ((axis.x & bit_of(qubit)) != 0) apply({CliffordKind::h, qubit});
    if (target) apply({CliffordKind::cx, qubit, *target});
    if (!target) target = qubit;
  }
  CliffordRotation result{basis, false};
  // The rotation about -Z by k quarters is that about Z by 4 - k, times -1.
  if (is_negative(current)) {
    quarters = 4 - quarters;
    result.is_negated = true;
  }
  result.gates.push_back({CliffordKind::s, target.value(), 0, quarters});
  for (auto gate = basis.rbegin(); gate != basis.rend(); ++gate) {
    result.gates.push_back(*gate);
    // The inverse of rz by one quarter is that by three, times -1.
    if (gate->kind != CliffordKind::s) continue;
    result.gates.back().quarters = 3;
    result.is_negated = !result.is_negated;
  }
  return result;
}

/// Indices of rotations about P, P S, P T and P S T.
using Group = std::array<std::size_t, 4>;
/// A set of rotations or axes of a sequence, which has at most 64.
using Bits = std::uint64_t;

Bits bit(std::size_t index) { return Bits{1} << index; }
/// Returns the indices above one.
Bits bits_above(std::size_t index) { return ~(bit(index) | (bit(index) - 1)); }

/// Calls `visit` with the indices in a set, in ascending order.
template <typename Visit>
void for_each_bit(Bits set, const Visit& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(__builtin_ctzll(set)));
}

/// The order of the rotations of a sequence that those about anticommuting operators impose.
class RotationOrder {
 public:
  explicit RotationOrder(std::span<const Rotation> rotations)
      : later_(rotations.size()), earlier_(rotations.size()) {
    for (std::size_t i = rotations.size(); i-- > 0;) {
      for (std::size_t j = i + 1; j < rotations.size(); ++j) {
        if (anticommute(rotations[i].axis, rotations[j].axis)) later_[i] |= bit(j) | later_[j];
      }
      for_each_bit(later_[i], [&](std::size_t j) { earlier_[j] |= bit(i); });
    }
  }

  /// Returns the rotations that must come before one.
  [[nodiscard]] Bits earlier(std::size_t index) const { return earlier_[index]; }
  /// Returns the rotations that must come after one of several.
  [[nodiscard]] Bits later_than_any(Bits indices) const {
    Bits result = 0;
    for_each_bit(indices, [&](std::size_t index) { result |= later_[index]; });
    return result;
  }
  /// Returns whether a rotation has the same place in the order as one of several.
  [[nodiscard]] bool same_place_as_any(std::size_t index, Bits others) const {
    bool result = false;
    for_each_bit(others, [&](std::size_t other) {
      result = result || (later_[other] == later_[index] && earlier_[other] == earlier_[index]);
    });
    return result;
  }

 private:
  std::vector<Bits> later_;
  std::vector<Bits> earlier_;
};

/// Rotations about axes P, P S, P T and P S T.
struct Coset {
  PauliString axis;                 ///< one of the axes
  std::array<Bits, 4> rotations{};  ///< those about each axis

  [[nodiscard]] Bits all() const {
    return rotations[0] | rotations[1] | rotations[2] | rotations[3];
  }
  /// Returns the rotations about the axis of one of them.
  [[nodiscard]] Bits about_axis_of(std::size_t index) const {
    return *std::ranges::find_if(rotations, [&](Bits some) { return (some & bit(index)) != 0; });
  }
};

/// Finds two groups with the same controls that can follow each other: the first such pair, where
/// pairs are compared as their indices in ascending order.
///
/// There may be k^4 groups about four axes with k rotations each, and k^8 pairs. Rotations are
/// therefore chosen one by one, in ascending order, and one is left out if another one, which was
/// not chosen, has to come between it and those before. Rotations about the same axis are
/// interchangeable if the same rotations have to come before them and after them; only the first
/// one is tried.
///
/// Each rotation of one group anticommutes with each one of the other, as their axes differ from
/// anticommuting P and Q by controls, which commute with all of them. All those of the first group
/// therefore come before all those of the second.
class PairSearch {
 public:
  PairSearch(const RotationOrder& order, std::span<const Coset> cosets)
      : order_(order), cosets_(cosets), partners_(cosets.size()) {
    for (std::size_t i = 0; i < cosets.size(); ++i) {
      for (const Coset& other : cosets) {
        if (anticommute(cosets[i].axis, other.axis)) partners_[i] |= other.all();
      }
      if (partners_[i] != 0) first_rotations_ |= cosets[i].all();
    }
  }

  [[nodiscard]] std::optional<std::pair<Group, Group>> run() {
    if (!extend(first_rotations_)) return std::nullopt;
    std::pair<Group, Group> result;
    std::copy_n(chosen_.begin(), 4, result.first.begin());
    std::copy_n(chosen_.begin() + 4, 4, result.second.begin());
    return result;
  }
  /// Returns the number of rotations that were looked at.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  /// Chooses the next rotation among some, and all that follow. Returns whether that was possible.
  [[nodiscard]] bool extend(Bits candidates) {
    const Bits before = order_.later_than_any(chosen_bits_) & ~chosen_bits_;
    Bits tried = 0;
    for (; candidates != 0; candidates &= candidates - 1) {
      const auto index = static_cast<std::size_t>(__builtin_ctzll(candidates));
      ++steps_;
      if ((before & order_.earlier(index)) != 0) continue;
      const Coset& coset = coset_of(index);
      if (order_.same_place_as_any(index, tried & coset.about_axis_of(index))) continue;
      tried |= bit(index);
      chosen_.push_back(index);
      chosen_bits_ |= bit(index);
      if (chosen_.size() == 8 || extend(next_candidates(coset))) return true;
      chosen_.pop_back();
      chosen_bits_ &= ~bit(index);
    }
    return false;
  }
  /// Returns the rotations that may follow the last chosen one, which is in a coset.
  [[nodiscard]] Bits next_candidates(const Coset& coset) const {
    const Bits above = bits_above(chosen_.back());
    if (chosen_.size() == 4) {
      return partners_[static_cast<std::size_t>(&coset - cosets_.data())] & above;
    }
    Bits result = 0;
    for (const Bits some : coset.rotations) {
      if ((some & chosen_bits_) == 0) result |= some;
    }
    return result & above;
  }
  [[nodiscard]] const Coset& coset_of(std::size_t index) const {
    return *std::ranges::find_if(
        cosets_, [&](const Coset& coset) { return (coset.all() & bit(index)) != 0; });
  }

  const RotationOrder& order_;
  std::span<const Coset> cosets_;
  std::vector<Bits> partners_;  ///< for each coset, the rotations of those that anticommute with it
  Bits first_rotations_ = 0;    ///< those of cosets that anticommute with another one
  boost::container::static_vector<std::size_t, 8> chosen_;
  Bits chosen_bits_ = 0;
  std::uint64_t steps_ = 0;
};

/// Merges the groups of one sequence, once.
class Merge {
 public:
  explicit Merge(RotationSequence& sequence)
      : sequence_(sequence), rotations_(sequence.rotations), order_(rotations_) {}

  /// Returns whether there was a pair of groups to merge. Adds the steps of the search.
  bool run(std::uint64_t& steps) {
    find_cosets();
    for (const auto& [controls, cosets] : cosets_) {
      PairSearch search(order_, cosets);
      const auto pair = search.run();
      steps += search.steps();
      if (!pair) continue;
      merge(pair->first, pair->second);
      return true;
    }
    return false;
  }

 private:
  /// The operators S, T and S T up to their phases, in ascending order.
  using Controls = std::array<PauliBits, 3>;
  /// An axis of rotations by odd multiples of pi/4, and these rotations.
  struct Axis {
    PauliString pauli;
    Bits rotations = 0;
  };

  [[nodiscard]] const PauliString& axis(std::size_t index) const { return rotations_[index].axis; }

  [[nodiscard]] std::map<PauliBits, Axis> axes() const {
    std::map<PauliBits, Axis> result;
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
      if (eighths_modulo_16(rotations_[i].angle).value_or(0) % 2 == 0) continue;
      Axis& axis_of_bits = result[bits_of(axis(i))];
      axis_of_bits.pauli = axis(i);
      axis_of_bits.rotations |= bit(i);
    }
    return result;
  }
  /// Finds four axes that commute and have the product 1, up to a phase.
  void find_cosets() {
    const std::map<PauliBits, Axis> all = axes();
    for (auto a = all.begin(); a != all.end(); ++a) {
      for (auto b = std::next(a); b != all.end(); ++b) {
        if (anticommute(a->second.pauli, b->second.pauli)) continue;
        for (auto c = std::next(b); c != all.end(); ++c) {
          if (anticommute(a->second.pauli, c->second.pauli)) continue;
          if (anticommute(b->second.pauli, c->second.pauli)) continue;
          const auto d = all.find(quotient(quotient(a->first, b->first), c->first));
          if (d == all.end() || d->first <= c->first) continue;
          Controls controls{quotient(a->first, b->first), quotient(a->first, c->first),
                            quotient(a->first, d->first)};
          std::ranges::sort(controls);
          cosets_[controls].push_back({a->second.pauli,
                                       {a->second.rotations, b->second.rotations,
                                        c->second.rotations, d->second.rotations}});
        }
      }
    }
  }

  void merge(const Group& first, const Group& second) {
    const std::size_t start = make_adjacent(first, second);
    const PauliString p = axis(start);
    normalize(start, p);
    const PauliString s = product(p, axis(start + 1));
    const PauliString t = product(p, axis(start + 2));
    normalize(start + 1, product(p, s));
    normalize(start + 2, product(p, t));
    const std::array controls{s, t, product(s, t)};
    normalize(start + 3, product(p, controls[2]));
    // The rotations of the second group may have changed.
    const PauliString q = axis(start + 4);
    normalize(start + 4, q);
    for (std::size_t i = start + 5; i < start + 8; ++i) {
      const auto control = std::ranges::find_if(controls, [&](const PauliString& factor) {
        return bits_of(product(q, factor)) == bits_of(axis(i));
      });
      ensure(control != controls.end(), "both groups have the same controls");
      normalize(i, product(q, *control));
    }
    // -iQ after -iP is -QP = -iR.
    PauliString r = product(q, p);
    r.phase = (r.phase + 3) % 4;
    rotations_[start].axis = r;
    for (std::size_t i = 0; i < 3; ++i) rotations_[start + 1 + i].axis = product(r, controls.at(i));
    const auto erased = rotations_.begin() + static_cast<std::ptrdiff_t>(start) + 4;
    rotations_.erase(erased, erased + 4);
  }

  /// Moves the rotations of two groups to each other. Returns the index of the first one.
  std::size_t make_adjacent(const Group& first, const Group& second) {
    Bits both = 0;
    for (const std::size_t index : first) both |= bit(index);
    for (const std::size_t index : second) both |= bit(index);
    const Bits later = order_.later_than_any(both);
    std::vector<Rotation> order;
    std::vector<Rotation> after;
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
      if ((both & bit(i)) != 0) continue;
      ((later & bit(i)) != 0 ? after : order).push_back(rotations_[i]);
    }
    const std::size_t start = order.size();
    for (const std::size_t index : first) order.push_back(rotations_[index]);
    for (const std::size_t index : second) order.push_back(rotations_[index]);
    order.insert(order.end(), after.begin(), after.end());
    rotations_ = std::move(order);
    return start;
  }

  /// Makes a rotation one by pi/4 about an operator, which is its axis up to the sign. The
  /// remaining Clifford rotation moves to the end.
  void normalize(std::size_t index, const PauliString& wanted) {
    Rotation& rotation = rotations_[index];
    const unsigned eighths = *eighths_modulo_16(rotation.angle);
    const unsigned about_wanted = rotation.axis == wanted ? eighths : 16 - eighths;
    rotation.axis = wanted;
    rotation.angle = Angle::pi_times(Rational(1, 4));
    const unsigned quarters = (about_wanted - 1) / 2;  // 0 to 7
    sequence_.is_negated = sequence_.is_negated != (quarters >= 4);
    if (quarters % 4 != 0) move_to_end(index, wanted, quarters % 4);
  }
  /// Inserts a rotation by quarter turns after a rotation of the sequence, and moves it to the end.
  void move_to_end(std::size_t index, const PauliString& axis, unsigned quarters) {
    const CliffordRotation rotation = clifford_rotation(axis, quarters);
    // What is behind the rotation K changes from Q to K^dagger Q K.
    const CliffordRotation inverse = clifford_rotation(axis, 4 - quarters);
    const auto pull_back = [&](PauliString& pauli) {
      for (const CliffordGate& gate : inverse.gates) pauli = pushed(pauli, gate);
    };
    for (std::size_t i = index + 1; i < rotations_.size(); ++i) pull_back(rotations_[i].axis);
    for (PauliString& image : sequence_.images) pull_back(image);
    sequence_.is_negated = sequence_.is_negated != rotation.is_negated;
    sequence_.clifford.insert(sequence_.clifford.begin(), rotation.gates.begin(),
                              rotation.gates.end());
  }

  RotationSequence& sequence_;
  std::vector<Rotation>& rotations_;
  RotationOrder order_;
  std::map<Controls, std::vector<Coset>> cosets_;
};

}  // namespace

MergedPaulis merge_controlled_paulis(RotationSequence& sequence) {
  MergedPaulis merged;
  if (sequence.rotations.size() > kMaxRotationsToMerge) return merged;
  while (Merge(sequence).run(merged.steps)) ++merged.pairs;
  return merged;
}

}  // namespace quartz::optimizer
