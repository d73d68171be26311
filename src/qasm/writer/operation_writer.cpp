#include "qasm/writer/operation_writer.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "algebra/expression_symbol.hpp"
#include "circuit/kept_statement.hpp"
#include "qasm/text/angle_text.hpp"
#include "qasm/text/arithmetic.hpp"
#include "qasm/text/bits_text.hpp"
#include "qasm/text/header.hpp"
#include "qasm/text/lexer.hpp"
#include "qasm/writer/list_text.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

constexpr std::size_t kMaxKnownAngles = 1U << 12U;
constexpr std::size_t kMaxKnownQubits = 1U << 16U;
/// Number of operations between two checks of the stop token: less than a millisecond.
constexpr std::size_t kOperationsBetweenChecks = 1024;

bool is_whole_register(std::span<const Qubit> qubits, const Register& whole) {
  if (qubits.size() < whole.size) return false;
  for (std::uint32_t i = 0; i < whole.size; ++i) {
    if (qubits[i] != whole.first + i) return false;
  }
  return true;
}

/// Returns whether the end of a line means something in the text of an operation.
bool has_line_of_its_own(const Operation& operation) {
  return circuit::is_opaque(operation, OpaqueKind::pragma) ||
         (circuit::is_kept_statement(operation) &&
          operation.classical->opaque_name.find('\n') != std::string::npos);
}

const Register& register_of(const std::vector<Register>& registers, std::uint32_t element) {
  const auto after = std::upper_bound(
      registers.begin(), registers.end(), element,
      [](std::uint32_t value, const Register& each) { return value < each.first; });
  if (after == registers.begin() || element - std::prev(after)->first >= std::prev(after)->size) {
    throw UsageError(fmt::format("the circuit has no qubit or bit number {}", element));
  }
  return *std::prev(after);
}

}  // namespace

bool has_physical_qubits(const Circuit& circuit) {
  return !circuit.qubit_registers.empty() && circuit.qubit_registers[0].name == kPhysicalRegister;
}

OperationWriter::OperationWriter(const Circuit& circuit, const WrittenLanguage& language,
                                 const GateNames& names, const std::stop_token& stop,
                                 std::string& text)
    : circuit_(circuit),
      language_(language),
      names_(names),
      stop_(stop),
      text_(text),
      has_physical_qubits_(has_physical_qubits(circuit)) {
  for (const Parameter& parameter : circuit.parameters) parameters_.insert(parameter.name);
}

void OperationWriter::write_operations() {
  if (language_.version >= 3) {
    // The registers that these statements declare are written with the others.
    const auto first =
        std::ranges::find_if_not(circuit_.operations, circuit::is_interface_statement);
    return write_nested({first, circuit_.operations.end()}, 0);
  }
  for (const Operation& operation : circuit_.operations) {
    if (!operation.conditions().empty()) write_condition(operation.conditions());
    write_operation(operation);
    text_ += "\n";
  }
}

/// All of these operations share their first `depth` conditions.
void OperationWriter::write_nested(std::span<const Operation> operations, std::size_t depth) {
  for (std::size_t i = 0; i < operations.size();) {
    indent(depth);
    if (operations[i].conditions().size() == depth) {
      const std::size_t start = text_.size();
      write_operation(operations[i]);
      if (depth > 0 && circuit::is_kept_statement(operations[i])) indent_lines(start, depth);
      text_ += "\n";
      ++i;
      continue;
    }
    const IfStatement statement = first_if_statement(circuit_, operations.subspan(i), depth);
    write_if_statement(statement, depth);
    i += statement.body.size() + statement.otherwise.size();
  }
}

/// Conditions that hold together are nested statements, not '&&', because more tools can read them.
void OperationWriter::write_if_statement(const IfStatement& statement, std::size_t depth) {
  text_ += fmt::format("if ({}) ", condition_text(statement.condition));
  const bool is_short = statement.body.size() == 1 && statement.otherwise.empty() &&
                        statement.body[0].conditions().size() == depth + 1 &&
                        !has_line_of_its_own(statement.body[0]);
  if (is_short) {
    text_ += "{ ";
    write_operation(statement.body[0]);
    text_ += " }\n";
    return;
  }
  write_block(statement.body, depth);
  if (!statement.otherwise.empty()) {
    text_ += " else ";
    write_block(statement.otherwise, depth);
  }
  text_ += "\n";
}

void OperationWriter::write_block(std::span<const Operation> operations, std::size_t depth) {
  text_ += "{\n";
  write_nested(operations, depth + 1);
  indent(depth);
  text_ += "}";
}

/// Indents the lines that begin after this place in the text: annotations have lines of their own.
void OperationWriter::indent_lines(std::size_t start, std::size_t depth) {
  for (std::size_t at = start; (at = text_.find('\n', at)) != std::string::npos;) {
    text_.insert(++at, 2 * depth, ' ');
  }
}

