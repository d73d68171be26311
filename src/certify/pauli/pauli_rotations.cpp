#include "certify/pauli/pauli_rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "certify/pauli/carried_cliffords.hpp"
#include "certify/pauli/clifford_log.hpp"
#include "certify/pauli/commuting_rotations.hpp"
#include "certify/pauli/difference_cone.hpp"
#include "certify/pauli/gate_parts.hpp"
#include "certify/pauli/moved_rotations.hpp"
#include "certify/pauli/pauli_tableau.hpp"
#include "certify/problem/monomial_gate.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz::certify {
namespace {

constexpr const char* kPauliRotationsName = "Pauli rotations";

/// Largest number of earlier rotations with which a rotation is compared, so that the time stays
/// linear. Rotations that are not merged never make the result wrong.
constexpr std::size_t kMaxLookBack = 4096;

/// Thrown for more distant rotations than are permitted.
struct TooManyDistant {};

/// What is done with rotations that are most of a spider nest.
enum class Nests : bool {
  kept,
  reduced  ///< replaced by the rest of the nest, as soon as there are enough of them
};

/// A sequence of rotations followed by the Clifford operator C. The first rotation acts first.
class RotationSequence {
 public:
  /// Throws OutOfBudget, as do the other functions.
  RotationSequence(std::size_t wires, Nests nests, const Budget& budget, std::size_t most_distant)
      : nests_(nests),
        budget_(budget),
        most_distant_(most_distant),
        tableau_(fits(wires, budget) ? wires : throw OutOfBudget()),
        axis_(tableau_.row_words()),
        log_(kLogShare * budget.memory_bytes) {}

  void append(const Parts& parts, std::span<const Angle> angles, std::span<const Wire> wires) {
    for (const Part& part : parts.parts) {
      part_wires_.clear();
      for (const unsigned operand : part.operands) part_wires_.push_back(wires[operand]);
      const std::span<const Wire> wire = part_wires_;
      if (part.is_hadamard) {
        std::ranges::swap_ranges(tableau_.x(wire[0]), tableau_.z(wire[0]));
        log_.add(CliffordLog::Kind::hadamard, wire[0]);
        continue;
      }
      for (const ZRotation& rotation : part.rotations) {
        rotate(rotation.operands, rotation.angle(angles), wire);
      }
      if (nests_ == Nests::reduced && !part.rotations.empty()) reduce_nest();
      count_work(tableau_.row_words() * part.map.rows.size());
      tableau_.append(part.map, wire);
      for (const MapStep& step : part.map_steps) {
        if (step.kind != CliffordLog::Kind::x) {
          log_.add(CliffordLog::Kind::operand, wire[step.first]);
        }
        log_.add(step.kind, wire[step.second]);
      }
    }
    if (!parts.phase.is_zero()) phase_.add_phase(parts.phase(angles).angle);
  }

  [[nodiscard]] std::size_t rotations() const { return rotations_.size(); }
  /// Returns whether rotations were replaced by the rest of a spider nest.
  [[nodiscard]] bool has_reduced_nest() const { return has_reduced_nest_; }
  /// From here on, rotations are appended that undo those before.
  void begin_inverse() { is_inverse_ = true; }
  /// Replaces all rotations by quarter turns, if they commute and their product is a Clifford
  /// operator.
  void merge_commuting() {
    std::vector<ConstPauliRow> axes;
    for (const Rotation& rotation : rotations_) {
      if (!is_eighth_turn(rotation)) return;
      axes.push_back(axis_of(rotation));
    }
    if (axes.empty()) return;
    const std::optional<QuarterTurns> found =
        as_quarter_turns(tableau_, axes, [this](std::size_t words) { count_work(words); });
    if (found) replace_last(rotations_.size(), *found);
  }
  /// Returns whether there are no rotations and the Clifford operator is the identity.
  [[nodiscard]] bool is_identity() const { return rotations_.empty() && tableau_.is_identity(); }
  /// Returns the phase, except that of the Clifford operator and signs: up to multiples of pi/4.
  [[nodiscard]] const Angle& phase_up_to_eighths() const { return phase_; }
  /// Returns the phase of the product, which must be the identity up to a phase; nothing if the
  /// time or the memory do not suffice. Releases the tableau and all rotations.
  [[nodiscard]] std::optional<Angle> phase_of_identity() && {
    const std::size_t wires = tableau_.wires();
    // The turns act before the Clifford operator, the last ones first. As the product of all is the
    // identity up to a phase, they can act after it as well.
    for (auto turn = turns_.rbegin(); turn != turns_.rend(); ++turn) log_turn(*turn);
    tableau_ = PauliTableau(0);
    axes_ = {};
    rotations_of_key_ = {};
    const std::optional<unsigned> eighths = log_.phase_of_identity(wires, budget_);
    if (!eighths.has_value()) return std::nullopt;
    Angle phase = phase_;
    phase.add_phase(Angle::pi_times(Rational(*eighths + (is_negated_ ? 4 : 0), 4)));
    return phase;
  }

