#include "qasm/builder/circuit_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <string>

#include "algebra/literal.hpp"
#include "circuit/kept_statement.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {

void CircuitBuilder::begin_conditions(std::vector<Condition> conditions, std::string_view place) {
  std::shared_ptr<ClassicalPart> all = conditional_part();
  all->conditions.insert(all->conditions.end(), conditions.begin(), conditions.end());
  levels_.push_back({std::move(conditions), place, false, std::move(all)});
}

bool CircuitBuilder::end_conditions() {
  const bool is_stale = levels_.back().is_stale;
  levels_.pop_back();
  return is_stale;
}

std::shared_ptr<ClassicalPart> CircuitBuilder::conditional_part() const {
  return levels_.empty() ? std::make_shared<ClassicalPart>()
                         : std::make_shared<ClassicalPart>(*levels_.back().for_gates);
}

void CircuitBuilder::check_conditions(std::string_view place) const {
  for (const ConditionLevel& level : levels_) {
    if (!level.is_stale) continue;
    source_.fail(place,
                 fmt::format("a measurement under the condition of {} changes the register "
                             "that it tests; an operation after it under the same condition is not "
                             "supported",
                             source_.line_text(level.place)));
  }
}

CircuitBuilder::Mark CircuitBuilder::mark() const {
  Mark mark{circuit_.operations.size(), circuit_.global_phase, {}};
  for (const ConditionLevel& level : levels_) mark.stale_levels.push_back(level.is_stale);
  return mark;
}

void CircuitBuilder::return_to(const Mark& mark) {
  circuit_.operations.resize(mark.operations);
  circuit_.global_phase = mark.global_phase;
  for (std::size_t i = 0; i < levels_.size(); ++i) levels_[i].is_stale = mark.stale_levels[i];
}

Operation& CircuitBuilder::append(OperationKind kind, std::span<const Qubit> qubits,
                                  std::string_view place) {
  check_conditions(place);
  budget_.charge(1 + qubits.size() / 8, place);
  if (circuit_.operations.size() == recorded_operation_) recorded_place_ = place;
  Operation& operation = circuit_.operations.emplace_back();
  operation.kind = kind;
  operation.qubits.assign(qubits.begin(), qubits.end());
  if (!levels_.empty()) operation.classical = levels_.back().for_gates;
  if (kind != OperationKind::gate && kind != OperationKind::barrier) {
    for (const Qubit qubit : qubits) {
      if (qubit >= is_closed_.size()) is_closed_.resize(qubit + std::size_t{1});
      is_closed_[qubit] = true;
    }
  }
  return operation;
}

void CircuitBuilder::set_angles(Operation& operation, std::span<const Value> values,
                                std::string_view place) {
  for (const Value& value : values) {
    if (!value.angle.terms().empty()) budget_.charge(value.angle.terms().size(), place);
    const bool has_large_multiple =
        operation.kind == OperationKind::gate &&
        std::ranges::any_of(value.angle.terms(), [](const Angle::Term& term) {
          return algebra::is_pi_literal(term.symbol);
        });
    // No tool that computes in doubles knows such a multiple of pi modulo the period of a gate.
    constexpr int kPeriod = 4;
    operation.angles.push_back(has_large_multiple ? value.angle.reduced_symmetric(Rational(kPeriod))
                                                  : value.angle);
  }
}

void CircuitBuilder::append_gate(GateKind gate, std::span<const Value> values,
                                 std::span<const Qubit> qubits, std::string_view place) {
  Operation& operation = append_gate_operation(gate, qubits, place);
  if (!values.empty()) set_angles(operation, values, place);
}

void CircuitBuilder::append_again(const Operation& gate, std::string_view place) {
  Operation& operation =
      append(OperationKind::gate, {gate.qubits.data(), gate.qubits.size()}, place);
  operation.gate = gate.gate;
  operation.angles = gate.angles;
}

Operation& CircuitBuilder::append_gate_operation(GateKind gate, std::span<const Qubit> qubits,
                                                 std::string_view place) {
  Operation& operation = is_verbatim_
                             ? append_opaque({OpaqueKind::verbatim_gate,
                                              fmt::format("verbatim {}", quartz::gate(gate).name)},
                                             qubits, place)
                             : append(OperationKind::gate, qubits, place);
  operation.gate = gate;
  return operation;
}

