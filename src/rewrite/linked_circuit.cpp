#include "rewrite/linked_circuit.hpp"

namespace quartz::rewrite {
namespace {

constexpr std::uint64_t kBase = 0xd1342543de82ef95ULL;

std::uint64_t scramble(std::uint64_t value) {
  value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93ULL;
  value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93ULL;
  return value ^ (value >> 32);
}

std::uint64_t wire_factor(std::uint8_t qubit) {
  return scramble(0x9e3779b97f4a7c15ULL * (std::uint64_t{qubit} + 1)) | 1U;
}

std::uint64_t gate_hash(const PackedGate& gate, const LabelTable& labels) {
  std::uint64_t hash = labels.entry(gate.label).hash;
  for (std::uint8_t i = 0; i < gate.size; ++i) hash = hash * 257 + gate.qubits[i] + 1;
  return scramble(hash);
}

}  // namespace

void LinkedCircuit::assign(std::span<const PackedGate> gates, const LabelTable& labels) {
  gates_.assign(gates.begin(), gates.end());
  nodes_.resize(gates.size());
  std::array<std::int32_t, kPackedQubits> last;
  std::array<std::uint32_t, kPackedQubits> count{};
  std::array<std::uint64_t, kPackedQubits> hash{};
  last.fill(kNone);
  if (powers_.empty()) powers_.push_back(1);
  while (powers_.size() < gates.size() + 32) powers_.push_back(powers_.back() * kBase);
  for (std::size_t i = 0; i < gates_.size(); ++i) {
    const PackedGate& gate = gates_[i];
    Node& node = nodes_[i];
    node.hash = gate_hash(gate, labels);
    for (std::uint8_t slot = 0; slot < gate.size; ++slot) {
      const std::uint8_t qubit = gate.qubits[slot];
      node.next[slot] = kNone;
      node.previous[slot] = last[qubit];
      if (last[qubit] != kNone) {
        const auto earlier = static_cast<std::size_t>(last[qubit]);
        nodes_[earlier].next[slot_of(earlier, qubit)] = static_cast<std::int32_t>(i);
      }
      last[qubit] = static_cast<std::int32_t>(i);
      node.index[slot] = count[qubit];
      node.before[slot] = hash[qubit];
      hash[qubit] += node.hash * powers_[count[qubit]];
      ++count[qubit];
    }
  }
  hash_ = 0;
  for (std::uint8_t qubit = 0; qubit < kPackedQubits; ++qubit) {
    if (count[qubit] != 0) hash_ += wire_factor(qubit) * hash[qubit];
  }
  std::array<std::uint64_t, kPackedQubits> after{};
  for (std::size_t i = gates_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    for (std::uint8_t slot = 0; slot < gates_[i].size; ++slot) {
      const std::uint8_t qubit = gates_[i].qubits[slot];
      node.after[slot] = after[qubit];
      after[qubit] = node.hash + kBase * after[qubit];
    }
  }
}

std::uint64_t LinkedCircuit::hash_after(std::span<const WireChange> changes,
                                        std::span<const PackedGate> replacement,
                                        const LabelTable& labels) const {
  std::array<std::uint64_t, 32> hashes;
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    hashes[i] = gate_hash(replacement[i], labels);
  }
  std::uint64_t result = hash_;
  for (const WireChange& change : changes) {
    const Node& first = nodes_[static_cast<std::size_t>(change.first)];
    const Node& last = nodes_[static_cast<std::size_t>(change.last)];
    const std::uint8_t first_slot = slot_of(static_cast<std::size_t>(change.first), change.qubit);
    const std::uint8_t last_slot = slot_of(static_cast<std::size_t>(change.last), change.qubit);
    std::size_t index = first.index[first_slot];
    // The rest of the wire from `first` on changes from the old to the new one.
    const std::uint64_t old_rest = powers_[index] * (first.hash + kBase * first.after[first_slot]);
    std::uint64_t new_rest = 0;
    for (std::size_t i = 0; i < replacement.size(); ++i) {
      if (((qubit_mask(replacement[i]) >> change.qubit) & 1U) == 0) continue;
      new_rest += hashes[i] * powers_[index];
      ++index;
    }
    new_rest += powers_[index] * last.after[last_slot];
    result += wire_factor(change.qubit) * (new_rest - old_rest);
  }
  return result;
}

}  // namespace quartz::rewrite
