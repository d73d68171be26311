#include "certify/pauli/carried_cliffords.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "certify/pauli/clifford_log.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

constexpr const char* kCarriedCliffordsName = "carried Clifford gates";
/// Most rotations behind the Clifford operator of a wire. Removed and inserted gates alternate, so
/// that few are open at the same time.
constexpr std::size_t kMaxOpenRotations = 16;

/// X, Y and Z.
using Axis = std::uint8_t;
constexpr std::size_t kAxes = 3;
constexpr Axis kX = 0;
constexpr Axis kZ = 2;

struct SignedAxis {
  Axis axis = 0;
  bool is_negative = false;
};

/// A Clifford operator of one qubit with its phase, exactly: its non-zero entries are powers of
/// w = e^{i pi/4}, divided by sqrt(2) if there are four of them.
class CliffordMatrix {
 public:
  static constexpr std::uint8_t kZero = 8;
  using Entries = std::array<std::uint8_t, 4>;  ///< exponents of w or kZero, row by row

  constexpr explicit CliffordMatrix(const Entries& entries) : entries_(entries) {}

  [[nodiscard]] const Entries& entries() const { return entries_; }
  [[nodiscard]] CliffordMatrix adjoint() const {
    const auto conjugate = [](std::uint8_t entry) {
      return entry == kZero ? kZero : static_cast<std::uint8_t>((8 - entry) % 8);
    };
    return CliffordMatrix({conjugate(entries_[0]), conjugate(entries_[2]), conjugate(entries_[1]),
                           conjugate(entries_[3])});
  }
  friend CliffordMatrix operator*(const CliffordMatrix& left, const CliffordMatrix& right) {
    Entries product{};
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t column = 0; column < 2; ++column) {
        product[2 * row + column] =
            sum(exponent(left.entries_[2 * row], right.entries_[column]),
                exponent(left.entries_[2 * row + 1], right.entries_[2 + column]));
      }
    }
    return CliffordMatrix(product);
  }
  friend auto operator<=>(const CliffordMatrix&, const CliffordMatrix&) = default;

 private:
  /// Returns the product of two entries without their factors 1/sqrt(2).
  static std::uint8_t exponent(std::uint8_t left, std::uint8_t right) {
    return left == kZero || right == kZero ? kZero : static_cast<std::uint8_t>((left + right) % 8);
  }
  /// Returns the sum of two products. If neither is zero, both factors have four entries, and the
  /// sum is w^a (1 + w^d) / 2: zero for d = 4, w^a for d = 0, and w^(a + d/2) / sqrt(2) otherwise,
  /// where d is 2 or -2.
  static std::uint8_t sum(std::uint8_t first, std::uint8_t second) {
    if (first == kZero) return second;
    if (second == kZero) return first;
    switch ((second + 8 - first) % 8) {
      case 0:
        return first;
      case 4:
        return kZero;
      case 2:
        return static_cast<std::uint8_t>((first + 1) % 8);
      case 6:
        return static_cast<std::uint8_t>((first + 7) % 8);
      default:
        throw InternalError("the entries of a Clifford operator differ by powers of i");
    }
  }

  Entries entries_;
};

/// The group of these operators, with numbers for its 192 elements, and what is known about each.
class CliffordGroup {
 public:
  using Element = std::uint8_t;
  static constexpr std::size_t kSize = 192;

