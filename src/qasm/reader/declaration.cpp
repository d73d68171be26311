// Declarations: registers, free parameters, constants, aliases.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "qasm/gates/kept_statement.hpp"
#include "qasm/reader/elements.hpp"
#include "qasm/reader/parser.hpp"
#include "qasm/text/number.hpp"
#include "qasm/text/opaque_symbol.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
// --- registers and free parameters ---

void Parser::parse_register(bool is_quantum) {
  lexer_.advance();
  const Token name = lexer_.expect(TokenKind::identifier);
  if (language_.number >= 3 && lexer_.accept(TokenKind::semicolon)) {  // like `qubit q;`
    return declare_register(name, 1, {.is_quantum = is_quantum, .is_scalar = true});
  }
  lexer_.expect(TokenKind::left_bracket);
  const std::uint32_t size = parse_size(is_quantum);
  lexer_.expect(TokenKind::right_bracket);
  lexer_.expect(TokenKind::semicolon);
  declare_register(name, size, {.is_quantum = is_quantum});
}

/// Parses `qubit[3] q;`, `qubit q;` or `bit c = measure q;`.
void Parser::parse_typed_register(bool is_quantum) {
  lexer_.advance();
  if (is_quantum && lexer_.current().text == "$") {  // `qubit $0;`, as in drafts of OpenQASM 3
    (void)parse_physical_qubit();
    lexer_.expect(TokenKind::semicolon);
    return;
  }
  DeclaredRegister declared{.is_quantum = is_quantum, .is_scalar = true};
  std::uint32_t size = 1;
  if (lexer_.accept(TokenKind::left_bracket)) {
    declared.is_scalar = false;
    size = parse_size(is_quantum);
    lexer_.expect(TokenKind::right_bracket);
  }
  const Token name = lexer_.expect(TokenKind::identifier);
  declare_register(name, size, declared);
  if (!is_quantum && lexer_.accept(TokenKind::assign)) {
    if (lexer_.current().text == "measure") return parse_measured_value(parse_operand(name, false));
    return parse_initial_bits(parse_operand(name, false));
  }
  lexer_.expect(TokenKind::semicolon);
}

std::uint32_t Parser::parse_size(bool is_quantum) {
  const Token token = lexer_.current();
  std::optional<std::uint64_t> size;
  if (language_.number >= 3) {
    const std::int64_t value = parse_integer();
    if (value >= 0) size = static_cast<std::uint64_t>(value);
  } else {
    lexer_.expect(TokenKind::integer);
    size = read_whole_number<std::uint64_t>(token.text);
  }
  const std::uint32_t used = is_quantum ? circuit_.qubit_count() : circuit_.bit_count();
  if (!size || *size > max_elements - used) {
    source_.fail(token.text,
                 fmt::format("found the register size {}, expected at most {} {} in all",
                             in_quotes(token.text), max_elements, is_quantum ? "qubits" : "bits"));
  }
  if (*size == 0) source_.fail(token.text, "found the register size 0, expected 1 or more");
  return static_cast<std::uint32_t>(*size);
}

void Parser::check_new_name(const Token& name) const {
  if (language_.number >= 3 && is_reserved(name.text, language_.number)) {
    source_.fail(name.text,
                 fmt::format("{} is a reserved word, expected a new name", in_quotes(name.text)));
  }
  if (const std::string_view earlier = names_.declared_here(name.text); !earlier.empty()) {
    source_.fail(name.text, fmt::format("the name {} is already declared in {}",
                                        in_quotes(name.text), source_.line_text(earlier)));
  }
  if (names_.durations.contains(name.text)) {
    source_.fail(name.text,
                 fmt::format("the name {} is already that of a duration", in_quotes(name.text)));
  }
  if (names_.externs.contains(name.text)) {
    source_.fail(name.text, fmt::format("the name {} is already that of an external function",
                                        in_quotes(name.text)));
  }
  if (execution_.has_local_registers && names_.depth() == 0 && is_name_of_circuit(name.text)) {
    source_.fail(name.text, fmt::format("the name {} is already that of a register in a block",
                                        in_quotes(name.text)));
  }
}

