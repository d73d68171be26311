// Operations: gate calls, measurements, resets, barriers, delays, the global phase.
#include <fmt/core.h>

#include <algorithm>

#include "qasm/reader/executor.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limit for the number of remembered values, so that a file with a million different angles does
/// not fill the memory.
constexpr std::size_t kMaxKnownValues = 1U << 13U;

}  // namespace

void Executor::execute(const syntax::Call& call) {
  if (!call.modifiers.empty()) {
    const std::vector<Modifier> modifiers = modifiers_of(call.modifiers, scope_);
    return append_call(modifiers, call, find_modified(call.name));
  }
  const Token& word = call.name;
  const bool is_subroutine = !names_.subroutines.empty() && names_.subroutines.contains(word.text);
  if (const Callable* callee = is_subroutine ? nullptr : names_.find_gate(word.text)) {
    return append_call({}, call, *callee);
  }
  if (find_keyword(word.text, language_.number) == Keyword::global_phase) {
    return append_global_phase(call);
  }
  if (language_.number < 3 && !is_classical_register(word.text)) fail_unknown_statement(word);
  const bool is_extern = names_.externs.contains(word.text);
  if (is_subroutine || is_extern) {
    if (!call.has_parentheses) fail_found(call.next, "'('");
    if (!call.operands.empty()) fail_found(call.next, "';'");
    if (is_subroutine) {
      (void)call_subroutine(word.text, call.arguments);
    } else {
      const std::string text = text_of_extern_call(word.text, call.arguments) + ";";
      keep(OpaqueKind::statement, text, {}, word.text);
    }
    return;
  }
  if (is_feedback_gate(word.text)) return keep_feedback_gate(call);
  fail_unknown_gate(word);
}

// --- gate calls ---

void Executor::append_call(std::span<const Modifier> modifiers, const syntax::Call& call,
                           const Callable& callee) {
  const Token& name = call.name;
  note_use(callee, name);
  evaluate_arguments(call.arguments, callee.in_turns, !callee.in_turns);
  scratch_.operands.clear();
  for (const syntax::Reference& operand : call.operands) {
    scratch_.operands.push_back(operand_of(operand, true));
  }
  if (callee.qubits != 0 && call.operands.empty()) {
    fail_found(call.next, describe(TokenKind::identifier));
  }
  check_counts(name, callee, scratch_.values.size(), scratch_.operands.size(), modifiers);
  const std::size_t first = circuit_.operations.size();
  const bool is_measured = std::ranges::any_of(
      scratch_.values, [](const Value& each) { return each.measured != nullptr; });
  if (is_measured) {
    append_measured_call(modifiers, name, callee);
  } else {
    append_broadcast(modifiers, name, callee);
  }
  if (gate_uses_.has_modifiers()) note_uses_from(first, name);
}

void Executor::evaluate_arguments(std::span<const syntax::Expression> arguments, bool in_turns,
                                  bool may_be_measured) {
  scratch_.values.clear();
  for (const syntax::Expression& argument : arguments) {
    scratch_.values.push_back(value_of_argument(argument, in_turns, may_be_measured));
  }
}

Value Executor::value_of_argument(const syntax::Expression& argument, bool in_turns,
                                  bool may_be_measured) {
  if (argument.known != nullptr) return *argument.known;
  auto& known_values = in_turns ? known_values_.turns : known_values_.radians;
  const bool may_be_known = is_plain_program() && argument.text.size() <= syntax::kMaxKnownText;
  if (may_be_known) {
    if (const auto known = known_values.find(argument.text); known != known_values.end()) {
      return known->second;
    }
  }
  const std::string_view place = argument.first.text;
  const std::size_t calls = execution_.calls_so_far;
  resolve_in(scope_, argument, scratch_.expression);
  if (in_turns) scratch_.expression.turns_to_radians(place);
  Value value = scratch_.expression.evaluate({}, source_);
  if (value.angle_sign != 0 && may_be_measured) return value;
  check_not_measured(value, place);
  const bool is_repeatable = execution_.calls_so_far == calls;
  if (may_be_known && is_repeatable && known_values.size() < kMaxKnownValues) {
    known_values.emplace(argument.text, value);
  }
  return value;
}

std::uint32_t Executor::broadcast_size() const {
  const Operand* first_register = nullptr;
  for (const Operand& operand : scratch_.operands) {
    if (!operand.is_whole) continue;
    if (first_register == nullptr) {
      first_register = &operand;
    } else if (operand.size != first_register->size) {
      source_.fail(operand.place,
                   fmt::format("registers of one gate must have one size: {} has {}, {} has {}",
                               in_quotes(first_register->place), first_register->size,
                               in_quotes(operand.place), operand.size));
    }
  }
  return first_register == nullptr ? 1 : first_register->size;
}