 private:
  /// Shares of the memory for the tableau, for the rotations' operators and for the log of Clifford
  /// gates. The vector of the operators doubles its size when it grows, so 0.45 are for it.
  static constexpr double kTableauShare = 0.5;
  static constexpr double kAxesShare = 0.15;
  static constexpr double kLogShare = 0.05;

  [[nodiscard]] static bool fits(std::size_t wires, const Budget& budget) {
    return PauliTableau::bytes(wires) <= kTableauShare * budget.memory_bytes;
  }
  void count_work(std::size_t words) {
    work_ += words;
    if (work_ < kWordsBetweenChecks) return;
    work_ = 0;
    if (budget_.spent()) throw OutOfBudget();
  }

  struct Rotation {
    std::size_t axis = 0;  ///< index of its row's first word in axes_
    /// The words of the row in which there is an operator, each as a bit by its index modulo 64:
    /// without a word in common, two rotations commute.
    std::uint64_t words = 0;
    Angle angle;
    bool is_inverse = false;  ///< whether it was appended after begin_inverse()
  };

  [[nodiscard]] static bool is_eighth_turn(const Rotation& rotation) {
    return rotation.angle == Angle::pi_times(Rational(1, 4));
  }

  [[nodiscard]] ConstPauliRow axis_of(const Rotation& rotation) const {
    return std::span(axes_).subspan(rotation.axis, axis_.size());
  }