  CliffordGroup() {
    constexpr std::uint8_t kZero = CliffordMatrix::kZero;
    const CliffordMatrix hadamard({0, 0, 0, 4});
    const CliffordMatrix turn({7, kZero, kZero, 1});
    const CliffordMatrix phase({1, kZero, kZero, 1});
    add(CliffordMatrix({0, kZero, kZero, 0}));
    for (std::size_t i = 0; i < matrices_.size(); ++i) {
      for (const CliffordMatrix& factor : {hadamard, turn, phase}) add(factor * matrices_[i]);
    }
    ensure(matrices_.size() == kSize, "the Clifford group of one qubit has 24 elements and phases");
    for (std::size_t i = 0; i < kSize; ++i) {
      inverse_[i] = number_of(matrices_[i].adjoint());
      for (std::size_t j = 0; j < kSize; ++j) {
        products_[i * kSize + j] = number_of(matrices_[i] * matrices_[j]);
      }
    }
    hadamard_ = number_of(hadamard);
    const Element quarter = number_of(turn);
    const std::array turns{product(hadamard_, product(quarter, hadamard_)), Element{0}, quarter};
    for (std::size_t quarters = 1; quarters < 8; ++quarters) {
      for (const Axis axis : {kX, kZ}) {
        turns_[axis][quarters] = product(turns[axis], turns_[axis][quarters - 1]);
      }
    }
    // Y = i X Z, and e^{-i pi/4 Y} = e^{-i pi/4 Z} e^{-i pi/4 X} e^{i pi/4 Z}.
    const Element y = conjugated(turns_[kZ][1], turns_[kX][1]);
    for (std::size_t quarters = 1; quarters < 8; ++quarters) {
      turns_[1][quarters] = product(y, turns_[1][quarters - 1]);
    }
    for (std::size_t i = 0; i < kSize; ++i) {
      for (Axis axis = 0; axis < kAxes; ++axis) images_[i][axis] = find_image(i, axis);
    }
    const Element i_phase = number_of(CliffordMatrix({2, kZero, kZero, 2}));
    for (Axis axis = 0; axis < kAxes; ++axis) {
      paulis_[axis] = product(i_phase, turns_[axis][2]);  // P = i e^{-i pi/2 P}
    }
  }

  [[nodiscard]] Element product(Element left, Element right) const {
    return products_[left * kSize + right];
  }
  [[nodiscard]] Element inverse(Element element) const { return inverse_[element]; }
  /// Returns by Q Q^dagger.
  [[nodiscard]] Element conjugated(Element by, Element element) const {
    return product(by, product(element, inverse(by)));
  }
  [[nodiscard]] Element hadamard() const { return hadamard_; }
  [[nodiscard]] Element pauli(Axis axis) const { return paulis_[axis]; }
  /// Returns e^{-i quarters pi/4 P}, where `quarters` is below 8.
  [[nodiscard]] Element turn(Axis axis, std::size_t quarters) const {
    return turns_[axis][quarters];
  }
  /// Returns Q P Q^dagger.
  [[nodiscard]] SignedAxis image(Element element, Axis axis) const {
    return images_[element][axis];
  }
  /// Returns whether an element is w^k times the identity.
  [[nodiscard]] bool is_scalar(Element element) const {
    const CliffordMatrix::Entries& entries = matrices_[element].entries();
    return entries[1] == CliffordMatrix::kZero && entries[0] == entries[3];
  }
  /// Returns k of such an element.
  [[nodiscard]] unsigned exponent_of(Element scalar) const {
    return matrices_[scalar].entries()[0];
  }

 private:
  void add(const CliffordMatrix& matrix) {
    const auto number = static_cast<Element>(matrices_.size());
    if (numbers_.try_emplace(matrix.entries(), number).second) matrices_.push_back(matrix);
  }
  [[nodiscard]] Element number_of(const CliffordMatrix& matrix) const {
    return numbers_.at(matrix.entries());
  }
  /// Turns by two quarters are Pauli operators up to a phase, and conjugation by an element turns
  /// them into others.
  [[nodiscard]] SignedAxis find_image(std::size_t element, Axis axis) const {
    const Element image = conjugated(static_cast<Element>(element), turn(axis, 2));
    for (Axis other = 0; other < kAxes; ++other) {
      if (image == turn(other, 2)) return {other, false};
      if (image == turn(other, 6)) return {other, true};
    }
    throw InternalError("a Clifford operator maps Pauli operators to others");
  }

