#include "certify/pauli/pauli_rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "certify/pauli/affine_map.hpp"
#include "certify/pauli/clifford_log.hpp"
#include "certify/pauli/pauli_tableau.hpp"
#include "certify/problem/monomial_gate.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz::certify {
namespace {

constexpr const char* method_name = "Pauli rotations";

/// Largest number of earlier rotations with which a rotation is compared, so that the time stays
/// linear. Rotations that are not merged never make the result wrong.
constexpr std::size_t max_look_back = 4096;
/// Number of words compared between two checks of the clock: some milliseconds.
constexpr std::size_t words_a_look = std::size_t{1} << 22;

/// The angle of a rotation e^{-i angle/2 P}. To reduce the angle by 2 pi changes the sign of the
/// rotation, which is kept.
struct RotationAngle {
  Angle angle;
  bool is_negated = false;  ///< whether the rotation is multiplied by -1

  void add(const Angle& other) {
    const Rational sum = angle.pi_part() + other.pi_part();
    angle.add_phase(other);  // reduces the multiple of pi modulo 2
    if (angle.pi_part() == sum) return;
    const Rational turns = (sum - angle.pi_part()) * Rational(1, 2);
    if (turns.numerator() % 2 != 0) is_negated = !is_negated;
  }
};

/// A linear function of a gate's angles that is quick to evaluate.
class AngleFunction {
 public:
  /// `expression` uses the names of the gate's parameters.
  AngleFunction(const Angle& expression, const Gate& row) : constant_(expression) {
    std::map<std::string, Angle> zeros;
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      const std::string name(row.parameters[i]);
      for (const Angle::Term& term : expression.terms()) {
        if (term.symbol == name) factors_.emplace_back(i, term.coefficient);
      }
      zeros.emplace(name, Angle());
    }
    constant_ = expression.substitute(zeros);
  }

  [[nodiscard]] bool is_zero() const { return factors_.empty() && constant_.is_zero(); }
  [[nodiscard]] RotationAngle operator()(std::span<const Angle> angles) const {
    if (factors_.size() == 1 && factors_[0].second == Rational(1) && constant_.is_zero()) {
      return {angles[factors_[0].first]};
    }
    RotationAngle value{constant_};
    for (const auto& [parameter, factor] : factors_) value.add(angles[parameter] * factor);
    return value;
  }

 private:
  Angle constant_;
  std::vector<std::pair<std::size_t, Rational>> factors_;
};

/// A rotation e^{-i angle/2 Z...Z} on the operands in the mask.
struct ZRotation {
  unsigned operands = 0;
  AngleFunction angle;
};

/// A part of a gate: a Hadamard gate, or rotations followed by an affine map.
struct Part {
  bool is_hadamard = false;
  std::vector<ZRotation> rotations;
  AffineMap map;
  std::vector<MapStep> map_steps;  ///< the map as gates, in the order in which they act
  std::vector<unsigned> operands;  ///< operands of the gate that the part acts on
};

struct Parts {
  std::vector<Part> parts;
  AngleFunction phase;
};

unsigned parity(unsigned bits) { return static_cast<unsigned>(__builtin_parity(bits)); }

bool is_affine(const Gate& row) {
  if (!is_monomial_gate(row)) return false;
  std::vector<unsigned> output(row.dimension());
  for (const MatrixEntry& entry : row.matrix) output[entry.column] = entry.row;
  return affine_map(output).has_value();
}

/// Splits gates into parts, once for each kind of gate.
class GateParts {
 public:
  GateParts() : expansions_(is_affine), parts_(2 * gate_count()) {}

  /// Returns the parts of a gate or its inverse, valid until the next call.
  [[nodiscard]] const Parts& of(const Operation& operation, bool inverse) {
    if (operation.kind != OperationKind::gate) {
      throw Unsupported{fmt::format("the opaque operation '{}'", operation.classical->opaque_name)};
    }
    const std::size_t place = 2 * static_cast<std::size_t>(operation.gate) + (inverse ? 1 : 0);
    if (!parts_[place]) parts_[place] = parts_of(gate(operation.gate), inverse);
    return *parts_[place];
  }

