// Operands: registers, aliases, their elements and slices.
#include <fmt/core.h>

#include <algorithm>

#include "qasm/reader/elements.hpp"
#include "qasm/reader/parser.hpp"
#include "qasm/text/header.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/nearest_name.hpp"

namespace quartz::qasm {
namespace {

std::string_view noun(bool is_quantum) { return is_quantum ? "qubit" : "bit"; }

}  // namespace

const DeclaredRegister& Parser::find_register(const Token& name, bool is_quantum) const {
  const DeclaredRegister* const found = names_.find_register(name.text);
  if (found == nullptr && names_.find_value(name.text) != nullptr) {
    source_.fail(name.text, fmt::format("found the variable {}, expected {}", in_quotes(name.text),
                                        is_quantum ? "qubits" : "classical bits"));
  }
  if (found == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& [known, declared] : names_.registers) {
      if (declared.is_quantum == is_quantum) names.push_back(known);
    }
    const std::string_view nearest = nearest_name(name.text, names);
    source_.fail(name.text, fmt::format("unknown register {}{}", in_quotes(name.text),
                                        nearest.empty() ? std::string()
                                                        : fmt::format("; did you mean {}?",
                                                                      in_quotes(nearest))));
  }
  if (found->is_quantum != is_quantum) {
    source_.fail(name.text, fmt::format("found the {} register {}, expected a {} one",
                                        is_quantum ? "classical" : "quantum", in_quotes(name.text),
                                        is_quantum ? "quantum" : "classical"));
  }
  return *found;
}

const Register& Parser::register_of(const DeclaredRegister& declared) const {
  ensure(!declared.is_alias, "an alias is not a register");
  return (declared.is_quantum ? circuit_.qubit_registers : circuit_.bit_registers)[declared.index];
}

Operand Parser::operand_of(const DeclaredRegister& declared, const Token& name) const {
  if (declared.is_alias) {
    Operand operand = names_.aliases[declared.index];
    operand.place = name.text;
    return operand;
  }
  const Register& target = register_of(declared);
  return {target.first, target.size, !declared.is_scalar, name.text};
}

Operand Parser::parse_operand(bool is_quantum) {
  if (is_quantum && language_.number >= 3 && lexer_.current().text == "$")
    return parse_physical_qubit();
  const Token name = lexer_.expect(TokenKind::identifier);
  return parse_operand(name, is_quantum);
}

Operand Parser::parse_operand(const Token& name, bool is_quantum) {
  if (!is_quantum && lexer_.at(TokenKind::left_bracket)) use_bits_of_angle(name);
  Operand operand = operand_of(find_register(name, is_quantum), name);
  bool has_elements = true;
  while (has_elements && lexer_.accept(TokenKind::left_bracket)) {
    operand = parse_elements(operand, is_quantum);
    lexer_.expect(TokenKind::right_bracket);
    has_elements = operand.is_whole && language_.number >= 3;  // as in q[{3, 1, 4}][0]
  }
  return operand;
}

/// Parses `$3`. A program has either physical qubits or registers of qubits.
Operand Parser::parse_physical_qubit() {
  const Token dollar = lexer_.take();
  const Token number = lexer_.current();
  const auto qubit = read_whole_number<std::uint32_t>(number.text);
  if (number.kind != TokenKind::integer || number.text.data() != dollar.text.data() + 1 || !qubit ||
      *qubit >= max_elements) {
    source_.fail(dollar.text,
                 fmt::format("expected a physical qubit '$0' to '${}'", max_elements - 1));
  }
  lexer_.advance();
  if (!physical_qubits_.used && !circuit_.qubit_registers.empty()) {
    source_.fail(dollar.text, "registers and physical qubits in one program are not supported");
  }
  use_physical_qubits(*qubit + 1);
  return {*qubit, 1, false, {dollar.text.data(), number.text.size() + 1}};
}

void Parser::use_physical_qubits(std::uint32_t count) {
  if (!physical_qubits_.used) {
    physical_qubits_.used = true;
    circuit_.qubit_registers.push_back(
        {std::string(physical_register), 0, physical_qubits_.announced});
  }
  std::uint32_t& size = circuit_.qubit_registers[0].size;
  size = std::max(size, count);
}

void Parser::fail_out_of_range(std::string_view index, std::string_view place, const Operand& whole,
                               bool is_quantum) const {
  source_.fail(place, fmt::format("index {} is out of range: register {} has {} {}{}", index,
                                  in_quotes(whole.place), whole.size, noun(is_quantum),
                                  whole.size == 1 ? "" : "s"));
}

std::int64_t Parser::parse_integer(const ExpressionScope& scope) {
  const Token first = lexer_.current();
  Expression expression;
  parse_expression_in(scope, expression);
  if (expression.uses_parameters()) {
    source_.fail(first.text, "expected a constant, found one that depends on a gate parameter");
  }
  const Value value = expression.evaluate({}, source_);
  check_not_measured(value, first.text);
  const Rational& number = value.angle.radian_part();
  if (!value.is_integer || value.angle != Angle::radians(number) || !number.is_integer()) {
    source_.fail(first.text,
                 fmt::format("found the value {}, expected an integer", value.angle.to_string()));
  }
  return number.numerator();
}