  std::vector<CliffordMatrix> matrices_;
  std::map<CliffordMatrix::Entries, Element> numbers_;
  std::vector<Element> products_ = std::vector<Element>(kSize * kSize);
  std::array<Element, kSize> inverse_{};
  std::array<std::array<Element, 8>, kAxes> turns_{};
  std::array<Element, kAxes> paulis_{};
  std::array<std::array<SignedAxis, kAxes>, kSize> images_{};
  Element hadamard_ = 0;
};

/// The operators on the wires between the two circuits. All functions throw Unsupported for what
/// leads to an operator of another kind.
class CarriedOperators {
 public:
  explicit CarriedOperators(std::size_t wires) : cliffords_(wires, 0), rotations_(wires) {}

  /// A gate on one wire that both circuits have, or one of them.
  void hadamard(Wire wire, MovableGate::Role role) { multiply(wire, group_.hadamard(), role); }
  void x(Wire wire, MovableGate::Role role) { multiply(wire, group_.pauli(kX), role); }
  void rotate_z(Wire wire, const RotationAngle& angle, MovableGate::Role role) {
    if (angle.angle.is_zero() && !angle.is_negated) return;
    if (role != MovableGate::Role::inserted) multiply_left(wire, angle);
    if (role != MovableGate::Role::removed) multiply_right(wire, angle);
  }

  // --- what both circuits have ---
  void cx(Wire control, Wire target) {
    if (is_scalar(control) && is_scalar(target)) return;
    const SignedAxis z = image(control, kZ);
    const SignedAxis x = image(target, kX);
    if (z.axis != kZ || x.axis != kX) throw Unsupported{"a gate that does not pass a CNOT"};
    // With X on the control, and with Z on the target, there is one on the other wire as well.
    if (x.is_negative) multiply_by(control, cliffords_[control], group_.pauli(kZ));
    if (z.is_negative) multiply_by(target, group_.pauli(kX), cliffords_[target]);
  }
  void swap(Wire first, Wire second) {
    std::swap(cliffords_[first], cliffords_[second]);
    std::swap(rotations_[first], rotations_[second]);
  }
  /// A rotation about Z...Z on several wires.
  void rotate_zz(unsigned operands, std::span<const Wire> wires) {
    bool is_negative = false;
    for (unsigned i = 0; operands >> i != 0; ++i) {
      if ((operands >> i & 1U) == 0) continue;
      const SignedAxis z = image(wires[i], kZ);
      if (z.axis != kZ) throw Unsupported{"a gate that does not pass a rotation"};
      is_negative = is_negative != z.is_negative;
    }
    if (is_negative) throw Unsupported{"a gate that inverts a rotation"};
  }

  /// Returns the phase of all operators if they are multiples of the identity. Throws Unsupported
  /// if they are not.
  [[nodiscard]] Angle phase() const {
    Angle phase = phase_;
    std::uint64_t eighths = 0;
    for (std::size_t wire = 0; wire < cliffords_.size(); ++wire) {
      if (!rotations_[wire].empty() || !group_.is_scalar(cliffords_[wire])) {
        throw Unsupported{"what is left on a wire"};
      }
      eighths += group_.exponent_of(cliffords_[wire]);
    }
    phase.add_phase(Angle::pi_times(Rational(static_cast<std::int64_t>(eighths % 8), 4)));
    return phase;
  }

 private:
  using Element = CliffordGroup::Element;
  /// The operator e^{-i angle/2 P}.
  struct Rotation {
    Axis axis = 0;
    Angle angle;
  };