 private:
  [[nodiscard]] Parts parts_of(const Gate& row, bool inverse) const {
    Operation operation = on_own_operands(row);
    for (const std::string_view name : row.parameters) {
      operation.angles.push_back(Angle::symbol(std::string(name)));
    }
    Splitting splitting{row, {}, {}};
    split(operation, inverse, splitting);
    return {std::move(splitting.parts), AngleFunction(splitting.phase, row)};
  }

  /// The parts of the gate `row` found so far.
  struct Splitting {
    const Gate& row;
    std::vector<Part> parts;
    Angle phase;
  };

  void split(const Operation& operation, bool inverse, Splitting& parts) const {
    if (!expansions_.knows(operation.gate)) {
      throw Unsupported{fmt::format("the gate '{}'", gate(operation.gate).name)};
    }
    if (operation.gate == GateKind::h) {
      parts.parts.push_back({true, {}, {}, {}, {operation.qubits.begin(), operation.qubits.end()}});
      return;
    }
    const Decomposition* const expansion = expansions_.of(operation.gate);
    if (expansion == nullptr && !inverse) return add_affine(operation, parts);
    Decomposition steps =
        expansion == nullptr ? inverse_of(operation) : instantiate(*expansion, operation);
    // The decomposition from inverse_of is already in the order of the inverse.
    const bool backwards = inverse && expansion != nullptr;
    if (backwards) std::reverse(steps.operations.begin(), steps.operations.end());
    for (const Operation& step : steps.operations) split(step, backwards, parts);
    parts.phase.add_phase(backwards ? -steps.phase : steps.phase);
  }

  /// Adds the rotations about products of Z (Walsh transform of the phases), and the map.
  static void add_affine(const Operation& operation, Splitting& parts) {
    const MonomialAction action = action_of(operation);
    Part part;
    part.operands.assign(operation.qubits.begin(), operation.qubits.end());
    part.map = *affine_map(action.output);
    part.map_steps = steps_of_map(action.output);
    const auto size = static_cast<unsigned>(action.phase.size());
    for (unsigned operands = 0; operands < size; ++operands) {
      Angle sum;
      for (unsigned b = 0; b < size; ++b) {
        sum += parity(operands & b) != 0 ? -action.phase[b] : action.phase[b];
      }
      const Angle mean = sum * Rational(1, static_cast<std::int64_t>(size));
      if (mean.is_zero()) continue;
      if (operands == 0) {
        parts.phase.add_phase(mean);
      } else {
        part.rotations.push_back({operands, AngleFunction(mean * Rational(-2), parts.row)});
      }
    }
    parts.parts.push_back(std::move(part));
  }

  Expansions expansions_;
  std::vector<std::optional<Parts>> parts_;  ///< by the gate and whether it is inverted
};

/// A sequence of rotations followed by the Clifford operator C. The first rotation acts first.
class RotationSequence {
 public:
  /// Throws OutOfBudget, as do the other functions.
  RotationSequence(std::size_t wires, const Budget& budget)
      : budget_(budget),
        tableau_(fits(wires, budget) ? wires : throw OutOfBudget()),
        axis_(tableau_.row_words()),
        log_(log_share * budget.memory_bytes) {}

  void append(const Parts& parts, const Operation& gate) {
    for (const Part& part : parts.parts) {
      const auto wire = [&](unsigned operand) { return gate.qubits[part.operands[operand]]; };
      if (part.is_hadamard) {
        std::ranges::swap_ranges(tableau_.x(wire(0)), tableau_.z(wire(0)));
        log_.add(CliffordLog::Kind::hadamard, wire(0));
        continue;
      }
      for (const ZRotation& rotation : part.rotations) {
        rotate(rotation.operands, rotation.angle(gate.angles), wire);
      }
      map(part.map, wire);
      for (const MapStep& step : part.map_steps) {
        if (step.kind != CliffordLog::Kind::x) {
          log_.add(CliffordLog::Kind::operand, wire(step.first));
        }
        log_.add(step.kind, wire(step.second));
      }
    }
    if (!parts.phase.is_zero()) phase_.add_phase(parts.phase(gate.angles).angle);
  }

