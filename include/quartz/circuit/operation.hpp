#pragma once

#include <boost/container/small_vector.hpp>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quartz/algebra/angle.hpp"

namespace quartz {

/// Index of a gate in the gate table, with its names there; custom gates have further values.
enum class GateKind : std::uint8_t {
#define QUARTZ_GATE(name, ...) name,
#include "quartz/circuit/gates.inc"
#undef QUARTZ_GATE
};

using Qubit = std::uint32_t;
using ClassicalBit = std::uint32_t;

enum class OperationKind : std::uint8_t {
  gate,     ///< a unitary of the gate table, the only kind that is optimized
  measure,  ///< one qubit into one classical bit, or its outcome is not kept
  reset,    ///< one qubit to |0>
  barrier,  ///< over its qubits
  opaque,   ///< a named operation about which nothing is known
};

/// A comparison, `register == value`: the register's index in Circuit::bit_registers; or one bit of
/// it. Where negated, `register != value`; a single bit has the other value instead.
struct Condition {
  std::uint32_t bit_register = 0;
  std::uint64_t value = 0;
  /// The bit's index in the register; none for the whole register (as for one of a single bit).
  std::optional<std::uint32_t> element = {};
  bool negated = false;
  friend bool operator==(const Condition&, const Condition&) = default;
};

/// What only operations that are no plain gates have. Kept apart so that a gate stays small.
struct ClassicalPart {
  /// measure: where the result goes; none where it is not kept.
  std::vector<ClassicalBit> bits;
  /// Of an operation of any kind: it is done where all of them hold, the outermost `if` first.
  std::vector<Condition> conditions;
  /// opaque: its name, or of a delay its duration as well: "delay[100ns]".
  std::string opaque_name;
  friend bool operator==(const ClassicalPart&, const ClassicalPart&) = default;
};

/// One step of a circuit.
struct Operation {
  OperationKind kind = OperationKind::gate;
  GateKind gate{};  ///< meaningful where kind is gate
  boost::container::small_vector<Qubit, 3> qubits;
  std::vector<Angle> angles;  ///< one per parameter of the gate (or of the opaque gate)
  std::shared_ptr<const ClassicalPart> classical;  ///< null for a plain gate; never changed

  /// None for an unconditional operation.
  [[nodiscard]] std::span<const Condition> conditions() const noexcept {
    return classical != nullptr ? std::span(classical->conditions) : std::span<const Condition>();
  }
  /// Anything but an unconditional gate of the table: never crossed. Gates under the same
  /// conditions are rewritten among themselves, everything else stays as it is.
  [[nodiscard]] bool is_wall() const noexcept {
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

/// A plain gate operation.
[[nodiscard]] inline Operation make_operation(GateKind gate, std::initializer_list<Qubit> qubits,
                                              std::vector<Angle> angles = {}) {
  Operation operation;
  operation.gate = gate;
  operation.qubits.assign(qubits.begin(), qubits.end());
  operation.angles = std::move(angles);
  return operation;
}

}  // namespace quartz
