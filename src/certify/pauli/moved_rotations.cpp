#include "certify/pauli/moved_rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "certify/pauli/clifford_log.hpp"
#include "certify/pauli/pauli_tableau.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

constexpr const char* kMovedRotationsName = "moved Pauli rotations";
/// Shares of the memory for the tableau, for the operators of the groups, and for their columns.
constexpr double kTableauShare = 0.3;
constexpr double kOperatorsShare = 0.3;
constexpr double kColumnsShare = 0.3;

/// Returns the number of quarter turns if the angle is a multiple of pi/2.
std::optional<unsigned> quarters_of(const Angle& angle) {
  const Rational quarters = angle.pi_part() * Rational(2);
  if (!angle.is_pi_multiple() || !quarters.is_integer()) return std::nullopt;
  return static_cast<unsigned>(((quarters.numerator() % 4) + 4) % 4);
}

/// Counts work, and throws OutOfBudget once the budget is spent.
class WorkCounter {
 public:
  explicit WorkCounter(const Budget& budget) : budget_(budget) {}
  void add(std::size_t words) {
    work_ += words;
    if (work_ < kWordsBetweenChecks) return;
    work_ = 0;
    if (budget_.spent()) throw OutOfBudget();
  }

 private:
  const Budget& budget_;
  std::size_t work_ = 0;
};

/// Returns X as a rotation: X = e^{i pi/2} H e^{-i pi/2 Z} H.
Parts x_as_rotation() {
  const Gate& row = gate(GateKind::x);
  Part hadamard{true, {}, {}, {}, {0}};
  Part turn{false, {{1, AngleFunction(Angle::pi_times(Rational(1)), row)}}, {}, {}, {0}};
  return {{hadamard, turn, hadamard}, AngleFunction(Angle::pi_times(Rational(1, 2)), row)};
}

/// The groups of rotations about the same operators. A group ends as soon as its angles add up to
/// zero: it is then moved on its own, and later rotations about the operator form another group.
class RotationGroups {
 public:
  struct Group {
    RotationAngle sum;        ///< angles of the removed rotations minus those of the inserted ones
    std::uint64_t phase = 0;  ///< phase of the first rotation's operator
    std::size_t places = 0;
    std::size_t places_left = 0;
    std::optional<std::size_t> slot;
  };

  RotationGroups(std::size_t words, double max_bytes) : words_(words), max_bytes_(max_bytes) {}

  /// Adds a rotation about an operator, given by its row in a tableau.
  void add(ConstPauliRow axis, std::uint64_t phase, const Angle& angle) {
    const ConstPauliRow bits = axis.first(words_);
    const std::size_t hash = boost::hash_range(bits.begin(), bits.end());
    std::size_t& found = current_[axis_with(bits, hash)];
    if (found == kNoGroup) {
      found = groups_.size();
      groups_.emplace_back().phase = phase;
    }
    Group& group = groups_[found];
    group.sum.add(phase == group.phase ? angle : -angle);
    ++group.places;
    ++group.places_left;
    order_.push_back(found);
    if (group.sum.angle.is_zero()) found = kNoGroup;
  }

  [[nodiscard]] std::vector<Group>& groups() { return groups_; }
  /// Returns the group of each rotation, in the order in which they were added.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

 private:
  static constexpr std::size_t kNoGroup = ~std::size_t{0};

  /// Returns the number of an operator.
  [[nodiscard]] std::size_t axis_with(ConstPauliRow bits, std::size_t hash) {
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto each = first; each != last; ++each) {
      const auto known = std::span(bits_).subspan(each->second * words_, words_);
      if (std::ranges::equal(known, bits)) return each->second;
    }
    if (static_cast<double>((bits_.size() + words_) * 2 * sizeof(std::uint64_t)) > max_bytes_) {
      throw OutOfBudget();
    }
    bits_.insert(bits_.end(), bits.begin(), bits.end());
    by_hash_.emplace(hash, current_.size());
    current_.push_back(kNoGroup);
    return current_.size() - 1;
  }

  std::size_t words_;
  double max_bytes_;
  std::vector<Group> groups_;
  std::vector<std::uint64_t> bits_;   ///< bits of the operators
  std::vector<std::size_t> current_;  ///< for each operator its group that has not ended
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;
  std::vector<std::size_t> order_;
};