void Executor::append_broadcast(std::span<const Modifier> modifiers, const Token& name,
                                const Callable& callee) {
  const std::uint32_t repetitions = broadcast_size();
  scratch_.qubits.resize(scratch_.operands.size());
  for (std::uint32_t i = 0; i < repetitions; ++i) {
    for (std::size_t k = 0; k < scratch_.operands.size(); ++k) {
      scratch_.qubits[k] = scratch_.operands[k][scratch_.operands[k].is_whole ? i : 0];
    }
    check_distinct(scratch_.qubits, name.text, name.text);
    if (modifiers.empty()) {
      builder_.append_call(callee, scratch_.values, scratch_.qubits, name.text);
    } else {
      builder_.append_modified_call(modifiers, callee, scratch_.values, scratch_.qubits, name.text);
    }
  }
}

void Executor::check_distinct(std::span<const Qubit> qubits, std::string_view gate,
                              std::string_view place) const {
  if (qubits.size() < 2) return;
  if (qubits.size() == 2 && qubits[0] != qubits[1]) return;
  boost::container::small_vector<Qubit, 8> sorted(qubits.begin(), qubits.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    source_.fail(place, fmt::format("qubit {} is used twice in one {}",
                                    in_quotes(qubit_name(*twice)), in_quotes(gate)));
  }
}

std::string Executor::qubit_name(Qubit qubit) const {
  if (physical_qubits_.used) return fmt::format("${}", qubit);
  for (const Register& candidate : circuit_.qubit_registers) {
    if (qubit - candidate.first < candidate.size) {
      return fmt::format("{}[{}]", candidate.name, qubit - candidate.first);
    }
  }
  throw InternalError("a qubit belongs to a register");
}

// --- operations other than gates ---

void Executor::execute(const syntax::Measure& measure) {
  const Operand qubits = operand_of(measure.qubits, true);
  if (measure.bits) {
    return append_measure(qubits, operand_of(*measure.bits, false), measure.word.text);
  }
  for (std::uint32_t i = 0; i < qubits.size; ++i) {
    builder_.append_measure(qubits[i], std::nullopt, measure.word.text);
  }
}

void Executor::append_measure(const Operand& qubits, const Operand& bits, std::string_view place) {
  if (qubits.size != bits.size) {
    source_.fail(place, fmt::format("cannot measure {} into {}", counted(qubits.size, "qubit"),
                                    counted(bits.size, "bit")));
  }
  for (std::uint32_t i = 0; i < qubits.size; ++i) {
    builder_.append_measure(qubits[i], bits[i], place);
    forget_bit(bits[i], place);
  }
}

void Executor::execute(const syntax::Reset& reset) {
  const Operand qubits = operand_of(reset.qubits, true);
  for (std::uint32_t i = 0; i < qubits.size; ++i) {
    builder_.append_reset(qubits[i], reset.word.text);
  }
}

/// Executes one barrier over all operands, a `delay[100ns] q;`, whose effect is unknown, so that it
/// keeps its position, or a `nop q;`, by which a box takes as long on qubits that it does not use
/// otherwise.
void Executor::execute(const syntax::SetOperation& operation) {
  const std::string_view word = operation.word.text;
  std::string duration;
  if (word == "delay") duration = text_of_duration(operation.duration);
  if (operation.qubits.empty()) {
    if (word == "nop") fail_found(operation.next, "the qubits of the box");
    if (word == "delay" && circuit_.qubit_count() == 0) {
      fail_found(operation.next, "the qubits to wait");
    }
    if (circuit_.qubit_count() == 0) source_.fail(word, "a barrier needs a qubit");
  }
  read_qubit_set(operation);
  if (word == "barrier") return builder_.append_barrier(scratch_.qubits, word);
  Kept kept{OpaqueKind::no_operation, "nop[]"};
  if (word == "delay") {
    kept = {OpaqueKind::delay, fmt::format("delay[{}]", duration), take_names_of_qubits()};
  }
  builder_.append_opaque(std::move(kept), scratch_.qubits, word);
}

/// Executes `gphase(angle);`. PennyLane also names qubits, which makes no difference.
void Executor::append_global_phase(const syntax::Call& call) {
  evaluate_arguments(call.arguments);
  if (scratch_.values.size() != 1) {
    source_.fail(call.name.text,
                 fmt::format("gate 'gphase' takes 1 parameter, found {}", scratch_.values.size()));
  }
  for (const syntax::Reference& operand : call.operands) (void)operand_of(operand, true);
  builder_.append_global_phase(Angle(scratch_.values.front().angle), call.name.text);
}

}  // namespace quartz::qasm
