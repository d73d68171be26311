#include "certify/problem/classical.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace quartz::certify {
namespace {

bool holds(const Circuit& circuit, const Condition& condition, const Bits& bits) {
  if (condition.expression != nullptr) {
    return quartz::holds(*condition.expression, bits) != condition.negated;
  }
  const Register source = tested_bits(circuit, condition);
  bool is_value = source.size >= 64 || (condition.value >> source.size) == 0;
  for (std::uint32_t i = 0; i < source.size; ++i) {
    const bool wanted = i < 64 && ((condition.value >> i) & 1U) != 0;
    is_value = is_value && bits[source.first + i] == wanted;
  }
  return is_value != condition.negated;
}

}  // namespace

bool conditions_hold(const Circuit& circuit, const Operation& operation, const Bits& bits) {
  const std::span<const Condition> conditions = operation.conditions();
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& condition) { return holds(circuit, condition, bits); });
}

Circuit with_single_qubit_boundaries(const Circuit& circuit) {
  Circuit result = without_operations(circuit);
  for (const Operation& operation : circuit.operations) {
    if ((operation.kind != OperationKind::measure && operation.kind != OperationKind::reset) ||
        operation.qubits.size() == 1) {
      result.operations.push_back(operation);
      continue;
    }
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      Operation single = operation;
      single.qubits = {operation.qubits[i]};
      if (operation.kind == OperationKind::measure) {
        ClassicalPart part = *operation.classical;
        if (!part.bits.empty()) part.bits = {part.bits.at(i)};
        single.classical = std::make_shared<const ClassicalPart>(std::move(part));
      }
      result.operations.push_back(std::move(single));
    }
  }
  return result;
}

}  // namespace quartz::certify