/// Returns whether a register or a free parameter of the circuit has the name.
bool Parser::is_name_of_circuit(std::string_view name) const {
  const auto has_name = [&](const auto& each) { return each.name == name; };
  return std::any_of(circuit_.qubit_registers.begin(), circuit_.qubit_registers.end(), has_name) ||
         std::any_of(circuit_.bit_registers.begin(), circuit_.bit_registers.end(), has_name) ||
         std::any_of(circuit_.parameters.begin(), circuit_.parameters.end(), has_name) ||
         names_.durations.contains(name) || names_.externs.contains(name);
}

std::uint32_t Parser::checked_size(std::uint64_t size, std::string_view place) const {
  if (size > max_elements - circuit_.bit_count()) {
    source_.fail(place, fmt::format("found more than {} bits", max_elements));
  }
  return static_cast<std::uint32_t>(size);
}

void Parser::declare_register(const Token& name, std::uint32_t size, DeclaredRegister declared) {
  check_new_name(name);
  if (declared.is_quantum && physical_qubits_.used) {
    source_.fail(name.text, "registers and physical qubits in one program are not supported");
  }
  if (declared.is_quantum && names_.depth() != 0) {
    source_.fail(name.text, "qubits are declared outside of blocks");
  }
  auto& list = declared.is_quantum ? circuit_.qubit_registers : circuit_.bit_registers;
  const std::uint32_t first = declared.is_quantum ? circuit_.qubit_count() : circuit_.bit_count();
  if (size > max_elements - first) {
    source_.fail(name.text, fmt::format("found more than {} {}", max_elements,
                                        declared.is_quantum ? "qubits" : "bits"));
  }
  declared.index = static_cast<std::uint32_t>(list.size());
  names_.declare(name.text, declared);
  // A block declares another register of bits each time that it is executed.
  const bool is_local = names_.depth() != 0;
  if (is_local) execution_.has_local_registers = true;
  list.push_back({is_local ? unique_register_name(name.text, name.text) : std::string(name.text),
                  first, size});
}

std::string Parser::unique_register_name(std::string_view name, std::string_view place) {
  std::string unique(name);
  for (std::size_t i = 1; is_name_of_circuit(unique); ++i) {
    budget_.charge(1 + circuit_.bit_registers.size() / 8, place);
    unique = fmt::format("{}_{}", name, i);
  }
  return unique;
}

/// Parses `input float[64] theta;` or `input angle theta;`. The type has no effect but is kept.
void Parser::parse_input() {
  lexer_.advance();
  if (lexer_.current().text == "duration") return parse_duration_declaration("input ");
  if (lexer_.current().text == "bool") return parse_input_truth_value();
  const Token type = lexer_.expect(TokenKind::identifier);
  if (type.text != "float" && type.text != "angle") {
    source_.fail(type.text, fmt::format("found an input of type {}, expected 'float', 'angle', "
                                        "'bool' or 'duration'",
                                        in_quotes(type.text)));
  }
  std::string type_text(type.text);
  if (const auto width = parse_width()) type_text += fmt::format("[{}]", *width);
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_name(name);
  lexer_.expect(TokenKind::semicolon);
  if (has_private_character(name.text)) {
    source_.fail(name.text, "the name contains a character for private use, expected letters");
  }
  NamedValue value;
  value.value = {Angle::symbol(std::string(name.text)), false};
  value.kind = NamedValue::Kind::free_parameter;
  names_.declare(name.text, std::move(value));
  circuit_.parameters.push_back({std::string(name.text), std::move(type_text)});
}

/// Parses `input bool flag;`. Conditions read it like a bit whose value is not known, so it is a
/// register of one bit, which the statement writes.
void Parser::parse_input_truth_value() {
  const Token type = lexer_.take();
  const Token name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::semicolon);
  declare_register(name, 1, {.is_quantum = false, .is_scalar = true});
  const Register& declared = circuit_.bit_registers.back();
  builder_.add_interface_statement(input_statement(declared.name), std::array{declared.first},
                                   type.text);
}

