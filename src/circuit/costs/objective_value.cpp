#include "circuit/costs/objective_value.hpp"

#include <string>

#include "circuit/costs/counted_operations.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/bit_expression.hpp"

namespace quartz::circuit {
namespace {

/// Calls `visit` with the function that says whether an operation counts in a named cost. Those of
/// the list are constants, so that the loops over millions of operations call no function by its
/// address.
template <typename Visit>
void with_counts(const CostName& cost, const Visit& visit) {
  if (cost.counts == counts_as_gate) {
    visit([](const Operation& operation) { return counts_as_gate(operation); });
  } else if (cost.counts == counts_as_two_qubit) {
    visit([](const Operation& operation) { return counts_as_two_qubit(operation); });
  } else if (cost.counts == counts_as_t) {
    visit([](const Operation& operation) { return counts_as_t(operation); });
  } else {
    visit(cost.counts);
  }
}

}  // namespace

void CriticalPath::append(const Operation& operation, std::uint64_t weight) {
  const bool is_plain = operation.classical == nullptr;
  // A gate on one qubit without a weight changes nothing.
  if (is_plain && weight == 0 && operation.qubits.size() == 1) return;
  std::uint64_t end = 0;
  for (const Qubit qubit : operation.qubits) end = std::max(end, level_[qubit]);
  if (!is_plain) end = std::max(end, level_of_bits_read(operation));
  if (__builtin_add_overflow(end, weight, &end)) {
    throw UsageError(
        "the weights along a chain of operations add up to more than 64 bits: smaller weights, or "
        "with fewer digits, are needed");
  }
  for (const Qubit qubit : operation.qubits) level_[qubit] = end;
  if (!is_plain) {
    for (const ClassicalBit bit : operation.classical->bits) {
      bit_level_[bit] = std::max(bit_level_[bit], end);
    }
  }
  longest_ = std::max(longest_, end);
}

std::uint64_t CriticalPath::level_of_bits_read(const Operation& operation) const {
  std::uint64_t end = 0;
  for (const Condition& condition : operation.conditions()) {
    if (condition.expression != nullptr) {
      for (const ClassicalBit bit : bits_read(*condition.expression)) {
        end = std::max(end, bit_level_.at(bit));
      }
      continue;
    }
    const Register read = tested_bits(*circuit_, condition);
    for (ClassicalBit bit = read.first; bit < read.first + read.size; ++bit) {
      end = std::max(end, bit_level_[bit]);
    }
  }
  return end;
}

void ObjectiveValue::append(std::span<const Operation> operations) {
  if (const CostName* const named = objective_->named()) {
    with_counts(*named, [&](const auto& counts) {
      append(operations, [&](const Operation& operation) -> std::uint64_t {
        return counts(operation) ? 1 : 0;
      });
    });
  } else {
    append(operations,
           [&](const Operation& operation) { return objective_->gate_units(operation); });
  }
}

template <typename UnitsOf>
void ObjectiveValue::append(std::span<const Operation> operations, const UnitsOf& units_of) {
  if (path_) {
    for (const Operation& operation : operations) path_->append(operation, units_of(operation));
    return;
  }
  for (const Operation& operation : operations) {
    if (__builtin_add_overflow(sum_, units_of(operation), &sum_)) {
      throw UsageError("the sum of the weights '" + std::string(objective_->name()) +
                       "' is too large: smaller weights, or with fewer digits, are needed");
    }
  }
}

}  // namespace quartz::circuit