void CircuitBuilder::append_statement(Kept statement, std::span<const ClassicalBit> bits,
                                      std::string_view place) {
  append_opaque(std::move(statement), {}, place, bits);
  for (const ClassicalBit bit : bits) note_write(bit);
  has_statements_ = true;
}

void CircuitBuilder::add_interface_statement(Kept statement, std::span<const ClassicalBit> bits,
                                             std::string_view place) {
  budget_.charge(1, place);
  const auto classical = std::make_shared<ClassicalPart>();
  classical->opaque_name = std::move(statement.text);
  classical->opaque_kind = statement.kind;
  classical->bits.assign(bits.begin(), bits.end());
  Operation& operation = interface_.emplace_back();
  operation.kind = OperationKind::opaque;
  operation.classical = classical;
  has_statements_ = true;
}

void CircuitBuilder::complete_statements() {
  if (!has_statements_) return;
  std::vector<Operation>& all = circuit_.operations;
  all.insert(all.begin(), std::make_move_iterator(interface_.begin()),
             std::make_move_iterator(interface_.end()));
  const std::uint32_t qubits = circuit_.qubit_count();
  for (Operation& operation : circuit_.operations) {
    if (!circuit::is_kept_statement(operation)) continue;
    budget_.charge(1 + qubits, source_.text().substr(source_.text().size()));
    operation.qubits.resize(qubits);
    std::iota(operation.qubits.begin(), operation.qubits.end(), Qubit{0});
  }
}

void CircuitBuilder::append_vendor_gate(const VendorGate& gate, std::span<const Value> values,
                                        std::span<const Qubit> qubits, std::string_view place) {
  std::map<std::string, Angle> angles;
  for (std::size_t i = 0; i < gate.parameters.size(); ++i) {
    angles.emplace(gate.parameters[i], values[i].angle);
  }
  try {
    for (const Operation& step : gate.definition.operations) {
      boost::container::small_vector<Qubit, 4> operands;
      for (const Qubit operand : step.qubits) operands.push_back(qubits[operand]);
      std::vector<Value> arguments;
      for (const Angle& angle : step.angles) arguments.push_back({angle.substitute(angles), false});
      append_gate(step.gate, arguments, {operands.data(), operands.size()}, place);
    }
    append_global_phase(gate.definition.phase.substitute(angles), place);
  } catch (const OverflowError&) {
    source_.fail(place, fmt::format("the angles of the gate {} do not fit 64-bit fractions",
                                    in_quotes(place)));
  }
}

Operation& CircuitBuilder::append_opaque(Kept kept, std::span<const Qubit> qubits,
                                         std::string_view place,
                                         std::span<const ClassicalBit> bits) {
  Operation& operation = append(OperationKind::opaque, qubits, place);
  std::shared_ptr<ClassicalPart> classical = conditional_part();
  classical->opaque_name = std::move(kept.text);
  classical->opaque_kind = kept.kind;
  classical->names_qubits = kept.names_qubits;
  classical->bits.assign(bits.begin(), bits.end());
  operation.classical = std::move(classical);
  return operation;
}

void CircuitBuilder::append_call(const Callable& callee, std::span<const Value> values,
                                 std::span<const Qubit> qubits, std::string_view place) {
  switch (callee.kind) {
    case Callable::Kind::table_gate:
      append_gate(callee.gate, callee.ignores_parameters ? std::span<const Value>() : values,
                  qubits, place);
      return;
    case Callable::Kind::vendor_gate:
      return append_vendor_gate(*callee.vendor, values, qubits, place);
    case Callable::Kind::opaque:
      return set_angles(
          append_opaque({OpaqueKind::gate, std::string(callee.declared)}, qubits, place), values,
          place);
    case Callable::Kind::global_phase:
      return append_global_phase(values.front().angle, place);
    case Callable::Kind::definition:
      budget_.charge(callee.definition->work, place);
      return append_defined(*callee.definition, values, qubits, place);
  }
}

