// Annotations, which are kept with the operations after them.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "circuit/kept_statement.hpp"
#include "qasm/gates/library.hpp"
#include "qasm/reader/executor.hpp"
#include "qasm/text/angle_text.hpp"
#include "qasm/text/bits_text.hpp"
#include "qasm/text/names.hpp"

namespace quartz::qasm {
namespace {

std::string on_one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

}  // namespace

/// Executes a statement with annotations. They are kept with an operation and with an assignment
/// that the circuit keeps, and end where any other statement is read, because it is written in
/// another form: declarations come first, definitions and calls of subroutines are expanded, loops
/// are unrolled, conditions become those of single operations, and variables become their values.
void Executor::execute(const syntax::Annotated& annotated) {
  const syntax::Statement& statement = annotated.statement.front();
  if (const auto* const call = syntax::node_of<syntax::Call>(statement)) {
    return annotate_call(annotated, *call);
  }
  if (const auto* const assignment = syntax::node_of<syntax::Assignment>(statement)) {
    return annotate_assignment(annotated, *assignment);
  }
  const bool is_operation = syntax::node_of<syntax::Measure>(statement) != nullptr ||
                            syntax::node_of<syntax::Reset>(statement) != nullptr ||
                            syntax::node_of<syntax::SetOperation>(statement) != nullptr;
  if (is_operation) return keep_annotated_operation(annotated);
  execute(statement);
}

void Executor::annotate_assignment(const syntax::Annotated& annotated,
                                   const syntax::Assignment& assignment) {
  if (std::holds_alternative<syntax::Measured>(assignment.value.value)) {
    return keep_annotated_operation(annotated);
  }
  const std::size_t first = circuit_.operations.size();
  execute(annotated.statement.front());
  if (circuit_.operations.size() == first) return;
  // Operations before the last one belong to calls in the value.
  annotate_kept_statements(annotated.lines, circuit_.operations.size() - 1);
}

void Executor::annotate_call(const syntax::Annotated& annotated, const syntax::Call& call) {
  const std::string_view name = call.name.text;
  if (!call.modifiers.empty()) return keep_annotated_operation(annotated);
  if (names_.subroutines.contains(name)) return execute(annotated.statement.front());
  const bool is_extern = names_.externs.contains(name);
  const bool is_kept = is_extern || (names_.find_gate(name) == nullptr && is_feedback_gate(name));
  if (!is_kept) return keep_annotated_operation(annotated);
  const std::size_t first = circuit_.operations.size();
  execute(annotated.statement.front());
  annotate_kept_statements(annotated.lines, is_extern ? circuit_.operations.size() - 1 : first);
}

/// Puts these lines before the kept statements from the first operation on.
void Executor::annotate_kept_statements(const std::string& lines, std::size_t first) {
  for (std::size_t i = first; i < circuit_.operations.size(); ++i) {
    Operation& operation = circuit_.operations[i];
    if (!circuit::is_opaque(operation, OpaqueKind::statement)) continue;
    auto classical = std::make_shared<ClassicalPart>(*operation.classical);
    classical->opaque_name = lines + classical->opaque_name;
    classical->names_qubits = true;
    operation.classical = std::move(classical);
  }
}

/// Executes an operation with annotations. It must not change, so it is kept as a statement.
void Executor::keep_annotated_operation(const syntax::Annotated& annotated) {
  const std::string_view start = annotated.first.text;
  CircuitBuilder::Mark before = builder_.mark();
  const std::size_t calls = execution_.calls_so_far;
  execute(annotated.statement.front());
  if (execution_.calls_so_far != calls) {
    source_.fail(start, "an operation with annotations must not call subroutines");
  }
  // An angle whose first bit is measured becomes a register, to which its value is assigned before.
  const auto is_assignment = [&](std::size_t i) {
    return i < circuit_.operations.size() &&
           circuit::is_opaque(circuit_.operations[i], OpaqueKind::statement);
  };
  while (is_assignment(before.operations)) ++before.operations;
  const std::vector<AnnotatedText> texts = texts_of_annotated(annotated, before.operations);
  builder_.return_to(before);
  for (const AnnotatedText& each : texts) {
    scratch_.names_qubits = true;
    keep(OpaqueKind::statement, annotated.lines + each.text, each.bits, start);
  }
}

/// Returns an operation that has been executed, as its source has it if that means the same in the
/// circuit; otherwise with known values and with the qubits and bits of the circuit, once for each
/// of them. `first` is the first operation that it became.
std::vector<Executor::AnnotatedText> Executor::texts_of_annotated(
    const syntax::Annotated& annotated, std::size_t first) const {
  const syntax::Statement& statement = annotated.statement.front();
  const auto* const call = syntax::node_of<syntax::Call>(statement);
  if (call != nullptr) check_values_of_annotated(annotated);
  const auto* const set_operation = syntax::node_of<syntax::SetOperation>(statement);
  // A barrier without qubits is one on those that are declared so far.
  const bool is_written_anew = set_operation != nullptr && (set_operation->qubits.empty() ||
                                                            set_operation->word.text == "delay");
  const std::span<const Operation> operations = std::span(circuit_.operations).subspan(first);
  if (!is_written_anew && local_part_of(annotated.text).empty()) {
    AnnotatedText whole{on_one_line(annotated.text), {}};
    for (const Operation& operation : operations) {
      if (operation.kind != OperationKind::measure) continue;
      const std::vector<ClassicalBit>& bits = operation.classical->bits;
      whole.bits.insert(whole.bits.end(), bits.begin(), bits.end());
    }
    return {std::move(whole)};
  }
  if (call != nullptr) return texts_of_call(annotated, *call);
  std::vector<AnnotatedText> texts;
  for (const Operation& operation : operations) {
    texts.push_back(text_of_operation(operation, annotated.first.text));
  }
  return texts;
}

/// Fails if an angle of the last executed call depends on a measurement: such a call becomes
/// several operations under conditions.
void Executor::check_values_of_annotated(const syntax::Annotated& annotated) const {
  if (std::ranges::all_of(scratch_.values,
                          [](const Value& value) { return value.measured == nullptr; })) {
    return;
  }
  source_.fail(annotated.first.text,
               "an angle of an operation with annotations depends on a measurement, expected a "
               "known one");
}

/// Returns the last executed call with its values and operands, which are still known.
std::vector<Executor::AnnotatedText> Executor::texts_of_call(const syntax::Annotated& annotated,
                                                             const syntax::Call& call) const {
  const std::string_view start = annotated.first.text;
  const std::string_view name = call.name.text;
  const char* const begin = annotated.text.data();
  const std::string_view modifiers(begin, static_cast<std::size_t>(name.data() - begin));
  check_not_local(modifiers, name, start);
  std::string gate = on_one_line(modifiers).append(name);
  std::vector<std::string> angles;
  for (const Value& value : scratch_.values) angles.push_back(angle_text(value.angle));
  if (!angles.empty()) gate += fmt::format("({})", fmt::join(angles, ","));
  if (call.modifiers.empty() && find_keyword(name, language_.number) == Keyword::global_phase) {
    return {{gate + ";", {}}};
  }
  std::vector<AnnotatedText> texts;
  for (std::uint32_t i = 0; i < broadcast_size(); ++i) {
    std::vector<std::string> qubits;
    for (const Operand& operand : scratch_.operands) {
      qubits.push_back(qubit_name(operand[operand.is_whole ? i : 0]));
    }
    texts.push_back({fmt::format("{} {};", gate, fmt::join(qubits, ",")), {}});
  }
  return texts;
}

/// Returns a measurement, a reset, a barrier, a delay or a `nop` of the circuit.
Executor::AnnotatedText Executor::text_of_operation(const Operation& operation,
                                                    std::string_view place) const {
  std::vector<std::string> qubits;
  for (const Qubit qubit : operation.qubits) qubits.push_back(qubit_name(qubit));
  const std::string operands = fmt::format("{};", fmt::join(qubits, ","));
  switch (operation.kind) {
    case OperationKind::measure: {
      const std::vector<ClassicalBit>& bits = operation.classical->bits;
      if (bits.empty()) return {"measure " + operands, {}};
      return {fmt::format("{} = measure {}", text_of_bits(bits, place), operands), bits};
    }
    case OperationKind::reset:
      return {"reset " + operands, {}};
    case OperationKind::barrier:
      return {"barrier " + operands, {}};
    default:
      break;
  }
  const std::string word = circuit::is_opaque(operation, OpaqueKind::delay)
                               ? operation.classical->opaque_name
                               : std::string("nop");
  return {fmt::format("{} {}", word, operands), {}};
}

/// Returns the first part of a text that does not mean the same in the circuit: a comment, or a
/// name that belongs neither to a register nor to a gate of the standard file. Empty if there is
/// none.
std::string_view Executor::local_part_of(std::string_view text) const {
  for (const std::string_view comment : {"//", "/*"}) {
    const std::size_t at = text.find(comment);
    if (at != std::string_view::npos) return text.substr(at, comment.size());
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && is_identifier_character(text[i])) ++i;
    const std::string_view word = text.substr(begin, i - begin);
    if (!is_identifier(word) || is_reserved(word, language_.number)) continue;
    const DeclaredRegister* const found = names_.find_register(word);
    const bool is_register =
        found != nullptr && !found->is_alias && register_of(*found).name == word;
    const bool is_gate = is_gate_of_standard_file(word) && names_.find_value(word) == nullptr;
    if (!is_register && !is_gate) return word;
  }
  return {};
}

/// Returns whether the circuit's program has the gate by this name.
bool Executor::is_gate_of_standard_file(std::string_view name) const {
  const Callable* const callee = names_.find_gate(name);
  return names_.find_register(name) == nullptr && callee != nullptr && callee->declared.empty() &&
         callee->kind == Callable::Kind::table_gate &&
         is_library_gate(callee->gate, language_.number);
}

/// Fails unless the modifiers and the name of a call with annotations mean the same in the circuit.
void Executor::check_not_local(std::string_view modifiers, std::string_view name,
                               std::string_view place) const {
  std::string_view part = local_part_of(modifiers);
  if (part.empty()) {
    if (is_reserved(name, language_.number) || is_gate_of_standard_file(name)) return;
    part = name;
  }
  if (!is_identifier(part)) {
    source_.fail(place, "the modifiers of an operation with annotations must not contain comments");
  }
  source_.fail(place, fmt::format("an operation with annotations names {}, expected numbers, "
                                  "registers and gates of the standard file",
                                  in_quotes(part)));
}

}  // namespace quartz::qasm
