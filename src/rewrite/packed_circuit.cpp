#include "rewrite/packed_circuit.hpp"

#include "quartz/base/errors.hpp"
#include "quartz/circuit/canonical.hpp"

namespace quartz::rewrite {
namespace {

/// Applies the finalizer of SplitMix64 (Steele, Lea, Flood 2014): every input bit affects every
/// output bit.
std::uint64_t split_mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

}  // namespace

std::size_t LabelTable::KeyHash::operator()(
    const std::pair<GateKind, AngleList>& key) const noexcept {
  std::uint64_t hash = split_mix(static_cast<std::uint64_t>(key.first));
  for (const Angle& angle : key.second) hash = split_mix(hash ^ angle.hash());
  return static_cast<std::size_t>(hash);
}

LabelTable::LabelTable() { (void)intern_phase(Angle()); }

LabelTable::Interned LabelTable::intern(GateKind gate, AngleList angles) {
  Operation operation;
  operation.gate = gate;
  operation.angles = std::move(angles);
  Interned result;
  result.phase = intern_phase(normalize_angles(operation));
  result.identity = is_identity(operation);
  if (result.identity) return result;
  std::pair<GateKind, AngleList> key{gate, std::move(operation.angles)};
  const auto [found, added] = labels_.try_emplace(key, static_cast<Label>(entries_.size()));
  if (added) {
    entries_.push_back({gate, std::move(key.second), split_mix(KeyHash{}(found->first))});
  }
  result.label = found->second;
  return result;
}

Label LabelTable::add_opaque(const Operation& operation) {
  ensure(operation.kind == OperationKind::opaque && operation.classical != nullptr,
         "only opaque operations have labels of their own");
  const auto label = static_cast<Label>(entries_.size());
  entries_.push_back({{}, {}, split_mix(label), operation.classical});
  return label;
}

PhaseNumber LabelTable::intern_phase(const Angle& phase) {
  const Angle reduced = phase.reduced_modulo(2);
  const auto [found, added] =
      phase_numbers_.try_emplace(reduced, static_cast<PhaseNumber>(phases_.size()));
  if (added) phases_.push_back(reduced);
  return found->second;
}

PhaseNumber LabelTable::add_phases(PhaseNumber a, PhaseNumber b) {
  if (a == 0) return b;
  if (b == 0) return a;
  Angle sum = phases_[a];
  return intern_phase(sum.add_phase(phases_[b]));
}

PackedCircuit pack(std::span<const Operation> gates, LabelTable& labels) {
  PackedCircuit circuit;
  circuit.gates.reserve(gates.size());
  for (const Operation& operation : gates) {
    ensure(!operation.is_boundary() && operation.qubits.size() <= 3, "only small gates are packed");
    const LabelTable::Interned interned = labels.intern(operation.gate, operation.angles);
    circuit.phase = labels.add_phases(circuit.phase, interned.phase);
    if (interned.identity) continue;
    PackedGate gate;
    gate.label = interned.label;
    gate.size = static_cast<std::uint8_t>(operation.qubits.size());
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      ensure(operation.qubits[i] < kPackedQubits, "a packed circuit has few qubits");
      gate.qubits[i] = static_cast<std::uint8_t>(operation.qubits[i]);
    }
    circuit.gates.push_back(gate);
  }
  return circuit;
}

std::vector<Operation> unpack(std::span<const PackedGate> gates, const LabelTable& labels) {
  std::vector<Operation> operations;
  operations.reserve(gates.size());
  for (const PackedGate& gate : gates) {
    operations.push_back(labels.operation(gate.label, std::span(gate.qubits).first(gate.size)));
  }
  return operations;
}

}  // namespace quartz::rewrite
