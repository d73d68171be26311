#include "qasm/circuit_builder.hpp"

#include <fmt/core.h>

#include "quartz/errors.hpp"

namespace quartz::qasm {

void CircuitBuilder::begin_condition(const Condition& condition, std::string_view place) {
  auto classical = std::make_shared<ClassicalPart>();
  classical->condition = condition;
  condition_ = ActiveCondition{condition, std::move(classical), place, false};
}

void CircuitBuilder::charge(std::uint64_t work, std::string_view place) {
  if (work > largest_work - work_) {
    source_.fail(place, fmt::format("the circuit is too large: expanded, it has more than {} "
                                    "operations",
                                    largest_work));
  }
  work_ += work;
}

Operation& CircuitBuilder::append(OperationKind kind, std::span<const Qubit> qubits,
                                  std::string_view place) {
  if (condition_is_stale()) {
    source_.fail(place,
                 fmt::format("a measurement under the condition of line {} changes the register "
                             "that it tests; an operation after it under the same condition is not "
                             "supported",
                             source_.line_of(condition_->place)));
  }
  charge(1 + qubits.size() / 8, place);
  Operation& operation = circuit_.operations.emplace_back();
  operation.kind = kind;
  operation.qubits.assign(qubits.begin(), qubits.end());
  if (condition_) operation.classical = condition_->for_gates;
  return operation;
}

void CircuitBuilder::set_angles(Operation& operation, std::span<const Value> values,
                                std::string_view place) {
  operation.angles.reserve(values.size());
  for (const Value& value : values) {
    if (!value.angle.terms().empty()) charge(value.angle.terms().size(), place);
    operation.angles.push_back(value.angle);
  }
}

void CircuitBuilder::append_gate(GateKind gate, std::span<const Value> values,
                                 std::span<const Qubit> qubits, std::string_view place) {
  Operation& operation = append(OperationKind::gate, qubits, place);
  operation.gate = gate;
  if (!values.empty()) set_angles(operation, values, place);
}

void CircuitBuilder::append_opaque(const Callable& callee, std::span<const Value> values,
                                   std::span<const Qubit> qubits, std::string_view place) {
  Operation& operation = append(OperationKind::opaque, qubits, place);
  auto classical = std::make_shared<ClassicalPart>();
  if (condition_) classical->condition = condition_->condition;
  classical->opaque_name = callee.declared;
  operation.classical = std::move(classical);
  set_angles(operation, values, place);
}

void CircuitBuilder::append_call(const Callable& callee, std::span<const Value> values,
                                 std::span<const Qubit> qubits, std::string_view place) {
  switch (callee.kind) {
    case Callable::Kind::table_gate:
      append_gate(callee.gate, callee.ignores_parameters ? std::span<const Value>() : values,
                  qubits, place);
      return;
    case Callable::Kind::opaque:
      return append_opaque(callee, values, qubits, place);
    case Callable::Kind::definition:
      charge(callee.definition->work, place);
      return expand(*callee.definition, values, qubits, place);
  }
}

void CircuitBuilder::append_measure(Qubit qubit, ClassicalBit bit, std::string_view place) {
  Operation& operation = append(OperationKind::measure, std::span(&qubit, 1), place);
  auto classical = std::make_shared<ClassicalPart>();
  classical->bits.push_back(bit);
  if (condition_) {
    classical->condition = condition_->condition;
    const Register& tested = circuit_.bit_registers[condition_->condition.bit_register];
    condition_->stale = bit >= tested.first && bit - tested.first < tested.size;
  }
  operation.classical = std::move(classical);
}

void CircuitBuilder::append_reset(Qubit qubit, std::string_view place) {
  append(OperationKind::reset, std::span(&qubit, 1), place);
}

void CircuitBuilder::append_barrier(std::span<const Qubit> qubits, std::string_view place) {
  append(OperationKind::barrier, qubits, place);
}

void CircuitBuilder::append_global_phase(const Angle& phase, std::string_view place) {
  // Classical bits are never in superposition, so a phase that depends on them is not observable.
  if (condition_) return;
  charge(1 + circuit_.global_phase.terms().size() / 8, place);
  if (auto sum = try_add(circuit_.global_phase, phase)) {
    circuit_.global_phase = *std::move(sum);
    return;
  }
  try {
    circuit_.global_phase.add_phase(phase);
  } catch (const OverflowError&) {
    source_.fail(place, "the exact sum of the global phases does not fit 64-bit fractions");
  }
}

void CircuitBuilder::expand(const GateDefinition& definition, std::span<const Value> values,
                            std::span<const Qubit> qubits, std::string_view place) {
  for (const BodyStep& step : definition.body) append_step(step, values, qubits, place);
}

void CircuitBuilder::append_step(const BodyStep& step, std::span<const Value> values,
                                 std::span<const Qubit> qubits, std::string_view place) {
  boost::container::small_vector<Qubit, 8> step_qubits;
  for (const std::uint32_t operand : step.qubits) step_qubits.push_back(qubits[operand]);
  std::size_t terms = 0;
  for (const Value& value : values) terms += value.angle.terms().size();
  boost::container::small_vector<Value, 4> step_values;
  for (const Expression& expression : step.angles) {
    charge(expression.size() * terms / 4, place);
    step_values.push_back(expression.evaluate(values, source_, place));
  }
  const std::span<const Qubit> operands(step_qubits.data(), step_qubits.size());
  const std::span<const Value> arguments(step_values.data(), step_values.size());
  switch (step.kind) {
    case BodyStep::Kind::barrier: {
      // A barrier orders gates whatever the condition's value, so it needs none itself.
      std::optional<ActiveCondition> condition;
      condition.swap(condition_);
      append_barrier(operands, place);
      condition.swap(condition_);
      return;
    }
    case BodyStep::Kind::global_phase:
      return append_global_phase(arguments.front().angle, place);
    case BodyStep::Kind::call:
      break;
  }
  if (step.callee.kind == Callable::Kind::definition) {
    expand(*step.callee.definition, arguments, operands, place);
  } else {
    append_call(step.callee, arguments, operands, place);
  }
}

}  // namespace quartz::qasm