void OperationWriter::indent(std::size_t depth) { text_.append(2 * depth, ' '); }

/// A test of a single bit is written without a comparison, as Qiskit's importer requires.
std::string OperationWriter::condition_text(const Condition& condition) const {
  if (condition.expression != nullptr) {
    return text_of(*condition.expression,
                   [&](std::span<const ClassicalBit> bits) { return bits_text(circuit_, bits); });
  }
  if (language_.compares_single_bits) return comparisons_of_bits(condition);
  const std::string& name = circuit_.bit_registers[condition.bit_register].name;
  if (!condition.element) return fmt::format("{} == {}", name, condition.value);
  if (condition.value > 1) {
    return fmt::format("{}[{}] == {}", name, *condition.element, condition.value);
  }
  return fmt::format("{}{}[{}]", condition.value == 0 ? "!" : "", name, *condition.element);
}

/// Returns a comparison of each tested bit with its value.
std::string OperationWriter::comparisons_of_bits(const Condition& condition) const {
  const Register tested = tested_bits(circuit_, condition);
  if (tested.size < 64 && (condition.value >> tested.size) != 0) {
    throw UsageError(
        fmt::format("a register of {} bits is compared with {}, which the dialect "
                    "cannot express",
                    tested.size, condition.value));
  }
  std::string text;
  for (std::uint32_t i = 0; i < tested.size; ++i) {
    if (i != 0) text += " && ";
    const ClassicalBit bit = tested.first + i;
    const bool is_set = i < 64 && ((condition.value >> i) & 1U) != 0;
    text += fmt::format("{} == {}", bits_text(circuit_, std::span(&bit, 1)), is_set ? 1 : 0);
  }
  return text;
}

/// Writes the operation and its semicolon.
void OperationWriter::write_operation(const Operation& operation) {
  if (++written_ % kOperationsBetweenChecks == 0 && stop_.stop_requested()) {
    throw Stopped("stopped while writing the circuit");
  }
  switch (operation.kind) {
    case OperationKind::gate:
      text_ += names_[operation.gate];
      write_arguments(operation);
      break;
    case OperationKind::opaque:
      if (circuit::is_kept_statement(operation)) return write_statement(operation);
      write_opaque(operation);
      break;
    case OperationKind::measure:
      write_measure(operation);
      break;
    case OperationKind::reset:
      text_ += "reset ";
      write_qubit(operation.qubits.front());
      break;
    case OperationKind::barrier:
      text_ += "barrier ";
      write_qubit_set(operation);
      break;
  }
  text_ += ";";
}

void OperationWriter::write_statement(const Operation& operation) {
  const std::string& text = operation.classical->opaque_name;
  if (language_.version < 3) {
    throw UsageError(fmt::format("OpenQASM 2 cannot express '{}': write version 3", text));
  }
  text_ += text;
}

void OperationWriter::write_opaque(const Operation& operation) {
  const std::string& name = operation.classical->opaque_name;
  const OpaqueKind kind = operation.classical->opaque_kind;
  if (kind == OpaqueKind::gate || kind == OpaqueKind::verbatim_gate) {
    text_ += kind == OpaqueKind::gate ? std::string_view(name) : names_[operation.gate];
    return write_arguments(operation);
  }
  if (language_.version < 3) {
    throw UsageError(fmt::format("OpenQASM 2 cannot express '{}': write version 3", name));
  }
  text_ += kind == OpaqueKind::no_operation ? "nop " : name + " ";
  write_qubit_set(operation);
}

/// Writes the condition of an operation in version 2.
void OperationWriter::write_condition(std::span<const Condition> conditions) {
  if (conditions.size() > 1) {
    throw UsageError("OpenQASM 2 cannot express a condition within a condition: write version 3");
  }
  const Condition& condition = conditions.front();
  if (condition.expression != nullptr) {
    throw UsageError(
        "OpenQASM 2 cannot express a condition with operators on bits: write version 3");
  }
  const std::string name = tested_bits(circuit_, condition).name;
  if (condition.element && !condition.negated && language_.has_bit_conditions) {
    text_ += fmt::format("if({}[{}]=={}) ", name, *condition.element, condition.value);
    return;
  }
  if (condition.element || condition.negated) {
    throw UsageError(
        fmt::format("OpenQASM 2 cannot express a condition on one bit of the register "
                    "'{}', or on all but one of its values: write version 3",
                    name));
  }
  text_ += fmt::format("if({}=={}) ", name, condition.value);
}