  void rotate(unsigned operands, RotationAngle rotation, std::span<const Wire> wire) {
    count_work(axis_.size());
    std::fill(axis_.begin(), axis_.end(), 0);
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) != 0) tableau_.multiply(axis_, tableau_.z(wire[i]));
    }
    const std::uint64_t key = key_of(axis_);
    turn(operands, merge_with_last(rotation, key), wire);
    if (rotation.angle.is_zero()) return;
    append_rotation(std::move(rotation.angle), key);
  }

  /// Adds the last rotation about axis_, which has this key, to another one if it commutes with all
  /// between. Leaves the part of the angle below pi/2, and returns the number of quarter turns of
  /// the rest.
  [[nodiscard]] unsigned merge_with_last(RotationAngle& rotation, std::uint64_t key) {
    if (const auto before = last_about_axis(key)) {
      Rotation& merged = rotations_[*before];
      const bool negative = tableau_.phase(axis_of(merged)) != tableau_.phase(ConstPauliRow(axis_));
      rotation.add(negative ? -merged.angle : merged.angle);
      forget_axis(merged, key);
      rotations_.erase(rotations_.begin() + static_cast<std::ptrdiff_t>(*before));
    }
    if (rotation.is_negated) is_negated_ = !is_negated_;
    const std::int64_t quarters = (rotation.angle.pi_part() * Rational(2)).floor();
    if (quarters == 0) return 0;
    rotation.angle += Angle::pi_times(Rational(-quarters, 2));
    if ((quarters & 4) != 0) is_negated_ = !is_negated_;  // four quarter turns are -1
    return static_cast<unsigned>(quarters & 3);
  }
  /// Appends a rotation about axis_, which has this key.
  void append_rotation(Angle angle, std::uint64_t key) {
    std::size_t place = axes_.size();
    if (free_axes_.empty()) {
      if (static_cast<double>(place * sizeof(std::uint64_t)) > kAxesShare * budget_.memory_bytes) {
        throw OutOfBudget();
      }
      axes_.resize(place + axis_.size());
    } else {
      place = free_axes_.back();
      free_axes_.pop_back();
    }
    std::ranges::copy(axis_, axes_.begin() + static_cast<std::ptrdiff_t>(place));
    rotations_.push_back({place, words_of(axis_), std::move(angle), is_inverse_});
    ++rotations_of_key_[key];
  }

  /// Replaces C by C e^{-i quarters pi/4 P} = e^{-i quarters pi/4 Z...Z} C, for P in axis_ and Z on
  /// the operands.
  void turn(unsigned operands, unsigned quarters, std::span<const Wire> wire) {
    if (quarters == 0) return;
    tableau_.append_turn(operands, quarters, wire, axis_);
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) == 0) continue;
      const bool is_last = operands >> i == 1;
      log_.add(is_last ? CliffordLog::Kind::rotate_z : CliffordLog::Kind::operand, wire[i],
               quarters);
    }
  }

  /// Replaces the last rotations that undo none before by fewer ones, if they are most of a spider
  /// nest, which only one of the circuits may have.
  void reduce_nest() {
    std::vector<ConstPauliRow> axes;
    for (std::size_t i = rotations_.size(); i-- > 0 && axes.size() < kRotationsOfNest;) {
      const Rotation& rotation = rotations_[i];
      if (rotation.is_inverse != is_inverse_ || !is_eighth_turn(rotation)) break;
      axes.push_back(axis_of(rotation));
    }
    const std::optional<FewerRotations> fewer =
        with_rest_of_nest(tableau_, axes, [this](std::size_t words) { count_work(words); });
    if (!fewer) return;
    has_reduced_nest_ = true;
    replace_last(fewer->replaced, fewer->product);
    for (const std::vector<std::uint64_t>& axis : fewer->axes) {
      std::ranges::copy(axis, axis_.begin());
      RotationAngle angle{Angle::pi_times(Rational(1, 4))};
      const std::uint64_t key = key_of(axis_);
      const unsigned quarters = merge_with_last(angle, key);
      if (quarters != 0) prepend_turn({axis, quarters});
      if (!angle.angle.is_zero()) append_rotation(std::move(angle.angle), key);
    }
  }
  /// Replaces the last rotations by their product.
  void replace_last(std::size_t count, const QuarterTurns& product) {
    for (; count > 0; --count) {
      forget_axis(rotations_.back(), key_of(axis_of(rotations_.back())));
      rotations_.pop_back();
    }
    phase_.add_phase(Angle::pi_times(Rational(product.sixteenths, 8)));
    for (const QuarterTurn& turn : product.turns) prepend_turn(turn);
  }
  /// Adds a quarter turn before the Clifford operator.
  void prepend_turn(const QuarterTurn& turn) {
    count_work(2 * tableau_.wires() * tableau_.row_words());
    tableau_.prepend_turn(turn.quarters, turn.axis);
    turns_.push_back(turn);
  }
  /// Releases the row of a rotation's operator, which has this key.
  void forget_axis(const Rotation& rotation, std::uint64_t key) {
    free_axes_.push_back(rotation.axis);
    if (const auto same = rotations_of_key_.find(key); --same->second == 0) {
      rotations_of_key_.erase(same);
    }
  }

  /// Adds a quarter turn to the log, with gates around it that turn its operator into Z...Z.
  void log_turn(const QuarterTurn& turn) {
    const std::size_t words = tableau_.row_words() / 2;
    const auto has = [&](std::size_t first_word, Wire wire) {
      return (turn.axis[first_word + wire / 64] >> (wire % 64) & 1U) != 0;
    };
    std::vector<Wire> support;
    unsigned ys = 0;
    for (Wire wire = 0; wire < tableau_.wires(); ++wire) {
      if (!has(0, wire) && !has(words, wire)) continue;
      support.push_back(wire);
      if (has(0, wire) && has(words, wire)) ++ys;
    }
    const auto to_z = [&](Wire wire, bool is_inverse) {
      if (!has(0, wire)) return;
      // H S^dagger Y S H = Z, where the two turns by one and by three quarters are -1 together.
      const bool is_y = has(words, wire);
      if (is_y && !is_inverse) log_.add(CliffordLog::Kind::rotate_z, wire, 3);
      log_.add(CliffordLog::Kind::hadamard, wire);
      if (is_y && is_inverse) log_.add(CliffordLog::Kind::rotate_z, wire, 1);
    };
    // Y = i X Z. A turn about -P by m quarters is -1 times the turn about P by 4 - m quarters.
    const bool is_negative = (tableau_.phase(ConstPauliRow(turn.axis)) + 4 - ys % 4) % 4 == 2;
    if ((ys % 2 != 0) != is_negative) is_negated_ = !is_negated_;
    for (const Wire wire : support) to_z(wire, false);
    for (const Wire wire : support) {
      const bool is_last = wire == support.back();
      log_.add(is_last ? CliffordLog::Kind::rotate_z : CliffordLog::Kind::operand, wire,
               is_negative ? 4 - turn.quarters : turn.quarters);
    }
    for (const Wire wire : support) to_z(wire, true);
  }

  /// Returns a hash of an operator without its phase.
  [[nodiscard]] static std::uint64_t key_of(ConstPauliRow row) {
    std::uint64_t key = 0;
    for (const std::uint64_t word : row.first(row.size() - 1)) {
      key = (key ^ word) * 0x9e3779b97f4a7c15U;
      key ^= key >> 32U;
    }
    return key;
  }
  /// Returns Rotation::words of a row. Its last word is the phase; the words of X come before those
  /// of Z.
  [[nodiscard]] static std::uint64_t words_of(ConstPauliRow row) {
    std::uint64_t words = 0;
    const std::size_t half = row.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      words |= static_cast<std::uint64_t>((row[i] | row[half + i]) != 0) << (i % 64);
    }
    return words;
  }
  /// Returns the last rotation about axis_, which has this key, or its negative if all rotations
  /// after it commute with it.
  [[nodiscard]] std::optional<std::size_t> last_about_axis(std::uint64_t key) {
    if (!rotations_of_key_.contains(key)) return std::nullopt;
    const std::size_t end = rotations_.size();
    const std::uint64_t words = words_of(axis_);
    for (std::size_t i = end; i-- > 0 && end - i <= kMaxLookBack;) {
      if (words != 0 && (rotations_[i].words & words) == 0) continue;
      count_work(axis_.size());
      const PauliTableau::Relation relation = tableau_.relation(axis_of(rotations_[i]), axis_);
      if (relation.same) return i;
      if (!relation.commute) return std::nullopt;
    }
    if (end > kMaxLookBack && ++distant_ > most_distant_) throw TooManyDistant();
    return std::nullopt;
  }

  Nests nests_;
  const Budget& budget_;
  std::size_t most_distant_;
  std::size_t distant_ = 0;  ///< rotations that might be merged with one beyond kMaxLookBack
  std::size_t work_ = 0;     ///< words since the last check of the clock
  PauliTableau tableau_;
  std::vector<Rotation> rotations_;
  std::vector<std::uint64_t> axes_;     ///< rows of the rotations' operators
  std::vector<std::size_t> free_axes_;  ///< unused rows in axes_
  /// Numbers of rotations by the keys of their operators. Most rotations are the first about
  /// theirs, and need not be compared with thousands of others.
  std::unordered_map<std::uint64_t, std::size_t> rotations_of_key_;
  std::vector<QuarterTurn> turns_;  ///< before the Clifford operator, in any order
  Angle phase_;
  bool is_inverse_ = false;
  bool has_reduced_nest_ = false;
  bool is_negated_ = false;  ///< whether the product has one more factor -1
  std::vector<std::uint64_t> axis_;
  std::vector<Wire> part_wires_;
  CliffordLog log_;
};