/// The operators of the groups between their first and last places, by columns: a bit for each slot
/// in the x and the z column of each wire. The slots of a word are used again once all of them are
/// closed.
class OperatorColumns {
 public:
  OperatorColumns(std::size_t wires, std::size_t words)
      : wires_(wires), words_(words), columns_(2 * wires * words), open_(words) {}

  /// Assigns the slots without operators. Returns the number of words that they take.
  [[nodiscard]] static std::size_t words_for(std::vector<RotationGroups::Group>& groups,
                                             std::span<const std::size_t> order) {
    std::size_t words = 0;
    std::size_t used = 64;
    std::size_t word = 0;
    std::vector<std::size_t> free;
    std::vector<std::size_t> closed;
    for (const std::size_t index : order) {
      RotationGroups::Group& group = groups[index];
      if (group.places == 1) continue;
      if (!group.slot) {
        if (used == 64) {
          used = 0;
          word = free.empty() ? words++ : free.back();
          if (!free.empty()) free.pop_back();
          closed.resize(words);
          closed[word] = 0;
        }
        group.slot = 64 * word + used++;
      }
      if (--group.places_left != 0) continue;
      const std::size_t own = *group.slot / 64;
      if (++closed[own] == 64) free.push_back(own);
    }
    for (RotationGroups::Group& group : groups) group.places_left = group.places;
    return words;
  }

  [[nodiscard]] std::size_t words() const { return words_; }

  void hadamard(Wire wire) { std::ranges::swap_ranges(x(wire), z(wire)); }
  void append(std::span<const MapStep> steps, std::span<const Wire> wires) {
    for (const MapStep& step : steps) {
      if (step.kind == CliffordLog::Kind::x) continue;
      const Wire first = wires[step.first];
      const Wire second = wires[step.second];
      if (step.kind == CliffordLog::Kind::swap) {
        std::ranges::swap_ranges(x(first), x(second));
        std::ranges::swap_ranges(z(first), z(second));
      } else {
        add(x(second), x(first));
        add(z(first), z(second));
      }
    }
  }
  /// Appends a rotation about Z...Z by an odd number of quarter turns.
  void append_turn(unsigned operands, std::span<const Wire> wires) {
    const std::span<const std::uint64_t> turned = anticommuting(operands, wires);
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) != 0) add(z(wires[i]), turned);
    }
  }
  /// Returns whether all open operators, but that in one slot, commute with Z...Z.
  [[nodiscard]] bool commutes(unsigned operands, std::span<const Wire> wires,
                              std::optional<std::size_t> but = {}) {
    const std::span<const std::uint64_t> found = anticommuting(operands, wires);
    for (std::size_t i = 0; i < words_; ++i) {
      std::uint64_t bits = found[i] & open_[i];
      if (but && *but / 64 == i) bits &= ~(std::uint64_t{1} << (*but % 64));
      if (bits != 0) return false;
    }
    return true;
  }
  /// Opens a slot with the operator Z...Z.
  void open(std::size_t slot, unsigned operands, std::span<const Wire> wires) {
    const std::size_t word = slot / 64;
    // The first slot of a word is opened when the slots that used it before are closed.
    if (slot % 64 == 0) {
      for (std::size_t column = 0; column < 2 * wires_; ++column) {
        columns_[column * words_ + word] = 0;
      }
    }
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    open_[word] |= bit;
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) != 0) z(wires[i])[word] |= bit;
    }
  }
  void close(std::size_t slot) { open_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64)); }

 private:
  using Column = std::span<std::uint64_t>;
  [[nodiscard]] Column x(Wire wire) {
    return std::span(columns_).subspan(2 * std::size_t{wire} * words_, words_);
  }
  [[nodiscard]] Column z(Wire wire) {
    return std::span(columns_).subspan((2 * std::size_t{wire} + 1) * words_, words_);
  }
  static void add(Column to, std::span<const std::uint64_t> from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] ^= from[i];
  }
  [[nodiscard]] std::span<const std::uint64_t> anticommuting(unsigned operands,
                                                             std::span<const Wire> wires) {
    found_.assign(words_, 0);
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) != 0) add(found_, x(wires[i]));
    }
    return found_;
  }

  std::size_t wires_;
  std::size_t words_;
  std::vector<std::uint64_t> columns_;
  std::vector<std::uint64_t> open_;
  std::vector<std::uint64_t> found_;
};