/// Parses an index; in version 3 a negative index counts from the end.
std::uint32_t Parser::parse_element(const Operand& whole, bool is_quantum) {
  const Token token = lexer_.current();
  if (token.kind == TokenKind::integer) {
    lexer_.advance();
    const auto index = read_whole_number<std::uint32_t>(token.text);
    const bool is_plain = token.text.find_first_not_of("0123456789") == std::string_view::npos;
    const bool is_all = language_.number < 3 || (is_plain && lexer_.at(TokenKind::right_bracket));
    if (is_all && index && *index < whole.size) return *index;
    if (is_all) fail_out_of_range(token.text, token.text, whole, is_quantum);
    lexer_.skip_to(token.text.data());
  }
  if (language_.number < 3) lexer_.fail_expecting(describe(TokenKind::integer));
  return element_at(parse_integer(), token.text, whole, is_quantum);
}

std::uint32_t Parser::element_at(std::int64_t index, std::string_view place, const Operand& whole,
                                 bool is_quantum) const {
  const std::int64_t size = whole.size;
  if (index < -size || index >= size) {
    fail_out_of_range(std::to_string(index), place, whole, is_quantum);
  }
  return static_cast<std::uint32_t>(index < 0 ? index + size : index);
}

/// Parses the contents of brackets: an index, a range (which includes both ends) or a list.
Operand Parser::parse_elements(const Operand& whole, bool is_quantum) {
  if (language_.number >= 3 && lexer_.at(TokenKind::left_brace)) {
    return Operand::listing(parse_element_list(whole, is_quantum), true, whole.place);
  }
  const std::string_view place = lexer_.current().text;
  const auto at_colon = [&] { return language_.number >= 3 && lexer_.current().text == ":"; };
  std::uint32_t first = 0;
  if (!at_colon()) {
    first = parse_element(whole, is_quantum);
    if (!at_colon()) return {whole[first], 1, false, whole.place};
  }
  lexer_.advance();
  // The grammar is `first : last` or `first : step : last`; at a second colon, the second number
  // was the step.
  std::int64_t step = 1;
  const Token middle = lexer_.current();
  std::uint32_t last = whole.size - 1;
  if (!at_colon() && !lexer_.at(TokenKind::right_bracket)) {
    const std::int64_t number = parse_integer();
    if (at_colon()) {
      step = number;
    } else {
      last = element_at(number, middle.text, whole, is_quantum);
    }
  }
  if (at_colon()) {
    lexer_.advance();
    last = lexer_.at(TokenKind::right_bracket) ? whole.size - 1 : parse_element(whole, is_quantum);
  }
  if (step == 0) source_.fail(middle.text, "found the step 0 in a range");
  std::vector<std::uint32_t> elements;
  const std::int64_t end = last;
  for (std::int64_t i = first; step > 0 ? i <= end : i >= end; i += step) {
    elements.push_back(whole[static_cast<std::uint32_t>(i)]);
    if (step > whole.size || step < -std::int64_t{whole.size}) break;
  }
  if (elements.empty()) source_.fail(place, "found an empty range");
  budget_.charge(elements.size() / 8, place);
  return Operand::listing(std::move(elements), true, whole.place);
}

/// Parses `{0, 2, -1}`.
std::vector<std::uint32_t> Parser::parse_element_list(const Operand& whole, bool is_quantum) {
  const Token brace = lexer_.take();
  std::vector<std::uint32_t> elements;
  do {
    elements.push_back(whole[parse_element(whole, is_quantum)]);
  } while (lexer_.accept(TokenKind::comma));
  lexer_.expect(TokenKind::right_brace);
  if (has_element_twice(elements)) source_.fail(brace.text, "the list contains an index twice");
  return elements;
}

/// Parses the operands into scratch_.qubits. A qubit named twice counts once; without operands
/// (OpenQASM 3) the set consists of all qubits.
void Parser::parse_qubit_set() {
  scratch_.qubits.clear();
  std::size_t operands = 0;
  const auto add = [&](const Operand& operand) {
    ++operands;
    for (std::uint32_t i = 0; i < operand.size; ++i) scratch_.qubits.push_back(operand[i]);
  };
  if (language_.number >= 3 && lexer_.at(TokenKind::semicolon)) {
    if (physical_qubits_.used)
      lexer_.fail_expecting("physical qubits, because their number is not declared");
    add({0, circuit_.qubit_count(), true, lexer_.current().text});
  } else {
    do {
      add(parse_operand(true));
    } while (lexer_.accept(TokenKind::comma));
  }
  lexer_.expect(TokenKind::semicolon);

  if (operands > 1 && has_element_twice(scratch_.qubits)) {
    std::vector<bool> seen(circuit_.qubit_count());
    std::erase_if(scratch_.qubits, [&](Qubit qubit) {
      const bool again = seen[qubit];
      seen[qubit] = true;
      return again;
    });
  }
}

}  // namespace quartz::qasm