  [[nodiscard]] std::size_t rotations() const { return rotations_.size(); }
  /// Returns whether there are no rotations and the Clifford operator is the identity.
  [[nodiscard]] bool is_identity() const { return rotations_.empty() && tableau_.is_identity(); }
  /// Returns the phase, except that of the Clifford operator and signs: up to multiples of pi/4.
  [[nodiscard]] const Angle& phase_up_to_eighths() const { return phase_; }
  /// Returns the phase of the product, which must be the identity up to a phase; nothing if the
  /// time or the memory do not suffice. Releases the tableau and all rotations.
  [[nodiscard]] std::optional<Angle> phase_of_identity() && {
    const std::size_t wires = tableau_.wires();
    tableau_ = PauliTableau(0);
    axes_ = {};
    const std::optional<unsigned> eighths = log_.phase_of_identity(wires, budget_);
    if (!eighths.has_value()) return std::nullopt;
    Angle phase = phase_;
    phase.add_phase(Angle::pi_times(Rational(*eighths + (is_negated_ ? 4 : 0), 4)));
    return phase;
  }

 private:
  /// Shares of the memory for the tableau, for the rotations' operators and for the log of Clifford
  /// gates. The vector of the operators doubles its size when it grows, so 0.45 are for it.
  static constexpr double tableau_share = 0.5;
  static constexpr double axes_share = 0.15;
  static constexpr double log_share = 0.05;

  [[nodiscard]] static bool fits(std::size_t wires, const Budget& budget) {
    return PauliTableau::bytes(wires) <= tableau_share * budget.memory_bytes;
  }
  void count_work(std::size_t words) {
    work_ += words;
    if (work_ < words_a_look) return;
    work_ = 0;
    if (budget_.spent()) throw OutOfBudget();
  }

  struct Rotation {
    std::size_t axis = 0;  ///< index of its row's first word in axes_
    Angle angle;
  };

  [[nodiscard]] ConstPauliRow axis_of(const Rotation& rotation) const {
    return std::span(axes_).subspan(rotation.axis, axis_.size());
  }

