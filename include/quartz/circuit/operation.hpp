#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quartz/algebra/angle.hpp"
#include "quartz/base/small_vector.hpp"
#include "quartz/circuit/bit_expression.hpp"

namespace quartz {

/// Index of a gate in the gate table. The enumerators are named like the gates of gates.inc; custom
/// gates have further values.
enum class GateKind : std::uint16_t {
#define QUARTZ_GATE(name, ...) name,
#include "quartz/circuit/gates.inc"
#undef QUARTZ_GATE
};

/// Number of gates of gates.inc, which have the first values of GateKind.
inline constexpr std::size_t kBuiltInGates = 0
#define QUARTZ_GATE(name, ...) +1
#include "quartz/circuit/gates.inc"
#undef QUARTZ_GATE
    ;

/// Returns whether the gate is a custom gate (custom_gate.hpp) and not a gate of gates.inc.
[[nodiscard]] constexpr bool is_custom(GateKind kind) {
  return static_cast<std::size_t>(kind) >= kBuiltInGates;
}

namespace circuit {
/// Returns the order of two custom gates by what they are.
[[nodiscard]] std::strong_ordering order_of_custom_gates(GateKind a, GateKind b);
}  // namespace circuit

/// Orders gates as gates.inc has them, before custom gates, which are ordered by their names and
/// definitions. The values of custom gates depend on what was defined before, and must not order
/// anything that a result depends on.
[[nodiscard]] inline std::strong_ordering operator<=>(GateKind a, GateKind b) {
  if (!is_custom(a) || !is_custom(b) || a == b) {
    return static_cast<std::uint16_t>(a) <=> static_cast<std::uint16_t>(b);
  }
  return circuit::order_of_custom_gates(a, b);
}
// The language would compare the values if these were left to the operator above.
[[nodiscard]] inline bool operator<(GateKind a, GateKind b) { return (a <=> b) < 0; }
[[nodiscard]] inline bool operator>(GateKind a, GateKind b) { return (a <=> b) > 0; }
[[nodiscard]] inline bool operator<=(GateKind a, GateKind b) { return (a <=> b) <= 0; }
[[nodiscard]] inline bool operator>=(GateKind a, GateKind b) { return (a <=> b) >= 0; }

/// Index of a qubit in a circuit.
using Qubit = std::uint32_t;
/// Index of a classical bit in a circuit.
using ClassicalBit = std::uint32_t;

/// The kinds of operations in a circuit.
enum class OperationKind : std::uint8_t {
  gate,     ///< a unitary of the gate table, the only kind that is optimized
  measure,  ///< measures a qubit into a classical bit, or discards the outcome
  reset,    ///< resets one qubit to |0>
  barrier,  ///< orders the operations on its qubits
  opaque,   ///< an operation about which nothing is known but its OpaqueKind and its name
};

/// What an opaque operation stands for.
enum class OpaqueKind : std::uint8_t {
  gate,           ///< a gate of which only the name is known
  verbatim_gate,  ///< a gate of the table that must not change: Operation::gate
  delay,          ///< a delay on a set of qubits
  no_operation,   ///< a `nop` of OpenQASM 3 on a set of qubits
  // Statements, which the circuit keeps as they stand. They are on all its qubits, so that nothing
  // is moved across them.
  statement,     ///< an assignment to classical bits, the call of an external function and the like
  pragma,        ///< a pragma, which ends its line
  input,         ///< the declaration of an input of type bool, which writes the bit
  output,        ///< the declaration of an output
  box,           ///< the beginning of a box, which is executed exactly once
  loop,          ///< the beginning of a block that may be executed any number of times
  end_of_block,  ///< the end of a box or of a loop
};

/// A comparison `register == value`, where `bit_register` is an index in Circuit::bit_registers, or
/// a test of one bit of the register. If negated, the comparison is `register != value`; a negated
/// test of a single bit has the other value instead. Any other function of the classical bits is an
/// expression, which must not be zero (must be zero if negated); it has no register.
struct Condition {
  std::uint32_t bit_register = 0;
  std::uint64_t value = 0;
  /// The bit's index in the register. Empty if the whole register is compared, and also if the
  /// register has a single bit.
  std::optional<std::uint32_t> element = {};
  bool negated = false;
  BitExpressionPointer expression = {};  ///< null for a comparison

  friend bool operator==(const Condition& a, const Condition& b) {
    const bool same_expression = a.expression == nullptr || b.expression == nullptr
                                     ? a.expression == b.expression
                                     : *a.expression == *b.expression;
    return same_expression && a.bit_register == b.bit_register && a.value == b.value &&
           a.element == b.element && a.negated == b.negated;
  }
};

/// The part of an operation that is not a plain gate. It is stored separately so that a gate stays
/// small.
struct ClassicalPart {
  /// measure: the bit that receives the result; empty if the result is discarded.
  std::vector<ClassicalBit> bits;
  /// Conditions of an operation of any kind, which is executed if all of them hold; the outermost
  /// `if` is first.
  std::vector<Condition> conditions;
  /// opaque: the name of the gate, or the text of the statement: "delay[100ns]".
  std::string opaque_name;
  OpaqueKind opaque_kind = OpaqueKind::gate;
  /// opaque: whether the text may name qubits, which must then be in their places.
  bool names_qubits = false;
  friend bool operator==(const ClassicalPart&, const ClassicalPart&) = default;
};

/// The qubits of an operation. Those of most gates are in the operation itself.
using QubitList = SmallVector<Qubit, 3>;
/// The angles of an operation. One angle is in the operation itself.
using AngleList = SmallVector<Angle, 1>;

/// One operation of a circuit. Circuits have millions of them: a gate on up to three qubits with up
/// to one angle is 56 bytes, and nothing elsewhere.
struct Operation {
  OperationKind kind = OperationKind::gate;
  GateKind gate{};  ///< meaningful if `kind` is gate, and for an OpaqueKind::verbatim_gate
  QubitList qubits;
  AngleList angles;  ///< one per parameter of the gate (or of the opaque gate)
  std::shared_ptr<const ClassicalPart> classical;  ///< null for a plain gate; immutable

  /// Returns the conditions, which are empty for an unconditional operation.
  [[nodiscard]] std::span<const Condition> conditions() const noexcept {
    return classical != nullptr ? std::span(classical->conditions) : std::span<const Condition>();
  }
  /// Returns whether the operation is an optimization boundary: anything but an unconditional gate
  /// of the table. No rewrite crosses it on its own qubits. Gates under the same conditions are
  /// rewritten among themselves; every other boundary stays as it is.
  [[nodiscard]] bool is_boundary() const noexcept {
    return kind != OperationKind::gate || classical != nullptr;
  }

  friend bool operator==(const Operation& a, const Operation& b) {
    if (a.kind != b.kind || a.gate != b.gate || a.qubits != b.qubits || a.angles != b.angles) {
      return false;
    }
    if ((a.classical == nullptr) != (b.classical == nullptr)) return false;
    return a.classical == nullptr || *a.classical == *b.classical;
  }
};

static_assert(sizeof(void*) != 8 || sizeof(Operation) == 56, "a gate stays small");

/// Returns an unconditional gate operation.
[[nodiscard]] inline Operation make_operation(GateKind gate, std::initializer_list<Qubit> qubits,
                                              AngleList angles = {}) {
  Operation operation;
  operation.gate = gate;
  operation.qubits = qubits;
  operation.angles = std::move(angles);
  return operation;
}

}  // namespace quartz