/// The proof for one pair of circuits. All functions throw OutOfBudget and Unsupported.
class MovedRotations {
 public:
  MovedRotations(GateParts& parts, std::size_t wires, std::span<const MovableGate> gates,
                 const Budget& budget)
      : parts_(parts), wires_(wires), gates_(gates), budget_(budget), work_(budget) {}

  [[nodiscard]] Comparison run() {
    if (PauliTableau::bytes(wires_) > kTableauShare * budget_.memory_bytes) throw OutOfBudget();
    PauliTableau tableau(wires_);
    RotationGroups groups(tableau.row_words() - 1, kOperatorsShare * budget_.memory_bytes);
    for (const MovableGate& gate : gates_) group(gate, tableau, groups);
    bool is_negated = false;
    for (const RotationGroups::Group& each : groups.groups()) {
      if (!each.sum.angle.is_zero()) {
        return unknown_because(kMovedRotationsName,
                               "the angles about some operator have another sum");
      }
      is_negated = is_negated != each.sum.is_negated;
    }
    if (!may_move(groups)) {
      return unknown_because(kMovedRotationsName,
                             "a rotation moves past one that does not commute");
    }
    Comparison result = equal_by(kMovedRotationsName);
    if (is_negated) phase_.add_phase(Angle::pi_times(Rational(1)));
    // The circuit before is e^{i phase} times the circuit after.
    result.exact_phase = -phase_;
    if (phase_.is_constant()) result.phase = result.exact_phase->value_modulo(2);
    return result;
  }

 private:
  /// Returns the parts of a gate, which are rotations if it is moved.
  [[nodiscard]] const Parts& parts_of(const MovableGate& movable) {
    const bool is_moved_x =
        movable.role != MovableGate::Role::stays && movable.gate.operation->gate == GateKind::x;
    return is_moved_x ? x_ : parts_.of(*movable.gate.operation, false);
  }

  [[nodiscard]] std::span<const Wire> wires_of(const Part& part, const PlacedGate& gate) {
    part_wires_.clear();
    for (const unsigned operand : part.operands) part_wires_.push_back(gate.wires[operand]);
    return part_wires_;
  }

  /// Appends a gate to the tableau, or its rotations to the groups.
  void group(const MovableGate& movable, PauliTableau& tableau, RotationGroups& groups) {
    const Operation& operation = *movable.gate.operation;
    const Parts& parts = parts_of(movable);
    const bool stays = movable.role == MovableGate::Role::stays;
    const bool is_removed = movable.role == MovableGate::Role::removed;
    if (!stays && !consists_of_rotations(parts)) {
      throw Unsupported{"a moved gate that is not a rotation"};
    }
    for (const Part& part : parts.parts) {
      const std::span<const Wire> wires = wires_of(part, movable.gate);
      if (part.is_hadamard) {
        std::ranges::swap_ranges(tableau.x(wires[0]), tableau.z(wires[0]));
        continue;
      }
      for (const ZRotation& rotation : part.rotations) {
        RotationAngle angle = rotation.angle(operation.angles);
        const std::optional<unsigned> quarters = quarters_of(angle.angle);
        if (stays && (!quarters || *quarters == 0)) continue;
        set_axis(rotation.operands, wires, tableau);
        if (stays) {
          tableau.append_turn(rotation.operands, *quarters, wires, axis_);
          continue;
        }
        groups.add(axis_, tableau.phase(ConstPauliRow(axis_)),
                   is_removed ? angle.angle : -angle.angle);
        if (angle.is_negated) phase_.add_phase(Angle::pi_times(Rational(1)));
      }
      work_.add(tableau.row_words() * part.map.rows.size() + 1);
      tableau.append(part.map, wires);
    }
    if (stays || parts.phase.is_zero()) return;
    const Angle phase = parts.phase(operation.angles).angle;
    phase_.add_phase(is_removed ? phase : -phase);
  }