PlacedGate placed(const Step& step) {
  const auto& wires = step.operation.qubits;
  return {&step.operation, {wires.data(), wires.size()}};
}
const PlacedGate& placed(const PlacedGate& gate) { return gate; }

/// Compares two sequences of steps or of placed gates. `is_variable` returns whether an angle is
/// not a single phase between the circuits. Sets `has_reduced_nest` if rotations are left and some
/// had been replaced by the rest of a spider nest.
template <typename Gates, typename IsVariable>
Comparison compare_once(GateParts& parts, std::size_t wires, const Gates& left, const Gates& right,
                        const IsVariable& is_variable, const Budget& budget,
                        std::size_t most_distant, Nests nests, bool& has_reduced_nest) {
  try {
    RotationSequence sequence(wires, nests, budget, most_distant);
    const auto append = [&](const PlacedGate& gate, bool inverse) {
      sequence.append(parts.of(*gate.operation, inverse), gate.operation->angles, gate.wires);
    };
    for (const auto& gate : left) append(placed(gate), false);
    sequence.begin_inverse();
    for (auto gate = right.rbegin(); gate != right.rend(); ++gate) append(placed(*gate), true);
    sequence.merge_commuting();
    if (!sequence.is_identity()) {
      has_reduced_nest = sequence.has_reduced_nest();
      return unknown_because(kPauliRotationsName,
                             fmt::format("{} {} left", counted(sequence.rotations(), "rotation"),
                                         sequence.rotations() == 1 ? "is" : "are"));
    }
    if (is_variable(sequence.phase_up_to_eighths())) {
      return unknown_because(kPauliRotationsName, "the phase depends on a measured bit");
    }
    Comparison result = equal_by(kPauliRotationsName);
    // The product is the inverse of the right circuit times the left one.
    if (const std::optional<Angle> phase = std::move(sequence).phase_of_identity()) {
      result.exact_phase = -*phase;
      if (phase->is_constant()) result.phase = result.exact_phase->value_modulo(2);
    }
    return result;
  } catch (const TooManyDistant&) {
    Comparison result = unknown_because(kPauliRotationsName, "equal rotations are far apart");
    result.is_unfinished = true;
    return result;
  } catch (const OutOfBudget&) {
    return out_of_time_or_memory(kPauliRotationsName, budget);
  } catch (const Unsupported& unsupported) {
    return unknown_because(kPauliRotationsName,
                           unsupported.what + " is not a product of Pauli rotations");
  } catch (const OverflowError& error) {
    return unknown_because(kPauliRotationsName, error.what());
  }
}

