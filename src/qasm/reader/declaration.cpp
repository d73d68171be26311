// Declarations: registers, free parameters, constants, aliases.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "qasm/reader/elements.hpp"
#include "qasm/reader/parser.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
// --- registers and free parameters ---

void Parser::parse_register(bool is_quantum) {
  lexer_.advance();
  const Token name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::left_bracket);
  const std::uint32_t size = parse_size(is_quantum);
  lexer_.expect(TokenKind::right_bracket);
  lexer_.expect(TokenKind::semicolon);
  declare_register(name, size, {.is_quantum = is_quantum});
}

/// Parses `qubit[3] q;`, `qubit q;` or `bit c = measure q;`.
void Parser::parse_typed_register(bool is_quantum) {
  lexer_.advance();
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
    if (lexer_.current().text != "measure") lexer_.fail_expecting("'measure'");
    return parse_measured_value(parse_operand(name, false));
  }
  lexer_.expect(TokenKind::semicolon);
}

std::uint32_t Parser::parse_size(bool is_quantum) {
  const Token token = lexer_.current();
  std::optional<std::uint64_t> size;
  if (version_ >= 3) {
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
                             quoted(token.text), max_elements, is_quantum ? "qubits" : "bits"));
  }
  if (*size == 0) source_.fail(token.text, "found the register size 0, expected 1 or more");
  return static_cast<std::uint32_t>(*size);
}

void Parser::check_new_name(const Token& name) const {
  if (version_ >= 3 && is_reserved(name.text, version_)) {
    source_.fail(name.text,
                 fmt::format("{} is a reserved word, expected a new name", quoted(name.text)));
  }
  if (const auto found = names_.registers.find(name.text); found != names_.registers.end()) {
    source_.fail(name.text, fmt::format("the name {} is already declared in line {}",
                                        quoted(name.text), source_.line_of(found->first)));
  }
  if (const auto found = names_.values.find(name.text); found != names_.values.end()) {
    source_.fail(name.text, fmt::format("the name {} is already declared in line {}",
                                        quoted(name.text), source_.line_of(found->first)));
  }
}

void Parser::declare_register(const Token& name, std::uint32_t size, DeclaredRegister declared) {
  check_new_name(name);
  if (declared.is_quantum && physical_qubits_.used) {
    source_.fail(name.text, "registers and physical qubits in one program are not supported");
  }
  auto& list = declared.is_quantum ? circuit_.qubit_registers : circuit_.bit_registers;
  const std::uint32_t first = declared.is_quantum ? circuit_.qubit_count() : circuit_.bit_count();
  if (size > max_elements - first) {
    source_.fail(name.text, fmt::format("found more than {} {}", max_elements,
                                        declared.is_quantum ? "qubits" : "bits"));
  }
  declared.index = static_cast<std::uint32_t>(list.size());
  names_.registers.emplace(name.text, declared);
  list.push_back({std::string(name.text), first, size});
}

/// Parses `input float[64] theta;` or `input angle theta;`. The type has no effect but is kept.
void Parser::parse_input() {
  lexer_.advance();
  const Token type = lexer_.expect(TokenKind::identifier);
  if (type.text != "float" && type.text != "angle") {
    source_.fail(type.text, fmt::format("found an input of type {}, expected 'float' or 'angle'",
                                        quoted(type.text)));
  }
  std::string type_text(type.text);
  if (const auto width = parse_width()) type_text += fmt::format("[{}]", *width);
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_name(name);
  lexer_.expect(TokenKind::semicolon);
  declare_value(name, {Angle::symbol(std::string(name.text)), false}, true);
  circuit_.parameters.push_back({std::string(name.text), std::move(type_text)});
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

void Parser::declare_value(const Token& name, Value value, bool is_free_parameter) {
  names_.values.insert_or_assign(name.text, NamedValue{std::move(value), is_free_parameter});
}

// --- constants and aliases ---

/// Parses `const int[32] n = 4;` or `const float x = pi/n;`.
void Parser::parse_constant() {
  lexer_.advance();
  const Token type = lexer_.expect(TokenKind::identifier);
  constexpr std::array<std::string_view, 4> types{"int", "uint", "float", "angle"};
  if (std::find(types.begin(), types.end(), type.text) == types.end()) {
    source_.fail(type.text, fmt::format("found a constant of type {}, expected 'int', 'uint', "
                                        "'float' or 'angle'",
                                        quoted(type.text)));
  }
  (void)parse_width();
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_name(name);
  lexer_.expect(TokenKind::assign);
  const Token first = lexer_.current();
  parse_expression(lexer_, scope_, scratch_.expression);
  Value value = scratch_.expression.evaluate({}, source_);
  if (!value.angle.is_constant()) {
    source_.fail(first.text, fmt::format("a constant cannot depend on the free parameter {}",
                                         quoted(value.angle.symbols().front())));
  }
  const bool wants_integer = type.text == "int" || type.text == "uint";
  const bool is_negative = value.angle.radian_part() < Rational(0);
  if (wants_integer && (!value.is_integer || (is_negative && type.text == "uint"))) {
    source_.fail(first.text, fmt::format("found the value {}, expected one of type {}",
                                         value.angle.to_string(), quoted(type.text)));
  }
  value.is_integer = wants_integer;
  lexer_.expect(TokenKind::semicolon);
  declare_value(name, std::move(value), false);
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
                 fmt::format("the alias {} contains an element twice", quoted(name.text)));
  }
  declared.index = static_cast<std::uint32_t>(names_.aliases.size());
  names_.aliases.push_back(Operand::listing(std::move(elements), !declared.is_scalar, name.text));
  names_.registers.emplace(name.text, declared);
}

}  // namespace quartz::qasm