  void set_axis(unsigned operands, std::span<const Wire> wires, PauliTableau& tableau) {
    work_.add(tableau.row_words());
    axis_.assign(tableau.row_words(), 0);
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) != 0) tableau.multiply(axis_, tableau.z(wires[i]));
    }
  }

  /// Returns whether all rotations between the first and the last place of each group commute with
  /// it.
  [[nodiscard]] bool may_move(RotationGroups& groups) {
    const std::size_t words = OperatorColumns::words_for(groups.groups(), groups.order());
    if (static_cast<double>(2 * wires_ * words * sizeof(std::uint64_t)) >
        kColumnsShare * budget_.memory_bytes) {
      throw OutOfBudget();
    }
    OperatorColumns columns(wires_, words);
    std::span<const std::size_t> order = groups.order();
    for (const MovableGate& gate : gates_) {
      if (!follow(gate, columns, groups, order)) return false;
    }
    return true;
  }

  /// Appends a gate to the columns. `order` are the groups of the rotations that are still to come.
  [[nodiscard]] bool follow(const MovableGate& movable, OperatorColumns& columns,
                            RotationGroups& groups, std::span<const std::size_t>& order) {
    const Operation& operation = *movable.gate.operation;
    for (const Part& part : parts_of(movable).parts) {
      work_.add(4 * columns.words() + 1);
      const std::span<const Wire> wires = wires_of(part, movable.gate);
      if (part.is_hadamard) {
        columns.hadamard(wires[0]);
        continue;
      }
      for (const ZRotation& rotation : part.rotations) {
        work_.add(2 * columns.words());
        if (movable.role != MovableGate::Role::stays) {
          RotationGroups::Group& group = groups.groups()[order.front()];
          order = order.subspan(1);
          if (!pass(rotation.operands, wires, columns, group)) return false;
          continue;
        }
        const std::optional<unsigned> quarters =
            quarters_of(rotation.angle(operation.angles).angle);
        if (!quarters) {
          if (!columns.commutes(rotation.operands, wires)) return false;
        } else if (*quarters % 2 == 1) {
          columns.append_turn(rotation.operands, wires);
        }
      }
      columns.append(part.map_steps, wires);
    }
    return true;
  }

  /// Follows the place of a moved rotation.
  [[nodiscard]] static bool pass(unsigned operands, std::span<const Wire> wires,
                                 OperatorColumns& columns, RotationGroups::Group& group) {
    if (!group.slot) return true;  // alone in its group, and a multiple of the identity
    if (!columns.commutes(operands, wires, group.slot)) return false;
    if (group.places_left == group.places) columns.open(*group.slot, operands, wires);
    if (--group.places_left == 0) columns.close(*group.slot);
    return true;
  }

  GateParts& parts_;
  const Parts x_ = x_as_rotation();
  std::size_t wires_;
  std::span<const MovableGate> gates_;
  const Budget& budget_;
  WorkCounter work_;
  Angle phase_;
  std::vector<std::uint64_t> axis_;
  std::vector<Wire> part_wires_;
};

}  // namespace

Comparison compare_moved_rotations(GateParts& parts, std::size_t wires,
                                   std::span<const MovableGate> gates, const Budget& budget) {
  try {
    return MovedRotations(parts, wires, gates, budget).run();
  } catch (const OutOfBudget&) {
    return out_of_time_or_memory(kMovedRotationsName, budget);
  } catch (const Unsupported& unsupported) {
    return unknown_because(kMovedRotationsName,
                           unsupported.what + " is not a product of Pauli rotations");
  } catch (const OverflowError& error) {
    return unknown_because(kMovedRotationsName, error.what());
  }
}

}  // namespace quartz::certify
