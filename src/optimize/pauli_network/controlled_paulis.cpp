#include "optimize/pauli_network/controlled_paulis.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <optional>
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

/// Returns an angle, if it is a multiple of pi/4, in this unit, modulo two full turns.
std::optional<unsigned> eighths_of(const Angle& angle) {
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

/// Merges the groups of one sequence, once.
class Merge {
 public:
  explicit Merge(RotationSequence& sequence)
      : sequence_(sequence), rotations_(sequence.rotations), later_(rotations_.size()) {
    for (std::size_t i = rotations_.size(); i-- > 0;) {
      for (std::size_t j = i + 1; j < rotations_.size(); ++j) {
        if (anticommute(rotations_[i].axis, rotations_[j].axis)) {
          later_[i] |= bit(j) | later_[j];
        }
      }
    }
  }

  /// Returns whether there was a pair of groups to merge.
  bool run() {
    find_groups();
    for (const auto& [controls, groups] : groups_) {
      for (std::size_t i = 0; i < groups.size(); ++i) {
        for (std::size_t j = 0; j < groups.size(); ++j) {
          if (i == j || !may_merge(groups[i], groups[j])) continue;
          merge(groups[i], groups[j]);
          return true;
        }
      }
    }
    return false;
  }

 private:
  /// The operators S, T and S T up to their phases, in ascending order.
  using Controls = std::array<PauliBits, 3>;

  static std::uint64_t bit(std::size_t index) { return std::uint64_t{1} << index; }
  static std::uint64_t bits(const Group& group) {
    std::uint64_t result = 0;
    for (const std::size_t index : group) result |= bit(index);
    return result;
  }
  [[nodiscard]] const PauliString& axis(std::size_t index) const { return rotations_[index].axis; }
  [[nodiscard]] PauliBits quotient(std::size_t i, std::size_t j) const {
    return {axis(i).x ^ axis(j).x, axis(i).z ^ axis(j).z};
  }

  void find_groups() {
    std::vector<std::size_t> odd;
    std::multimap<PauliBits, std::size_t> by_axis;
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
      if (eighths_of(rotations_[i].angle).value_or(0) % 2 == 0) continue;
      odd.push_back(i);
      by_axis.emplace(bits_of(axis(i)), i);
    }
    for (const std::size_t a : odd) {
      for (const std::size_t b : odd) {
        if (b <= a || anticommute(axis(a), axis(b)) || quotient(a, b) == PauliBits{}) continue;
        for (const std::size_t c : odd) {
          if (c <= b) continue;
          const PauliBits last{quotient(a, b).x ^ axis(c).x, quotient(a, b).z ^ axis(c).z};
          const auto [first, end] = by_axis.equal_range(last);
          for (auto d = first; d != end; ++d) add_group({a, b, c, d->second});
        }
      }
    }
  }
  /// Adds rotations whose axes have the product 1, up to a phase, if they are a group, and in
  /// ascending order.
  void add_group(const Group& group) {
    Controls controls{quotient(group[0], group[1]), quotient(group[0], group[2]),
                      quotient(group[0], group[3])};
    std::ranges::sort(controls);
    if (group[3] <= group[2] || controls[0] == PauliBits{}) return;
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (anticommute(axis(group[i]), axis(group[j]))) return;
      }
    }
    groups_[controls].push_back(group);
  }

  /// Returns whether the rotations of both groups can follow each other.
  [[nodiscard]] bool may_merge(const Group& first, const Group& second) const {
    if ((bits(first) & bits(second)) != 0) return false;
    if (!anticommute(axis(first[0]), axis(second[0]))) return false;
    const std::uint64_t both = bits(first) | bits(second);
    if ((later(second) & bits(first)) != 0) return false;
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
      const bool is_between = (later(both) & bit(i)) != 0 && (later_[i] & both) != 0;
      if (is_between && (both & bit(i)) == 0) return false;
    }
    return true;
  }
  [[nodiscard]] std::uint64_t later(const Group& group) const { return later(bits(group)); }
  [[nodiscard]] std::uint64_t later(std::uint64_t indices) const {
    std::uint64_t result = 0;
    for (; indices != 0; indices &= indices - 1) result |= later_[__builtin_ctzll(indices)];
    return result;
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
    const std::uint64_t both = bits(first) | bits(second);
    std::vector<Rotation> order;
    std::vector<Rotation> after;
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
      if ((both & bit(i)) != 0) continue;
      ((later(both) & bit(i)) != 0 ? after : order).push_back(rotations_[i]);
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
    const unsigned eighths = *eighths_of(rotation.angle);
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
  std::vector<std::uint64_t> later_;  ///< rotations that must come after each one
  std::map<Controls, std::vector<Group>> groups_;
};

}  // namespace

std::size_t merge_controlled_paulis(RotationSequence& sequence) {
  std::size_t pairs = 0;
  if (sequence.rotations.size() > kMaxRotationsToMerge) return pairs;
  while (Merge(sequence).run()) ++pairs;
  return pairs;
}

}  // namespace quartz::optimizer