/// Does the same. If one circuit has a spider nest that the other one has not, it is found; but if
/// both have the same rotations, a nest that others complete in one of them may keep these apart.
/// They are then compared as they are.
template <typename Gates, typename IsVariable>
Comparison compare_sides(GateParts& parts, std::size_t wires, const Gates& left, const Gates& right,
                         const IsVariable& is_variable, const Budget& budget,
                         std::size_t most_distant = kAnyDistant) {
  bool has_reduced_nest = false;
  Comparison result = compare_once(parts, wires, left, right, is_variable, budget, most_distant,
                                   Nests::reduced, has_reduced_nest);
  if (!has_reduced_nest) return result;
  return compare_once(parts, wires, left, right, is_variable, budget, most_distant, Nests::kept,
                      has_reduced_nest);
}

}  // namespace

Comparison compare_pauli_rotations(const Problem& problem, const Budget& budget,
                                   std::size_t most_distant) {
  if (!problem.conditions().empty())
    return unknown_because(kPauliRotationsName, "there are conditions");
  GateParts gates;
  const auto is_variable = [&](const Angle& phase) { return problem.depends_on_outcome(phase); };
  return compare_sides(gates, problem.wires.size(), problem.left, problem.right, is_variable,
                       budget, most_distant);
}

PauliRotations::PauliRotations() : gates_(std::make_unique<GateParts>()) {}
PauliRotations::~PauliRotations() = default;

namespace {

/// Returns whether a gate consists of rotations; one whose parts are not known does not.
bool is_rotation(GateParts& parts, const Operation& operation) {
  try {
    return consists_of_rotations(parts.of(operation, false));
  } catch (const Unsupported&) {
    return false;
  }
}

}  // namespace

Comparison PauliRotations::compare_moved(std::size_t wires, std::span<const MovableGate> gates,
                                         const Budget& budget) {
  // Rotations seldom pass gates as Clifford operators do, and to find that out takes longer than to
  // compare a few moved rotations.
  const bool only_rotations = std::ranges::all_of(gates, [&](const MovableGate& gate) {
    return gate.role == MovableGate::Role::stays || is_rotation(*gates_, *gate.gate.operation);
  });
  if (only_rotations) {
    Comparison moved = compare_moved_rotations(*gates_, wires, gates, budget.share(0.5));
    if (moved.outcome == Outcome::equal) return moved;
  }
  Comparison carried = compare_carried_cliffords(*gates_, wires, gates, budget);
  if (only_rotations || carried.outcome == Outcome::equal) return carried;
  return compare_moved_rotations(*gates_, wires, gates, budget);
}

std::vector<bool> PauliRotations::cone_of(std::size_t wires, std::span<const MovableGate> gates) {
  return difference_cone(*gates_, wires, gates);
}

Comparison PauliRotations::compare(std::size_t wires, std::span<const PlacedGate> left,
                                   std::span<const PlacedGate> right, const Budget& budget) {
  const auto is_variable = [](const Angle&) { return false; };
  return compare_sides(*gates_, wires, left, right, is_variable, budget);
}

}  // namespace quartz::certify