  template <typename WireOf>
  void rotate(unsigned operands, RotationAngle rotation, const WireOf& wire) {
    count_work(axis_.size());
    std::fill(axis_.begin(), axis_.end(), 0);
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) != 0) tableau_.multiply(axis_, tableau_.z(wire(i)));
    }
    if (const auto before = last_about_axis()) {
      Rotation& merged = rotations_[*before];
      const bool negative = tableau_.phase(axis_of(merged)) != tableau_.phase(ConstPauliRow(axis_));
      rotation.add(negative ? -merged.angle : merged.angle);
      free_axes_.push_back(merged.axis);
      rotations_.erase(rotations_.begin() + static_cast<std::ptrdiff_t>(*before));
    }
    if (rotation.is_negated) is_negated_ = !is_negated_;
    Angle& angle = rotation.angle;
    const std::int64_t quarters = (angle.pi_part() * Rational(2)).floor();
    if (quarters != 0) {
      angle += Angle::pi_times(Rational(-quarters, 2));
      if ((quarters & 4) != 0) is_negated_ = !is_negated_;  // four quarter turns are -1
      turn(operands, static_cast<unsigned>(quarters & 3), wire);
    }
    if (angle.is_zero()) return;
    std::size_t place = axes_.size();
    if (free_axes_.empty()) {
      if (static_cast<double>(place * sizeof(std::uint64_t)) > axes_share * budget_.memory_bytes) {
        throw OutOfBudget();
      }
      axes_.resize(place + axis_.size());
    } else {
      place = free_axes_.back();
      free_axes_.pop_back();
    }
    std::ranges::copy(axis_, axes_.begin() + static_cast<std::ptrdiff_t>(place));
    rotations_.push_back({place, std::move(angle)});
  }

  /// Replaces C by C e^{-i quarters pi/4 P} = e^{-i quarters pi/4 Z...Z} C, for P in axis_ and Z on
  /// the operands.
  template <typename WireOf>
  void turn(unsigned operands, unsigned quarters, const WireOf& wire) {
    if (quarters == 0) return;
    // Only the operators X of the operands do not commute with Z...Z.
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) == 0) continue;
      const PauliRow row = tableau_.x(wire(i));
      // A becomes A (-i P) for a quarter turn, -A for two, A (i P) for three.
      if (quarters % 2 == 1) tableau_.multiply(row, axis_);
      tableau_.phase(row) = (tableau_.phase(row) + 4 - quarters) % 4;
      const bool is_last = operands >> i == 1;
      log_.add(is_last ? CliffordLog::Kind::rotate_z : CliffordLog::Kind::operand, wire(i),
               quarters);
    }
  }

  /// Returns the last rotation about axis_ or its negative if all rotations after it commute with
  /// it.
  [[nodiscard]] std::optional<std::size_t> last_about_axis() {
    const std::size_t end = rotations_.size();
    for (std::size_t i = end; i-- > 0 && end - i <= max_look_back;) {
      count_work(axis_.size());
      const PauliTableau::Relation relation = tableau_.relation(axis_of(rotations_[i]), axis_);
      if (relation.same) return i;
      if (!relation.commute) return std::nullopt;
    }
    return std::nullopt;
  }

  template <typename WireOf>
  void map(const AffineMap& map, const WireOf& wire) {
    const std::size_t words = tableau_.row_words();
    count_work(words * map.rows.size());
    images_.assign(map.rows.size() * words, 0);
    const auto image = [&](std::size_t i) { return std::span(images_).subspan(i * words, words); };
    for (std::size_t i = 0; i < map.rows.size(); ++i) {
      const AffineMap::Row& row = map.rows[i];
      if (row.negative) tableau_.phase(image(i)) = 2;
      for (unsigned j = 0; row.factors >> j != 0; ++j) {
        if ((row.factors >> j & 1U) == 0) continue;
        tableau_.multiply(image(i), row.is_x ? tableau_.x(wire(j)) : tableau_.z(wire(j)));
      }
    }
    for (std::size_t i = 0; i < map.rows.size(); ++i) {
      const AffineMap::Row& row = map.rows[i];
      const Wire target = wire(row.operand);
      std::ranges::copy(image(i), (row.is_x ? tableau_.x(target) : tableau_.z(target)).begin());
    }
  }

  const Budget& budget_;
  std::size_t work_ = 0;  ///< words since the last check of the clock
  PauliTableau tableau_;
  std::vector<Rotation> rotations_;
  std::vector<std::uint64_t> axes_;     ///< rows of the rotations' operators
  std::vector<std::size_t> free_axes_;  ///< unused rows in axes_
  Angle phase_;
  bool is_negated_ = false;  ///< whether the product has one more factor -1
  std::vector<std::uint64_t> axis_;
  std::vector<std::uint64_t> images_;
  CliffordLog log_;
};

}  // namespace

Comparison compare_pauli_rotations(const Problem& problem, const Budget& budget) {
  if (!problem.conditions().empty()) return unknown_because(method_name, "there are conditions");
  try {
    GateParts gates;
    RotationSequence sequence(problem.wires.size(), budget);
    const auto append = [&](const Step& step, bool inverse) {
      sequence.append(gates.of(step.operation, inverse), step.operation);
    };
    for (const Step& step : problem.left) append(step, false);
    for (auto step = problem.right.rbegin(); step != problem.right.rend(); ++step) {
      append(*step, true);
    }
    if (!sequence.is_identity()) {
      return unknown_because(method_name,
                             fmt::format("{} rotations are left", sequence.rotations()));
    }
    if (problem.depends_on_outcome(sequence.phase_up_to_eighths())) {
      return unknown_because(method_name, "the phase depends on a measured bit");
    }
    Comparison result = equal_by(method_name);
    // The product is the inverse of the right circuit times the left one.
    if (const std::optional<Angle> phase = std::move(sequence).phase_of_identity()) {
      result.exact_phase = -*phase;
      if (phase->is_constant()) result.phase = result.exact_phase->value_modulo(2);
    }
    return result;
  } catch (const OutOfBudget&) {
    return unknown_because(method_name, "out of time or memory");
  } catch (const Unsupported& unsupported) {
    return unknown_because(method_name, unsupported.what + " is not a product of Pauli rotations");
  } catch (const OverflowError& error) {
    return unknown_because(method_name, error.what());
  }
}

}  // namespace quartz::certify
