#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// A gate with its very angles, as a number that a LabelTable gives.
using Label = std::uint32_t;
/// A global phase, as a number that a LabelTable gives. 0 is no phase.
using PhaseNumber = std::uint32_t;

/// What a search stores of a gate: 8 bytes. Qubits are numbered within the circuit searched.
struct PackedGate {
  Label label = 0;
  std::array<std::uint8_t, 3> qubits{};
  std::uint8_t size = 0;

  friend bool operator==(const PackedGate&, const PackedGate&) = default;
};

/// The largest circuit a search packs: one bit a qubit.
inline constexpr std::uint32_t kPackedQubits = 64;

[[nodiscard]] inline std::uint64_t qubit_mask(const PackedGate& gate) {
  std::uint64_t mask = 0;
  for (std::uint8_t i = 0; i < gate.size; ++i) mask |= std::uint64_t{1} << gate.qubits[i];
  return mask;
}

/// Numbers gates-with-angles and phases, so that a search compares and copies small integers.
/// Angles are normalized. Not shared between threads: each search has its own.
class LabelTable {
 public:
  struct Entry {
    GateKind gate{};
    std::vector<Angle> angles;
    /// Depends on what the gate is only, never on the order of interning, so that a search takes
    /// the same course in every run.
    std::uint64_t hash = 0;
  };
  /// A gate brought into the table: e^{i phase} times the labelled gate, or times the identity.
  struct Interned {
    Label label = 0;
    bool identity = false;
    PhaseNumber phase = 0;
  };

  LabelTable();

  [[nodiscard]] Interned intern(GateKind gate, std::vector<Angle> angles);
  [[nodiscard]] PhaseNumber intern_phase(const Angle& phase);
  [[nodiscard]] PhaseNumber add_phases(PhaseNumber a, PhaseNumber b);

  [[nodiscard]] const Entry& entry(Label label) const { return entries_[label]; }
  /// The labelled gate on some qubits.
  template <typename Qubits>
  [[nodiscard]] Operation operation(Label label, const Qubits& qubits) const {
    Operation operation;
    operation.gate = entries_[label].gate;
    operation.angles = entries_[label].angles;
    operation.qubits.assign(qubits.begin(), qubits.end());
    return operation;
  }
  [[nodiscard]] const Angle& phase(PhaseNumber number) const { return phases_[number]; }

 private:
  struct KeyHash {
    std::size_t operator()(const std::pair<GateKind, std::vector<Angle>>& key) const noexcept;
  };

  std::vector<Entry> entries_;
  std::unordered_map<std::pair<GateKind, std::vector<Angle>>, Label, KeyHash> labels_;
  std::vector<Angle> phases_;
  std::unordered_map<Angle, PhaseNumber> phase_numbers_;
};

/// Gates as a search stores them, with the global phase that stands before them.
struct PackedCircuit {
  std::vector<PackedGate> gates;
  PhaseNumber phase = 0;
};

/// Packs plain gates on qubits below kPackedQubits with three operands at most; gates that are the
/// identity are left out.
[[nodiscard]] PackedCircuit pack(std::span<const Operation> gates, LabelTable& labels);
/// The gates back as operations; the phase is labels.phase(circuit.phase).
[[nodiscard]] std::vector<Operation> unpack(std::span<const PackedGate> gates,
                                            const LabelTable& labels);

}  // namespace quartz
