#include "certify/pauli/pauli_rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

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
  [[nodiscard]] Angle operator()(std::span<const Angle> angles) const {
    if (factors_.size() == 1 && factors_[0].second == Rational(1) && constant_.is_zero()) {
      return angles[factors_[0].first];
    }
    Angle value = constant_;
    for (const auto& [parameter, factor] : factors_) value.add_phase(angles[parameter] * factor);
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

/// A map b -> M b + v of basis states, as the images of the operands' Pauli operators when they are
/// pulled back through it. Unchanged operators are omitted.
struct AffineMap {
  struct Row {
    unsigned operand = 0;
    bool is_x = false;
    unsigned factors = 0;  ///< the operands whose X, or Z, are multiplied
    bool negative = false;
  };
  std::vector<Row> rows;
};

/// A part of a gate: a Hadamard gate, or rotations followed by an affine map.
struct Part {
  bool is_hadamard = false;
  std::vector<ZRotation> rotations;
  AffineMap map;
  std::vector<unsigned> operands;  ///< operands of the gate that the part acts on
};

struct Parts {
  std::vector<Part> parts;
  AngleFunction phase;
};

unsigned parity(unsigned bits) { return static_cast<unsigned>(__builtin_parity(bits)); }

/// Returns nothing if the map is not affine.
std::optional<AffineMap> affine_map(const std::vector<unsigned>& output) {
  const unsigned shift = output[0];
  const auto size = static_cast<unsigned>(output.size());
  for (unsigned b = 0; b < size; ++b) {
    unsigned image = shift;
    for (unsigned j = 0; (1U << j) < size; ++j) {
      if ((b >> j & 1U) != 0) image ^= output[1U << j] ^ shift;
    }
    if (image != output[b]) return std::nullopt;
  }
  AffineMap map;
  for (unsigned i = 0; (1U << i) < size; ++i) {
    // The Z of an output bit is the parity of the input bits in its expression.
    AffineMap::Row z{i, false, 0, (shift >> i & 1U) != 0};
    for (unsigned j = 0; (1U << j) < size; ++j) {
      if (((output[1U << j] ^ shift) >> i & 1U) != 0) z.factors |= 1U << j;
    }
    if (z.factors != 1U << i || z.negative) map.rows.push_back(z);
    // Flipping an output bit equals flipping the input bits that are mapped to that bit alone.
    const auto flipped = std::find(output.begin(), output.end(), shift ^ (1U << i));
    const AffineMap::Row x{i, true, static_cast<unsigned>(flipped - output.begin()), false};
    if (x.factors != 1U << i) map.rows.push_back(x);
  }
  return map;
}

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
      parts.parts.push_back({true, {}, {}, {operation.qubits.begin(), operation.qubits.end()}});
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
        axis_(tableau_.row_words()) {}

  void append(const Parts& parts, const Operation& gate) {
    for (const Part& part : parts.parts) {
      const auto wire = [&](unsigned operand) { return gate.qubits[part.operands[operand]]; };
      if (part.is_hadamard) {
        std::ranges::swap_ranges(tableau_.x(wire(0)), tableau_.z(wire(0)));
        continue;
      }
      for (const ZRotation& rotation : part.rotations) {
        rotate(rotation.operands, rotation.angle(gate.angles), wire);
      }
      map(part.map, wire);
    }
    if (!parts.phase.is_zero()) phase_.add_phase(parts.phase(gate.angles));
  }

  [[nodiscard]] std::size_t rotations() const { return rotations_.size(); }
  /// Returns whether there are no rotations and the Clifford operator is the identity.
  [[nodiscard]] bool is_identity() const { return rotations_.empty() && tableau_.is_identity(); }
  /// Returns the phase, except that of the Clifford operator, which is a multiple of pi/4.
  [[nodiscard]] const Angle& phase() const { return phase_; }

 private:
  /// Shares of the memory for the tableau and for the rotations' operators. The vector of the
  /// latter doubles its size when it grows, so half of the memory is for it.
  static constexpr double tableau_share = 0.5;
  static constexpr double axes_share = 0.15;

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
  void rotate(unsigned operands, Angle angle, const WireOf& wire) {
    count_work(axis_.size());
    std::fill(axis_.begin(), axis_.end(), 0);
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) != 0) tableau_.multiply(axis_, tableau_.z(wire(i)));
    }
    if (const auto before = last_about_axis()) {
      Rotation& merged = rotations_[*before];
      const bool negative = tableau_.phase(axis_of(merged)) != tableau_.phase(ConstPauliRow(axis_));
      // The sum is reduced modulo 2 pi, which changes only the global phase.
      angle.add_phase(negative ? -merged.angle : merged.angle);
      free_axes_.push_back(merged.axis);
      rotations_.erase(rotations_.begin() + static_cast<std::ptrdiff_t>(*before));
    }
    const std::int64_t quarters = (angle.pi_part() * Rational(2)).floor();
    if (quarters != 0) {
      angle += Angle::pi_times(Rational(-quarters, 2));
      // Replace C by C e^{-i quarters pi/4 P}. Only the operators X of the gate's operands do not
      // commute with Z...Z.
      const auto turns = static_cast<std::uint64_t>(quarters & 3);
      for (unsigned i = 0; operands >> i != 0; ++i) {
        if ((operands >> i & 1U) == 0) continue;
        const PauliRow row = tableau_.x(wire(i));
        // A becomes A (-i P) for a quarter turn, -A for two, A (i P) for three.
        if (turns % 2 == 1) tableau_.multiply(row, axis_);
        tableau_.phase(row) = (tableau_.phase(row) + 4 - turns) % 4;
      }
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
  std::vector<std::uint64_t> axis_;
  std::vector<std::uint64_t> images_;
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
    if (problem.depends_on_outcome(sequence.phase())) {
      return unknown_because(method_name, "the phase depends on a measured bit");
    }
    return equal_by(method_name);
  } catch (const OutOfBudget&) {
    return unknown_because(method_name, "out of time or memory");
  } catch (const Unsupported& unsupported) {
    return unknown_because(method_name, unsupported.what + " is not a product of Pauli rotations");
  } catch (const OverflowError& error) {
    return unknown_because(method_name, error.what());
  }
}

}  // namespace quartz::certify