/// Parses `output bit[2] c;`. The statement is kept, and declares the register in what is written.
void Parser::parse_output() {
  const Token word = lexer_.take();
  const Token type = lexer_.current();
  if (type.text != "bit") {
    lexer_.fail_expecting("'bit': outputs of other types are not supported");
  }
  lexer_.advance();
  DeclaredRegister as_declared{.is_quantum = false, .is_scalar = true};
  std::uint32_t size = 1;
  if (lexer_.accept(TokenKind::left_bracket)) {
    as_declared.is_scalar = false;
    size = parse_size(false);
    lexer_.expect(TokenKind::right_bracket);
  }
  const Token name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::semicolon);
  declare_register(name, size, as_declared);
  const Register& declared = circuit_.bit_registers.back();
  builder_.add_interface_statement(output_statement(declared.name, declared.size), {}, word.text);
}

std::optional<std::int64_t> Parser::parse_width() {
  if (!lexer_.accept(TokenKind::left_bracket)) return std::nullopt;
  const Token first = lexer_.current();
  const std::int64_t width = parse_integer();
  if (width < 1) {
    source_.fail(first.text, fmt::format("found a type of {} bits, expected 1 or more", width));
  }
  lexer_.expect(TokenKind::right_bracket);
  return width;
}

void Parser::declare_constant(const Token& name, Value value) {
  NamedValue constant;
  constant.value = std::move(value);
  names_.declare(name.text, std::move(constant));
}

// --- constants and aliases ---

/// Parses `const int[32] n = 4;` or `const float x = pi/n;`.
void Parser::parse_constant() {
  lexer_.advance();
  if (lexer_.current().text == "duration" || lexer_.current().text == "stretch") {
    return parse_duration_declaration("const ");
  }
  const Token type = lexer_.expect(TokenKind::identifier);
  constexpr std::array<std::string_view, 6> types{"int", "uint", "float", "angle", "bool", "bit"};
  if (std::find(types.begin(), types.end(), type.text) == types.end()) {
    source_.fail(type.text, fmt::format("found a constant of type {}, expected 'int', 'uint', "
                                        "'float', 'angle', 'bool' or 'bit'",
                                        in_quotes(type.text)));
  }
  (void)parse_width();
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_name(name);
  lexer_.expect(TokenKind::assign);
  const Token first = lexer_.current();
  Value value = parse_classical_value();
  if (value.measured != nullptr) {
    source_.fail(first.text, "a constant cannot depend on a measurement");
  }
  if (!value.angle.is_constant()) {
    source_.fail(first.text, fmt::format("a constant cannot depend on the free parameter {}",
                                         in_quotes(value.angle.symbols().front())));
  }
  const bool wants_integer = type.text != "float" && type.text != "angle";
  const bool is_negative = value.angle.radian_part() < Rational(0);
  if (wants_integer && (!value.is_integer || (is_negative && type.text == "uint"))) {
    source_.fail(first.text, fmt::format("found the value {}, expected one of type {}",
                                         value.angle.to_string(), in_quotes(type.text)));
  }
  value.is_integer = wants_integer;
  lexer_.expect(TokenKind::semicolon);
  declare_constant(name, std::move(value));
}

/// Parses `let a = q[0:2] ++ r;`: another name for qubits or bits.
void Parser::parse_alias() {
  lexer_.advance();
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_name(name);
  lexer_.expect(TokenKind::assign);
  std::vector<std::uint32_t> elements;
  DeclaredRegister declared{.is_alias = true};
  bool is_first = true;
  bool more = true;
  while (more) {
    const Token part = lexer_.current();
    if (is_first) {
      const auto found = names_.registers.find(part.text);
      declared.is_quantum = found == names_.registers.end() || found->second.is_quantum;
    }
    const Operand operand = parse_operand(declared.is_quantum);
    declared.is_scalar = is_first && !operand.is_whole;
    budget_.charge(operand.size / 8, part.text);
    for (std::uint32_t i = 0; i < operand.size; ++i) elements.push_back(operand[i]);
    is_first = false;
    more = lexer_.accept(TokenKind::plus);
    if (more) lexer_.expect(TokenKind::plus);
  }
  lexer_.expect(TokenKind::semicolon);
  if (has_element_twice(elements)) {
    source_.fail(name.text,
                 fmt::format("the alias {} contains an element twice", in_quotes(name.text)));
  }
  declared.index = static_cast<std::uint32_t>(names_.aliases.size());
  names_.aliases.push_back(Operand::listing(std::move(elements), !declared.is_scalar, name.text));
  names_.declare(name.text, declared);
}

}  // namespace quartz::qasm
