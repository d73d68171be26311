#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::rewrite {

/// A gate with its angles, as a number assigned by a LabelTable.
using Label = std::uint32_t;
/// A global phase, as a number assigned by a LabelTable. 0 is no phase.
using PhaseNumber = std::uint32_t;

/// A gate as a search stores it, in 8 bytes. Qubits are numbered within the circuit searched.
struct PackedGate {
  Label label = 0;
  std::array<std::uint8_t, 3> qubits{};
  std::uint8_t size = 0;

  friend bool operator==(const PackedGate&, const PackedGate&) = default;
};

/// Maximum number of qubits of a packed circuit: a set of qubits fits 64 bits.
inline constexpr std::uint32_t kPackedQubits = 64;

[[nodiscard]] inline std::uint64_t qubit_mask(const PackedGate& gate) {
  std::uint64_t mask = 0;
  for (std::uint8_t i = 0; i < gate.size; ++i) mask |= std::uint64_t{1} << gate.qubits[i];
  return mask;
}

/// Numbers gates with their angles, and phases, so that a search compares and copies small
/// integers. Angles are normalized. Not thread-safe: each search has its own table.
class LabelTable {
 public:
  struct Entry {
    GateKind gate{};
    AngleList angles;
    /// Depends only on the gate, never on the order of interning, so that every run of a search
    /// takes the same course.
    std::uint64_t hash = 0;
    /// Content of an opaque operation, which equals no other one; null for gates.
    std::shared_ptr<const ClassicalPart> opaque = {};
  };
  /// A gate in the table: the gate equals e^{i phase} times the labelled gate, or times the
  /// identity.
  struct Interned {
    Label label = 0;
    bool identity = false;
    PhaseNumber phase = 0;
  };

  LabelTable();

  [[nodiscard]] Interned intern(GateKind gate, AngleList angles);
  /// Returns a new label for an opaque operation without angles.
  [[nodiscard]] Label add_opaque(const Operation& operation);
  [[nodiscard]] PhaseNumber intern_phase(const Angle& phase);
  [[nodiscard]] PhaseNumber add_phases(PhaseNumber a, PhaseNumber b);

  [[nodiscard]] const Entry& entry(Label label) const { return entries_[label]; }
  /// Returns the labelled gate on some qubits.
  template <typename Qubits>
  [[nodiscard]] Operation operation(Label label, const Qubits& qubits) const {
    Operation operation;
    operation.gate = entries_[label].gate;
    operation.angles = entries_[label].angles;
    if (entries_[label].opaque != nullptr) {
      operation.kind = OperationKind::opaque;
      operation.classical = entries_[label].opaque;
    }
    operation.qubits.assign(qubits.begin(), qubits.end());
    return operation;
  }
  [[nodiscard]] const Angle& phase(PhaseNumber number) const { return phases_[number]; }

 private:
  struct KeyHash {
    std::size_t operator()(const std::pair<GateKind, AngleList>& key) const noexcept;
  };

  std::vector<Entry> entries_;
  std::unordered_map<std::pair<GateKind, AngleList>, Label, KeyHash> labels_;
  std::vector<Angle> phases_;
  std::unordered_map<Angle, PhaseNumber> phase_numbers_;
};

/// Gates as a search stores them, with their global phase.
struct PackedCircuit {
  std::vector<PackedGate> gates;
  PhaseNumber phase = 0;
};

/// Packs gates on qubits below kPackedQubits with at most three operands; omits gates that are the
/// identity.
[[nodiscard]] PackedCircuit pack(std::span<const Operation> gates, LabelTable& labels);
/// Returns the gates as operations; their phase is labels.phase(circuit.phase).
[[nodiscard]] std::vector<Operation> unpack(std::span<const PackedGate> gates,
                                            const LabelTable& labels);

}  // namespace quartz::rewrite
