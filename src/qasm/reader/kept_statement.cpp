// Boxes, pragmas, annotations and feedback gates, which are kept as they stand.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "qasm/gates/library.hpp"
#include "qasm/reader/executor.hpp"
#include "qasm/text/angle_text.hpp"
#include "qasm/text/header.hpp"
#include "quartz/base/counted.hpp"

namespace quartz::qasm {
namespace {

bool is_word_character(char character) {
  const char after_letter[] = {'a', character};
  return is_identifier({after_letter, 2});
}

}  // namespace

/// Executes a box: operations are moved neither in nor out. The gates of a verbatim box of Amazon
/// Braket must not change.
void Executor::execute(const syntax::Box& box) {
  const std::string_view word = box.word.text;
  std::string duration;
  if (!box.duration.is_absent()) duration = fmt::format("[{}]", text_of_duration(box.duration));
  scratch_.names_qubits = scratch_.names_qubits || !box.lines.empty();
  keep(OpaqueKind::box, fmt::format("{}box{} {{", box.lines, duration), {}, word);
  if (box.is_verbatim) builder_.set_verbatim(true);
  ++execution_.boxes;
  execute_body(box.body);
  --execution_.boxes;
  for (auto& [name, declared] : names_.durations) {
    if (declared.boxes > execution_.boxes) declared.is_visible = false;
  }
  if (box.is_verbatim) builder_.set_verbatim(false);
  keep(OpaqueKind::end_of_block, "}", {}, word);
}

void Executor::execute(const syntax::Pragma& pragma) {
  check_names_of_pragma(pragma);
  scratch_.names_qubits = true;
  keep(OpaqueKind::pragma, pragma.text, {}, pragma.first.text);
}

/// Fails unless the text of a pragma that acts on qubits means the same in the circuit: it names
/// registers of qubits and nothing else, and it is executed once, without conditions.
void Executor::check_names_of_pragma(const syntax::Pragma& pragma) const {
  const std::string_view text = pragma.operands;
  const Token& start = pragma.first;
  if (!text.empty() && names_.depth() != execution_.boxes) {
    source_.fail(start.text, "a pragma that acts on qubits is supported only outside of blocks");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && is_word_character(text[i])) ++i;
    const std::string_view word = text.substr(begin, i - begin);
    if (!is_identifier(word)) continue;  // a number, with the letters that belong to it, or a sign
    const DeclaredRegister* const found = names_.find_register(word);
    if (word != "im" && (found == nullptr || !found->is_quantum || found->is_alias)) {
      source_.fail(start.text, fmt::format("the pragma names {}, expected numbers and registers of "
                                           "qubits",
                                           in_quotes(word)));
    }
  }
}

/// Keeps a feedback gate of Amazon Braket: `measure_ff(0) q;`, a measurement whose outcome has the
/// key 0, and `cc_prx(pi, 0, 0) q;`, a prx gate if that outcome is 1. They are statements because
/// one acts on the qubits of the other.
void Executor::keep_feedback_gate(const syntax::Call& call) {
  const Token& name = call.name;
  const bool is_measurement = name.text == "measure_ff";
  const std::size_t parameters = is_measurement ? 1 : 3;
  evaluate_arguments(call.arguments);
  if (scratch_.values.size() != parameters) {
    source_.fail(name.text, fmt::format("gate {} takes {}, found {}", in_quotes(name.text),
                                        counted(parameters, "parameter"), scratch_.values.size()));
  }
  const Value& key = scratch_.values.back();
  if (!key.is_integer || !key.angle.is_constant() || key.angle.value() < 0) {
    source_.fail(name.text, "the key of a feedback gate is an integer from 0 on");
  }
  std::vector<std::string> arguments;
  for (const Value& value : scratch_.values) {
    if (!value.angle.is_constant())
      source_.fail(name.text, "found a free parameter, expected a number");
    append_angle(arguments.emplace_back(), value.angle);
  }
  if (is_measurement) names_.feedback_keys.insert(arguments.back());
  if (!names_.feedback_keys.contains(arguments.back())) {
    source_.fail(name.text,
                 fmt::format("no 'measure_ff' before this gate has the key {}", arguments.back()));
  }
  if (call.operands.size() != 1) {
    fail_found(call.next, call.operands.empty() ? describe(TokenKind::identifier) : "one operand");
  }
  const Operand qubits = operand_of(call.operands[0], true);
  for (std::uint32_t i = 0; i < qubits.size; ++i) {
    scratch_.names_qubits = true;
    keep(OpaqueKind::statement,
         fmt::format("{}({}) {};", name.text, fmt::join(arguments, ","), qubit_name(qubits[i])), {},
         name.text);
  }
}

