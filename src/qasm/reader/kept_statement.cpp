// Boxes, pragmas and feedback gates, which are kept as they stand.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "qasm/reader/executor.hpp"
#include "qasm/text/angle_text.hpp"
#include "qasm/text/names.hpp"
#include "quartz/base/counted.hpp"

namespace quartz::qasm {
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
    while (i < text.size() && is_identifier_character(text[i])) ++i;
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

}  // namespace quartz::qasm