void OperationWriter::write_measure(const Operation& operation) {
  if (operation.classical == nullptr || operation.classical->bits.size() > 1 ||
      operation.qubits.size() != 1) {
    throw UsageError("a measurement takes one qubit and one bit, or no bit");
  }
  if (operation.classical->bits.empty()) {
    if (language_.version < 3) {
      throw UsageError("OpenQASM 2 cannot express a measurement without a bit: write version 3");
    }
    text_ += "measure ";
    return write_qubit(operation.qubits.front());
  }
  const ClassicalBit bit = operation.classical->bits.front();
  if (language_.version >= 3) {
    write_element(circuit_.bit_registers, bit);
    text_ += " = measure ";
    write_qubit(operation.qubits.front());
  } else {
    text_ += "measure ";
    write_qubit(operation.qubits.front());
    text_ += " -> ";
    write_element(circuit_.bit_registers, bit);
  }
}

/// Writes whole registers by name, so that a barrier over 10^5 qubits is one short line.
void OperationWriter::write_qubit_set(const Operation& operation) {
  const std::span<const Qubit> qubits(operation.qubits.data(), operation.qubits.size());
  if (qubits.empty()) throw UsageError("a barrier and a delay need a qubit");
  for (std::size_t i = 0; i < qubits.size();) {
    if (i != 0) text_ += ",";
    const Register& in = register_of(circuit_.qubit_registers, qubits[i]);
    if (!has_physical_qubits_ && is_whole_register(qubits.subspan(i), in)) {
      text_ += in.name;
      i += in.size;
    } else {
      write_qubit(qubits[i]);
      ++i;
    }
  }
}

void OperationWriter::write_arguments(const Operation& operation) {
  append_list(
      text_, "(", operation.angles.size(),
      [&](std::size_t i) { write_angle_of(operation, operation.angles[i]); }, ")");
  append_list(
      text_, " ", operation.qubits.size(), [&](std::size_t i) { write_qubit(operation.qubits[i]); },
      "");
}

void OperationWriter::write_angle_of(const Operation& operation, const Angle& angle) {
  const std::vector<GateKind>& in_turns = circuit_.gates_in_turns;
  if (operation.kind != OperationKind::gate ||
      std::find(in_turns.begin(), in_turns.end(), operation.gate) == in_turns.end()) {
    return write_angle(angle);
  }
  check_symbols(angle);
  append_turns(text_, angle);
}

void OperationWriter::write_angle(const Angle& angle) {
  if (!angle.terms().empty()) check_symbols(angle);
  if (angle.is_pi_multiple()) {
    append_angle(text_, angle);
    return;
  }
  const auto known = known_angles_.find(angle);
  if (known != known_angles_.end()) {
    text_ += known->second;
    return;
  }
  const std::size_t start = text_.size();
  append_angle(text_, angle);
  if (known_angles_.size() < kMaxKnownAngles) known_angles_.emplace(angle, text_.substr(start));
}

void OperationWriter::check_symbols(const Angle& angle) const {
  for (const std::string& symbol : angle.symbols()) {
    if (const auto expression = algebra::expression_of_symbol(symbol)) {
      check_names(*expression);
    } else if (!parameters_.contains(symbol)) {
      throw UsageError(fmt::format("the free parameter '{}' is used but not declared", symbol));
    }
  }
}

/// Checks that the free parameters of an expression are declared.
void OperationWriter::check_names(const std::string& expression) const {
  const Source source(expression, {});
  std::vector<std::string_view> comments;
  Lexer lexer(source, comments, language_.version);
  while (!lexer.at(TokenKind::end)) {
    const Token token = lexer.take();
    const bool is_parameter = token.kind == TokenKind::identifier && !find_constant(token.text) &&
                              !find_function(token.text);
    if (is_parameter && !parameters_.contains(token.text)) {
      throw UsageError(fmt::format("the free parameter '{}' is used but not declared", token.text));
    }
  }
}

void OperationWriter::write_qubit(Qubit qubit) {
  if (qubit < texts_of_qubits_.size() && !texts_of_qubits_[qubit].empty()) {
    text_ += texts_of_qubits_[qubit];
    return;
  }
  const std::size_t start = text_.size();
  if (has_physical_qubits_) {
    (void)register_of(circuit_.qubit_registers, qubit);
    text_ += kPhysicalRegister;
    append_number(text_, qubit);
  } else {
    write_element(circuit_.qubit_registers, qubit);
  }
  if (qubit >= kMaxKnownQubits) return;
  if (qubit >= texts_of_qubits_.size()) texts_of_qubits_.resize(qubit + 1);
  texts_of_qubits_[qubit] = text_.substr(start);
}

void OperationWriter::write_element(const std::vector<Register>& registers, std::uint32_t element) {
  const Register& in = register_of(registers, element);
  text_ += in.name;
  text_ += '[';
  append_number(text_, element - in.first);
  text_ += ']';
}

}  // namespace quartz::qasm
