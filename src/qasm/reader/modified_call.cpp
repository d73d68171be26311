// Gate calls under modifiers: `ctrl(2) @ inv @ pow(3) @ name ...`.
#include <fmt/core.h>

#include <limits>

#include "qasm/gates/gate_sequence.hpp"
#include "qasm/reader/parser.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limit for modifiers, because each takes a pass over the gates of the expanded call.
constexpr std::size_t max_modifiers = 256;

Modifier::Kind kind_of(std::string_view word) {
  if (word == "ctrl") return Modifier::Kind::control;
  if (word == "negctrl") return Modifier::Kind::negative_control;
  if (word == "inv") return Modifier::Kind::inverse;
  ensure(word == "pow", "the word is a modifier");
  return Modifier::Kind::power;
}

}  // namespace

void Parser::parse_modified_call() {
  const std::vector<Modifier> modifiers = parse_modifiers(scope_);
  const Token name = lexer_.expect(TokenKind::identifier);
  parse_call(modifiers, name, find_modified(name));
}

std::vector<Modifier> Parser::parse_modifiers(const ExpressionScope& scope) {
  gate_uses_.note_modifiers();
  std::vector<Modifier> modifiers;
  std::size_t controls = 0;
  while (lexer_.at(TokenKind::identifier) &&
         find_keyword(lexer_.current().text, language_.number) == Keyword::modifier) {
    const Token word = lexer_.take();
    if (modifiers.size() == max_modifiers) {
      source_.fail(word.text, fmt::format("a gate with more than {} modifiers is not supported",
                                          max_modifiers));
    }
    Modifier modifier{kind_of(word.text), 1, {}, word.text};
    if (modifier.kind == Modifier::Kind::power && !lexer_.at(TokenKind::left_parenthesis)) {
      lexer_.fail_expecting("'(' and the exponent");
    }
    if (modifier.kind != Modifier::Kind::inverse && lexer_.accept(TokenKind::left_parenthesis)) {
      const Token count = lexer_.current();
      const bool is_power = modifier.kind == Modifier::Kind::power;
      if (is_power) {
        parse_exponent(scope, modifier);
      } else {
        modifier.count = parse_integer(scope);
      }
      lexer_.expect(TokenKind::right_parenthesis);
      if (is_power ? modifier.count == std::numeric_limits<std::int64_t>::min()
                   : modifier.count < 1) {
        source_.fail(count.text, fmt::format("found {} for the modifier {}", modifier.count,
                                             in_quotes(word.text)));
      }
    }
    modifiers.push_back(modifier);
    controls += control_count(std::span(&modifier, 1));
    if (controls > max_controls) {
      source_.fail(word.text, fmt::format("more than {} controls are not supported", max_controls));
    }
    if (lexer_.current().text != "@") lexer_.fail_expecting("'@'");
    lexer_.advance();
  }
  return modifiers;
}

/// Parses `1/2` or `-1/2` as an exponent, up to the parenthesis after it. The standard file of
/// OpenQASM 3 defines `sx` as `pow(1/2) @ x`: such a quotient of two numbers is not truncated.
std::optional<Rational> Parser::parse_literal_quotient() {
  const Token first = lexer_.current();
  const bool is_negative = lexer_.accept(TokenKind::minus);
  const auto above = read_whole_number<std::uint32_t>(lexer_.current().text);
  if (lexer_.accept(TokenKind::integer) && lexer_.accept(TokenKind::slash)) {
    const auto below = read_whole_number<std::uint32_t>(lexer_.current().text);
    const bool is_whole =
        lexer_.accept(TokenKind::integer) && lexer_.at(TokenKind::right_parenthesis);
    if (is_whole && above && below && *below != 0) {
      const Rational quotient(*above, *below);
      return is_negative ? -quotient : quotient;
    }
  }
  lexer_.skip_to(first.text.data());
  return std::nullopt;
}

/// Parses the exponent of a power, which need not be an integer.
void Parser::parse_exponent(const ExpressionScope& scope, Modifier& modifier) {
  if (const auto quotient = parse_literal_quotient()) {
    if (quotient->is_integer()) {
      modifier.count = quotient->numerator();
    } else {
      modifier.fraction = *quotient;
    }
    return;
  }
  const Token first = lexer_.current();
  Expression expression;
  parse_expression_in(scope, expression);
  if (!expression.uses_parameters()) {
    const Value value = expression.evaluate({}, source_);
    const Rational& exponent = value.angle.radian_part();
    const bool is_number = value.measured == nullptr && value.angle == Angle::radians(exponent);
    if (is_number && !exponent.is_integer()) {
      modifier.fraction = exponent;
      return;
    }
    if (is_number) {  // also 2.0
      modifier.count = exponent.numerator();
      return;
    }
  }
  lexer_.skip_to(first.text.data());
  modifier.count = parse_integer(scope);
}

Callable Parser::find_modified(const Token& name) {
  if (find_keyword(name.text, language_.number) == Keyword::global_phase)
    return global_phase_call();
  const Callable* callee = names_.find_gate(name.text);
  if (callee == nullptr) fail_unknown_gate(name);
  if (callee->kind == Callable::Kind::opaque) {
    source_.fail(name.text, fmt::format("modifiers of the opaque gate {} are not supported",
                                        in_quotes(name.text)));
  }
  return *callee;
}

void Parser::note_uses_from(std::size_t first_operation, const Token& name) {
  for (std::size_t i = first_operation; i < circuit_.operations.size(); ++i) {
    const Operation& operation = circuit_.operations[i];
    if (operation.kind == OperationKind::gate) note_use(operation.gate, name);
  }
}

}  // namespace quartz::qasm