void CircuitBuilder::append_defined(const GateDefinition& definition, std::span<const Value> values,
                                    std::span<const Qubit> qubits, std::string_view place) {
  if (!keeps_calls_ || is_verbatim_ || definition.kept_as.empty()) {
    return expand(definition, values, qubits, place);
  }
  set_angles(append_opaque({OpaqueKind::gate, definition.kept_as}, qubits, place), values, place);
}

void CircuitBuilder::append_body(const GateDefinition& definition, std::span<const Value> values,
                                 std::string_view place) {
  std::vector<Qubit> qubits(definition.qubits.size());
  std::iota(qubits.begin(), qubits.end(), Qubit{0});
  expand(definition, values, qubits, place);
}

void CircuitBuilder::append_measure(Qubit qubit, std::optional<ClassicalBit> bit,
                                    std::string_view place) {
  Operation& operation = append(OperationKind::measure, std::span(&qubit, 1), place);
  std::shared_ptr<ClassicalPart> classical = conditional_part();
  if (bit) classical->bits.push_back(*bit);
  operation.classical = std::move(classical);
  if (bit) note_write(*bit);
}

void CircuitBuilder::note_write(ClassicalBit bit) {
  for (ConditionLevel& level : levels_) {
    for (const Condition& condition : level.conditions) {
      if (condition.expression != nullptr) {
        budget_.charge(1 + condition.expression->size / 8, level.place);
      }
      const Register tested = tested_bits(circuit_, condition);
      if (bit >= tested.first && bit - tested.first < tested.size) level.is_stale = true;
    }
  }
}

void CircuitBuilder::append_reset(Qubit qubit, std::string_view place) {
  append(OperationKind::reset, std::span(&qubit, 1), place);
}

void CircuitBuilder::append_barrier(std::span<const Qubit> qubits, std::string_view place) {
  append(OperationKind::barrier, qubits, place);
}

void CircuitBuilder::append_global_phase(const Angle& phase, std::string_view place) {
  // Classical bits are never in superposition, so a phase that depends on them is not observable.
  if (!levels_.empty()) return;
  budget_.charge(1 + circuit_.global_phase.terms().size() / 8, place);
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
    budget_.charge(expression.size() * terms / 4, place);
    step_values.push_back(expression.evaluate(values, source_, place));
  }
  const std::span<const Qubit> operands(step_qubits.data(), step_qubits.size());
  const std::span<const Value> arguments(step_values.data(), step_values.size());
  if (step.kind == BodyStep::Kind::barrier) {
    append_unconditional_barrier(operands, place);
  } else if (!step.modifiers.empty()) {
    append_modified_call(step.modifiers, step.callee, arguments, operands, place);
  } else if (step.callee.kind == Callable::Kind::definition) {
    append_defined(*step.callee.definition, arguments, operands, place);
  } else {
    append_call(step.callee, arguments, operands, place);
  }
}

void CircuitBuilder::append_unconditional_barrier(std::span<const Qubit> qubits,
                                                  std::string_view place) {
  std::vector<ConditionLevel> levels;
  levels.swap(levels_);
  append_barrier(qubits, place);
  levels.swap(levels_);
}

// --- modifiers ---

void CircuitBuilder::append_modified_call(std::span<const Modifier> modifiers,
                                          const Callable& callee, std::span<const Value> values,
                                          std::span<const Qubit> qubits, std::string_view place) {
  std::size_t controls = control_count(modifiers);
  const std::vector<Qubit> lent = lent_beside(qubits, place);
  Circuit expanded;
  CircuitBuilder(source_, budget_, expanded, expansion_)
      .append_call(callee, values, qubits.subspan(controls), place);
  GateSequence sequence{std::move(expanded.operations), std::move(expanded.global_phase)};
  // Controls commute with inverses and powers, so that all of them are added at once. A fractional
  // power is supported for few gates only, some of which have a control, so it is taken of those.
  std::size_t waiting = 0;
  std::vector<Operation> flips;
  for (std::size_t i = modifiers.size(); i-- > 0;) {
    const Modifier& modifier = modifiers[i];
    const std::size_t own = control_count(modifiers.subspan(i, 1));
    controls -= own;
    waiting += own;
    if (modifier.kind == Modifier::Kind::negative_control) {
      for (const Qubit control : qubits.subspan(controls, own)) {
        flips.push_back(make_operation(GateKind::x, {control}));
      }
    }
    if (own == 0) sequence = modified(modifier, sequence, place);
    const bool is_last = i == 0 || modifiers[i - 1].fraction.has_value();
    if (!is_last || waiting == 0) continue;
    sequence =
        under_controls(sequence, qubits.subspan(controls, waiting), lent, modifier.place, place);
    std::vector<Operation>& operations = sequence.operations;
    operations.insert(operations.begin(), flips.begin(), flips.end());
    operations.insert(operations.end(), flips.begin(), flips.end());
    waiting = 0;
    flips.clear();
  }
  append_sequence(sequence, place);
}