  [[nodiscard]] bool is_scalar(Wire wire) const {
    return rotations_[wire].empty() && group_.is_scalar(cliffords_[wire]);
  }
  /// Returns the image of a Pauli operator under what is on a wire.
  [[nodiscard]] SignedAxis image(Wire wire, Axis axis) const {
    if (!rotations_[wire].empty()) throw Unsupported{"a gate that a rotation does not pass"};
    return group_.image(cliffords_[wire], axis);
  }
  void multiply_by(Wire wire, Element left, Element right) {
    cliffords_[wire] = group_.product(left, right);
  }
  void multiply(Wire wire, Element element, MovableGate::Role role) {
    if (role != MovableGate::Role::inserted) multiply_left(wire, element);
    if (role != MovableGate::Role::removed) {
      multiply_by(wire, cliffords_[wire], group_.inverse(element));
    }
  }
  void multiply_left(Wire wire, Element element) {
    for (Rotation& rotation : rotations_[wire]) {
      const SignedAxis image = group_.image(element, rotation.axis);
      rotation.axis = image.axis;
      if (image.is_negative) rotation.angle = -rotation.angle;
    }
    multiply_by(wire, element, cliffords_[wire]);
  }
  void multiply_left(Wire wire, const RotationAngle& angle) {
    std::vector<Rotation>& rotations = rotations_[wire];
    negate_if(angle.is_negated);
    Angle sum = angle.angle;
    if (!rotations.empty() && rotations.back().axis == kZ) {
      sum = added(sum, rotations.back().angle);
      rotations.pop_back();
    }
    if (const std::optional<unsigned> quarters = quarters_of(sum)) {
      multiply_left(wire, group_.turn(kZ, *quarters));
    } else {
      require_room(rotations);
      rotations.push_back({kZ, std::move(sum)});
    }
  }
  /// Multiplies by the inverse of a rotation about Z from the right, which is one about the image
  /// of Z to the left of the Clifford operator.
  void multiply_right(Wire wire, const RotationAngle& angle) {
    std::vector<Rotation>& rotations = rotations_[wire];
    negate_if(angle.is_negated);
    const SignedAxis z = group_.image(cliffords_[wire], kZ);
    Angle sum = z.is_negative ? angle.angle : -angle.angle;
    if (!rotations.empty() && rotations.front().axis == z.axis) {
      sum = added(sum, rotations.front().angle);
      rotations.erase(rotations.begin());
    }
    if (const std::optional<unsigned> quarters = quarters_of(sum)) {
      multiply_by(wire, group_.turn(z.axis, *quarters), cliffords_[wire]);
    } else {
      require_room(rotations);
      rotations.insert(rotations.begin(), {z.axis, std::move(sum)});
    }
  }
  static void require_room(const std::vector<Rotation>& rotations) {
    if (rotations.size() == kMaxOpenRotations) throw Unsupported{"a long list of rotations"};
  }
  /// Returns a + b, reduced by turns by 2 pi, of which each is -1.
  [[nodiscard]] Angle added(const Angle& a, const Angle& b) {
    RotationAngle sum{a};
    sum.add(b);
    negate_if(sum.is_negated);
    return std::move(sum.angle);
  }
  void negate_if(bool condition) {
    if (condition) phase_.add_phase(Angle::pi_times(Rational(1)));
  }
  /// Returns the number of quarter turns, below 8, if the angle is a multiple of pi/2.
  [[nodiscard]] static std::optional<unsigned> quarters_of(const Angle& angle) {
    if (!angle.is_pi_multiple()) return std::nullopt;
    const Rational part = angle.pi_part();
    if (part.denominator() > 2) return std::nullopt;
    const std::int64_t quarters = part.numerator() % 8 * (2 / part.denominator());
    return static_cast<unsigned>((quarters % 8 + 8) % 8);
  }

  /// Returns the group, whose tables are the same for all proofs.
  [[nodiscard]] static const CliffordGroup& the_group() {
    static const CliffordGroup group;
    return group;
  }

  const CliffordGroup& group_ = the_group();
  /// What is on each wire: the Clifford operator, and the rotations behind it in their order.
  std::vector<Element> cliffords_;
  std::vector<std::vector<Rotation>> rotations_;
  Angle phase_;
};

