#include "certify/replay/replayed_conditions.hpp"

#include <algorithm>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::certify {

ReplayedConditions::ReplayedConditions(const Circuit& circuit)
    : qubits_(circuit.qubit_count()),
      register_of_bit_(circuit.bit_count(), kNoWire),
      conditions_(1) {
  for (const Operation& operation : circuit.operations) {
    for (const Condition& condition : operation.conditions()) {
      const Register bits = tested_bits(circuit, condition);
      if (condition.expression != nullptr) {
        expressions_.try_emplace(quartz::key_of(*condition.expression), expressions_.size());
        continue;
      }
      if (bits.size > 1 && wire_of(bits) == kNoWire) add_register(bits);
    }
  }
  open_.resize(qubits_ + bits() + registers_.size());
}

void ReplayedConditions::add_register(const Register& bits) {
  const auto wire = static_cast<ReplayedWire>(qubits_ + this->bits() + registers_.size());
  if (std::uint64_t{bits.first} + bits.size > this->bits()) {
    throw UsageError("a condition tests bits that the circuit does not have");
  }
  for (std::uint32_t bit = bits.first; bit < bits.first + bits.size; ++bit) {
    if (register_of_bit_[bit] != kNoWire) throw UsageError("two classical registers overlap");
    register_of_bit_[bit] = wire;
  }
  registers_.push_back({{}, bits.first, bits.size});
}

ReplayedWire ReplayedConditions::wire_of(const Register& bits) const {
  if (bits.first >= this->bits()) return kNoWire;
  if (bits.size == 1) return static_cast<ReplayedWire>(qubits_ + bits.first);
  const ReplayedWire wire = register_of_bit_[bits.first];
  if (wire == kNoWire) return kNoWire;
  const Register& own = registers_[wire - qubits_ - this->bits()];
  return own.first == bits.first && own.size == bits.size ? wire : kNoWire;
}

void ReplayedConditions::append_written_wires(const Operation& operation,
                                              std::vector<ReplayedWire>& wires) const {
  if (operation.classical == nullptr || operation.classical->bits.empty()) return;
  std::vector<ReplayedWire> written;
  for (const ClassicalBit bit : operation.classical->bits) {
    if (bit >= bits()) throw UsageError("an operation writes a bit that the circuit does not have");
    written.push_back(qubits_ + bit);
    if (register_of_bit_[bit] != kNoWire) written.push_back(register_of_bit_[bit]);
  }
  std::ranges::sort(written);
  written.erase(std::unique(written.begin(), written.end()), written.end());
  wires.insert(wires.end(), written.begin(), written.end());
}

std::optional<std::vector<ReplayedConditions::Read>> ReplayedConditions::reads_of(
    const Circuit& circuit, const Operation& operation,
    std::span<const OperationIndex> last) const {
  std::vector<Read> reads;
  for (const Condition& condition : operation.conditions()) {
    if (condition.expression != nullptr) {
      const auto number = expressions_.find(quartz::key_of(*condition.expression));
      if (number == expressions_.end()) return std::nullopt;
      for (const ClassicalBit bit : bits_read(*condition.expression)) {
        const auto wire = static_cast<ReplayedWire>(qubits_ + bit);
        reads.push_back({wire, last[wire], number->second, condition.negated, true});
      }
      continue;
    }
    const ReplayedWire wire = wire_of(tested_bits(circuit, condition));
    if (wire == kNoWire) return std::nullopt;
    reads.push_back({wire, last[wire], condition.value, condition.negated, false});
  }
  return reads;
}

ConditionCode ReplayedConditions::add(const Circuit& circuit, const Operation& operation,
                                      std::span<const OperationIndex> last) {
  if (operation.conditions().empty()) return kNoCondition;
  std::optional<std::vector<Read>> reads = reads_of(circuit, operation, last);
  if (!reads) throw UsageError("a condition tests bits that the circuit does not have");
  const auto code = static_cast<ConditionCode>(conditions_.size());
  const auto [known, is_new] = codes_.try_emplace(*std::move(reads), code);
  if (!is_new) return known->second;
  Entry& entry = conditions_.emplace_back();
  for (const Read& read : known->first) {
    open_[read.wire].push_back(code);
    if (read.write == kNoOperation) continue;
    entry.before.push_back(read.write);
    reading_[key_of(read.write, read.wire)].push_back(code);
  }
  return code;
}

std::optional<ConditionCode> ReplayedConditions::find(const Circuit& circuit,
                                                      const Operation& operation,
                                                      std::span<const OperationIndex> last) const {
  if (operation.conditions().empty()) return kNoCondition;
  const std::optional<std::vector<Read>> reads = reads_of(circuit, operation, last);
  if (!reads) return std::nullopt;
  const auto known = codes_.find(*reads);
  return known == codes_.end() ? std::nullopt : std::optional(known->second);
}

void ReplayedConditions::end_version(ReplayedWire wire, OperationIndex write) {
  for (const ConditionCode condition : open_[wire]) conditions_[condition].after.push_back(write);
  open_[wire].clear();
}

void ReplayedConditions::add_reader(ConditionCode condition, OperationIndex index) {
  std::vector<OperationIndex>& readers = conditions_[condition].readers;
  if (places_.size() <= index) places_.resize(std::size_t{index} + 1);
  places_[index] = static_cast<std::uint32_t>(readers.size());
  readers.push_back(index);
}

void ReplayedConditions::remove_reader(ConditionCode condition, OperationIndex index) {
  std::vector<OperationIndex>& readers = conditions_[condition].readers;
  const OperationIndex moved = readers.back();
  readers[places_[index]] = moved;
  places_[moved] = places_[index];
  readers.pop_back();
}

}  // namespace quartz::certify