std::vector<Qubit> CircuitBuilder::lent_beside(std::span<const Qubit> qubits,
                                               std::string_view place) {
  constexpr std::size_t kLeastQubits = 4;  // x with three controls
  std::vector<Qubit> lent;
  if (qubits.size() < kLeastQubits || is_verbatim_ || has_statements_) return lent;
  const std::uint32_t all = circuit_.qubit_count();
  Qubit qubit = 0;
  for (; qubit < all && lent.size() < kMaxControls; ++qubit) {
    const bool is_closed = qubit < is_closed_.size() && is_closed_[qubit];
    if (!is_closed && std::find(qubits.begin(), qubits.end(), qubit) == qubits.end()) {
      lent.push_back(qubit);
    }
  }
  budget_.charge(1 + qubit / 8, place);
  return lent;
}

template <typename Apply>
GateSequence CircuitBuilder::with_messages(std::string_view modifier, std::string_view place,
                                           Apply apply) {
  try {
    return apply();
  } catch (const OverflowError&) {
    source_.fail(modifier,
                 fmt::format("the angles of the modified gate {} do not fit 64-bit fractions",
                             in_quotes(place)));
  } catch (const InputError& error) {
    if (error.location().line != 0) throw;
    source_.fail(modifier, error.what());
  }
}

GateSequence CircuitBuilder::modified(const Modifier& modifier, const GateSequence& sequence,
                                      std::string_view place) {
  return with_messages(modifier.place, place, [&] {
    if (modifier.kind == Modifier::Kind::inverse) {
      budget_.charge(1 + sequence.operations.size(), place);
      return inverse(sequence);
    }
    if (modifier.fraction) return fractional_power(sequence, *modifier.fraction);
    return repeated(sequence, modifier.count, place);
  });
}

GateSequence CircuitBuilder::under_controls(const GateSequence& sequence,
                                            std::span<const Qubit> controls,
                                            std::span<const Qubit> lent, std::string_view modifier,
                                            std::string_view place) {
  return with_messages(modifier, place, [&] {
    GateSequence result = controlled(sequence, controls, lent, expansion_);
    budget_.charge(result.operations.size(), place);
    return result;
  });
}

GateSequence CircuitBuilder::repeated(const GateSequence& sequence, std::int64_t exponent,
                                      std::string_view place) {
  const Repetition repetition = power(sequence, exponent);
  const auto& operations = repetition.sequence.operations;
  check_length(operations.size(), repetition.times);
  budget_.charge(operations.size() * repetition.times, place);
  GateSequence result;
  if (repetition.times == 0) return result;
  result.phase = repetition.sequence.phase * Rational(static_cast<std::int64_t>(repetition.times));
  if (operations.empty()) return result;
  for (std::uint64_t i = 0; i < repetition.times; ++i) {
    result.operations.insert(result.operations.end(), operations.begin(), operations.end());
  }
  return result;
}

void CircuitBuilder::append_sequence(const GateSequence& sequence, std::string_view place) {
  for (const Operation& step : sequence.operations) {
    const std::span<const Qubit> qubits(step.qubits.data(), step.qubits.size());
    if (step.kind == OperationKind::barrier) {
      append_unconditional_barrier(qubits, place);
      continue;
    }
    append_gate_operation(step.gate, qubits, place).angles = step.angles;
  }
  append_global_phase(sequence.phase, place);
}

}  // namespace quartz::qasm