/// The proof for one pair of circuits. Throws OutOfBudget and Unsupported.
class CarriedCliffords {
 public:
  CarriedCliffords(GateParts& parts, std::size_t wires, const Budget& budget)
      : parts_(parts), operators_(wires), budget_(budget) {}

  [[nodiscard]] Comparison run(std::span<const MovableGate> gates) {
    for (const MovableGate& gate : gates) follow(gate);
    phase_.add_phase(operators_.phase());
    Comparison result = equal_by(kCarriedCliffordsName);
    // The circuit before is e^{i phase} times the circuit after.
    result.exact_phase = -phase_;
    if (phase_.is_constant()) result.phase = result.exact_phase->value_modulo(2);
    return result;
  }

 private:
  using Role = MovableGate::Role;

  void follow(const MovableGate& movable) {
    if (++steps_ % kGatesBetweenChecks == 0 && budget_.spent()) throw OutOfBudget();
    const Operation& operation = *movable.gate.operation;
    const Parts& parts = parts_.of(operation, false);
    const bool is_inserted = movable.role == Role::inserted;
    // The parts of an inserted gate are multiplied from the right one after the other, too: the
    // inverse of the first part is the first one behind the rest.
    for (const Part& part : parts.parts) follow(part, movable);
    if (movable.role == Role::stays || parts.phase.is_zero()) return;
    const RotationAngle phase = parts.phase(operation.angles);
    phase_.add_phase(is_inserted ? -phase.angle : phase.angle);
  }

  void follow(const Part& part, const MovableGate& movable) {
    const auto wire_of = [&](unsigned operand) {
      return movable.gate.wires[part.operands[operand]];
    };
    if (part.is_hadamard) {
      operators_.hadamard(wire_of(0), movable.role);
      return;
    }
    for (const ZRotation& rotation : part.rotations) {
      const bool is_on_one = (rotation.operands & (rotation.operands - 1)) == 0;
      if (is_on_one) {
        const auto operand = static_cast<unsigned>(__builtin_ctz(rotation.operands));
        operators_.rotate_z(wire_of(operand), rotation.angle(movable.gate.operation->angles),
                            movable.role);
        continue;
      }
      require_staying(movable);
      wires_.clear();
      for (unsigned i = 0; i < part.operands.size(); ++i) wires_.push_back(wire_of(i));
      operators_.rotate_zz(rotation.operands, wires_);
    }
    for (const MapStep& step : part.map_steps) {
      if (step.kind == CliffordLog::Kind::x) {
        operators_.x(wire_of(step.second), movable.role);
        continue;
      }
      require_staying(movable);
      if (step.kind == CliffordLog::Kind::swap) {
        operators_.swap(wire_of(step.first), wire_of(step.second));
      } else {
        operators_.cx(wire_of(step.first), wire_of(step.second));
      }
    }
  }

  static void require_staying(const MovableGate& movable) {
    if (movable.role != Role::stays) throw Unsupported{"a moved gate on several qubits"};
  }

  static constexpr std::uint64_t kGatesBetweenChecks = 1U << 14U;

  GateParts& parts_;
  CarriedOperators operators_;
  const Budget& budget_;
  std::uint64_t steps_ = 0;
  Angle phase_;
  std::vector<Wire> wires_;
};

}  // namespace

Comparison compare_carried_cliffords(GateParts& parts, std::size_t wires,
                                     std::span<const MovableGate> gates, const Budget& budget) {
  try {
    return CarriedCliffords(parts, wires, budget).run(gates);
  } catch (const OutOfBudget&) {
    return out_of_time_or_memory(kCarriedCliffordsName, budget);
  } catch (const Unsupported& unsupported) {
    return unknown_because(kCarriedCliffordsName, unsupported.what);
  } catch (const OverflowError& error) {
    return unknown_because(kCarriedCliffordsName, error.what());
  }
}

}  // namespace quartz::certify