/// Executes a statement with annotations. They are kept with an operation, and end where any other
/// statement is read, because it is written in another form: declarations come first, definitions
/// are expanded, loops are unrolled, and conditions become those of single operations.
void Executor::execute(const syntax::Annotated& annotated) {
  const syntax::Statement& statement = annotated.statement.front();
  const bool is_operation = syntax::node_of<syntax::Call>(statement) != nullptr ||
                            syntax::node_of<syntax::Assignment>(statement) != nullptr ||
                            syntax::node_of<syntax::Measure>(statement) != nullptr ||
                            syntax::node_of<syntax::Reset>(statement) != nullptr ||
                            syntax::node_of<syntax::SetOperation>(statement) != nullptr;
  if (!is_operation) return execute(statement);
  keep_annotated_operation(annotated);
}

/// Executes an operation with annotations. It must not change, so it is kept as a statement.
void Executor::keep_annotated_operation(const syntax::Annotated& annotated) {
  const std::string_view start = annotated.first.text;
  const auto fail = [&] { source_.fail(start, std::string(syntax::kAnnotationsError)); };
  if (names_.depth() != 0 || !execution_.branches.empty()) fail();
  const std::size_t first = circuit_.operations.size();
  const std::size_t registers = circuit_.bit_registers.size();
  const Angle phase = circuit_.global_phase;
  execute(annotated.statement.front());
  std::vector<ClassicalBit> written;
  for (std::size_t i = first; i < circuit_.operations.size(); ++i) {
    const Operation& operation = circuit_.operations[i];
    if (operation.kind == OperationKind::opaque) fail();
    if (operation.kind != OperationKind::measure || operation.classical == nullptr) continue;
    const auto& bits = operation.classical->bits;
    written.insert(written.end(), bits.begin(), bits.end());
  }
  const bool is_operation = circuit_.operations.size() > first &&
                            circuit_.bit_registers.size() == registers &&
                            circuit_.global_phase == phase;
  if (!is_operation) fail();
  check_names_of_annotated(annotated.text, start);
  circuit_.operations.resize(first);
  std::string line;
  std::ranges::replace_copy_if(
      annotated.text, std::back_inserter(line), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  scratch_.names_qubits = true;
  keep(OpaqueKind::statement, annotated.lines + line, written, start);
}

/// Fails unless the text of an annotated operation means the same in the circuit: it names
/// registers and gates of the standard file, and no values of the program.
void Executor::check_names_of_annotated(std::string_view text, std::string_view start) const {
  if (text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos) {
    source_.fail(start, "an operation with annotations must not contain comments");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && is_word_character(text[i])) ++i;
    const std::string_view word = text.substr(begin, i - begin);
    if (!is_identifier(word) || is_reserved(word, language_.number)) continue;
    const DeclaredRegister* const found = names_.find_register(word);
    const bool is_register = found != nullptr && !found->is_alias;
    const Callable* const callee = names_.find_gate(word);
    const bool is_standard = callee != nullptr && callee->declared.empty() &&
                             callee->kind == Callable::Kind::table_gate &&
                             is_library_gate(callee->gate, language_.number);
    if (is_register || (found == nullptr && is_standard)) continue;
    source_.fail(start, fmt::format("an operation with annotations names {}, expected numbers, "
                                    "registers and gates of the standard file",
                                    in_quotes(word)));
  }
}

}  // namespace quartz::qasm
