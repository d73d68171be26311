// Expressions, and references to the elements of registers and arrays.
#include <fmt/core.h>

#include <utility>

#include "qasm/syntax/parser.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm::syntax {
namespace {

/// How tightly an operator binds its left and right operands; 0 on the left means that the token is
/// not a binary operator.
struct Binding {
  int left = 0;
  int right = 0;
};

constexpr int kUnaryBinding = 21;

/// Returns how tightly an operator of expressions of durations binds.
Binding binding_in_durations(TokenKind kind) noexcept {
  switch (kind) {
    case TokenKind::plus:
    case TokenKind::minus:
      return {17, 18};
    case TokenKind::star:
    case TokenKind::slash:
      return {19, 20};
    default:
      return {};
  }
}

/// Returns how tightly an operator of both versions binds.
Binding binding_in_version_2(TokenKind kind) noexcept {
  const bool is_power = kind == TokenKind::double_star || kind == TokenKind::caret;
  if (is_power) return {24, 23};  // 2^3^2 = 2^(3^2), -2^2 = -(2^2)
  return binding_in_durations(kind);
}

Binding binding_in_version_3(TokenKind kind) noexcept {
  switch (kind) {
    case TokenKind::logical_or:
      return {1, 2};
    case TokenKind::logical_and:
      return {3, 4};
    case TokenKind::bar:
      return {5, 6};
    case TokenKind::caret:
      return {7, 8};
    case TokenKind::ampersand:
      return {9, 10};
    case TokenKind::equal:
    case TokenKind::not_equal:
      return {11, 12};
    case TokenKind::less:
    case TokenKind::less_equal:
    case TokenKind::greater:
    case TokenKind::greater_equal:
      return {13, 14};
    case TokenKind::left_shift:
    case TokenKind::right_shift:
      return {15, 16};
    case TokenKind::percent:
      return {19, 20};
    default:
      return binding_in_version_2(kind);
  }
}

}  // namespace

void Parser::fail_too_large() const {
  source_.fail(lexer_.current().text,
               fmt::format("the statement is too large: it has more than {} names, numbers and "
                           "operators",
                           kMaxNodes));
}

Expression Parser::parse_expression(unsigned version, bool is_duration) {
  const unsigned outer_version = std::exchange(expression_version_, version);
  const bool outer_is_duration = std::exchange(is_duration_, is_duration);
  Expression result;
  result.first = lexer_.current();
  if (!spare_terms_.empty()) {
    result.terms = std::move(spare_terms_.back());
    spare_terms_.pop_back();
  }
  parse_operators(result, 0);
  const char* const begin = result.first.text.data();
  result.text = {begin, static_cast<std::size_t>(lexer_.current().text.data() - begin)};
  expression_version_ = outer_version;
  is_duration_ = outer_is_duration;
  return result;
}

/// Parses operands between operators that bind at least as tightly as `weakest`: a Pratt parser.
void Parser::parse_operators(Expression& result, int weakest) {
  if (nesting_ > kMaxExpressionNesting) {
    source_.fail(lexer_.current().text,
                 fmt::format("the expression is nested more than {} deep", kMaxExpressionNesting));
  }
  ++nesting_;
  parse_operand(result);
  while (true) {
    const Token sign = lexer_.current();
    const Binding binding = is_duration_               ? binding_in_durations(sign.kind)
                            : expression_version_ >= 3 ? binding_in_version_3(sign.kind)
                                                       : binding_in_version_2(sign.kind);
    if (binding.left == 0 || binding.left < weakest) break;
    lexer_.advance();
    if (sign.kind == TokenKind::logical_and || sign.kind == TokenKind::logical_or) {
      add(result, LogicalSeparator{sign.text});
    }
    parse_operators(result, binding.right);
    add(result, Binary{sign});
  }
  --nesting_;
}

void Parser::parse_operand(Expression& result) {
  const Token token = lexer_.current();
  const bool has_bits = expression_version_ >= 3 && !is_duration_;
  switch (token.kind) {
    case TokenKind::integer:
    case TokenKind::real:
    case TokenKind::duration:
      return parse_number(result);
    case TokenKind::identifier:
      return parse_name(result);
    case TokenKind::plus:
    case TokenKind::minus:
      lexer_.advance();
      parse_operators(result, kUnaryBinding);
      return add(result, Unary{token});
    case TokenKind::left_parenthesis:
      lexer_.advance();
      parse_operators(result, 0);
      lexer_.expect(TokenKind::right_parenthesis);
      return add(result, Parentheses{});
    case TokenKind::exclamation:
    case TokenKind::tilde:
      if (!has_bits) break;
      lexer_.advance();
      parse_operators(result, kUnaryBinding);
      return add(result, Unary{token});
    case TokenKind::string:
      if (!has_bits) break;
      lexer_.advance();
      return add(result, BitString{token.text});
    case TokenKind::other:
      if (!has_bits || token.text != "$") break;
      return add(result, Reference{parse_physical_qubit(), {}, {}});
    default:
      break;
  }
  lexer_.fail_expecting(is_duration_ ? "a duration such as '100ns'"
                                     : "a number, 'pi', a parameter, a function or '('");
}

void Parser::parse_number(Expression& result) {
  const Token token = lexer_.take();
  if (token.kind == TokenKind::duration) {
    const std::size_t digits = token.text.find_last_of("0123456789.") + 1;
    return add(result, Length{token.text.substr(0, digits), token.text.substr(digits)});
  }
  if (version_ >= 3 && is_unit_of_time(lexer_.current().text)) {  // blanks are between them
    return add(result, Length{token.text, lexer_.take().text});
  }
  add(result, Number{token});
}

void Parser::parse_name(Expression& result) {
  const Token name = lexer_.take();
  if (expression_version_ >= 3) {
    const bool is_followed =
        lexer_.at(TokenKind::left_parenthesis) || lexer_.at(TokenKind::left_bracket);
    if (name.text == "durationof" && lexer_.at(TokenKind::left_parenthesis)) {
      return add(result, parse_duration_of(name));
    }
    if (const auto type = is_followed ? find_cast(name.text) : std::nullopt) {
      return parse_cast(result, name, *type);
    }
    if (lexer_.at(TokenKind::left_bracket)) {
      Reference reference{name.text, {}, {}};
      parse_selections(reference);
      return add(result, std::move(reference));
    }
  }
  if (!lexer_.accept(TokenKind::left_parenthesis)) return add(result, Reference{name.text, {}, {}});
  FunctionCall call{name.text, {}, {}};
  while (!lexer_.at(TokenKind::right_parenthesis)) {
    if (!call.arguments.empty()) lexer_.expect(TokenKind::comma);
    call.arguments.push_back(parse_inner_expression());
    // Only functions of several arguments have commas, and only they miss one.
    if (!lexer_.at(TokenKind::comma) && find_function(name.text)) break;
  }
  call.end = lexer_.expect(TokenKind::right_parenthesis).text;
  add(result, std::move(call));
}

/// Parses what follows the name of a type: `[8](x)` or `(x)`.
void Parser::parse_cast(Expression& result, const Token& name, CastType type) {
  Expression width;
  if (lexer_.accept(TokenKind::left_bracket)) {
    width = parse_inner_expression();
    lexer_.expect(TokenKind::right_bracket);
  }
  lexer_.expect(TokenKind::left_parenthesis);
  Cast cast{name.text, type, {}};
  cast.operands.push_back(parse_inner_expression());
  cast.operands.push_back(std::move(width));
  lexer_.expect(TokenKind::right_parenthesis);
  add(result, std::move(cast));
}

/// Parses the argument of `durationof({ x $0; })`.
DurationOf Parser::parse_duration_of(const Token& name) {
  lexer_.expect(TokenKind::left_parenthesis);
  DurationOf result{name.text, lexer_.expect(TokenKind::left_brace).text, {}};
  while (!lexer_.accept(TokenKind::right_brace)) {
    TimedCall& call = result.calls.emplace_back();
    call.name = lexer_.expect(TokenKind::identifier).text;
    parse_arguments(call.arguments, {"durationof"});
    parse_operands(call.operands, {});
    lexer_.expect(TokenKind::semicolon);
  }
  lexer_.expect(TokenKind::right_parenthesis);
  return result;
}

// --- references ---

void Parser::parse_reference(Reference& reference) {
  if (lexer_.at(TokenKind::other) && version_ >= 3 && lexer_.current().text == "$") {
    reference.name = parse_physical_qubit();
    return;
  }
  reference.name = lexer_.expect(TokenKind::identifier).text;
  parse_selections(reference);
}

/// Parses `$3`.
std::string_view Parser::parse_physical_qubit() {
  const std::string_view dollar = lexer_.take().text;
  const Token number = lexer_.current();
  const auto qubit = read_whole_number<std::uint32_t>(number.text);
  if (number.kind != TokenKind::integer || number.text.data() != dollar.data() + 1 || !qubit ||
      *qubit >= kMaxElements) {
    source_.fail(dollar, fmt::format("expected a physical qubit '$0' to '${}'", kMaxElements - 1));
  }
  lexer_.advance();
  return {dollar.data(), 1 + number.text.size()};
}

void Parser::parse_selections(Reference& reference) {
  count_node();
  if (!lexer_.at(TokenKind::left_bracket)) return;
  const std::string_view bracket = lexer_.current().text;
  reference.number = lexer_.accept_index();
  if (!lexer_.at(TokenKind::left_bracket)) return;
  if (!reference.number.empty()) {
    reference.number = {};
    lexer_.skip_to(bracket.data());
  }
  do {
    reference.selections.push_back(parse_selection());
  } while (version_ >= 3 && lexer_.at(TokenKind::left_bracket));
}

Selection Parser::parse_selection() {
  Selection selection{lexer_.current().text, {}};
  do {
    Index& index = selection.items.emplace_back();
    index.before = lexer_.take().text;
    parse_index(index);
  } while (version_ >= 3 && lexer_.at(TokenKind::comma));
  lexer_.expect(TokenKind::right_bracket);
  return selection;
}

void Parser::parse_index(Index& index) {
  index.first = lexer_.current();
  if (version_ < 3) {
    Expression& value = index.values.emplace_back();
    value.first = lexer_.expect(TokenKind::integer);
    return add(value, Number{value.first});
  }
  if (lexer_.accept(TokenKind::left_brace)) {
    index.kind = Index::Kind::list;
    do {
      index.values.push_back(parse_expression());
    } while (lexer_.accept(TokenKind::comma));
    lexer_.expect(TokenKind::right_brace);
    return;
  }
  const auto at_colon = [&] { return lexer_.current().text == ":"; };
  const auto parse_part = [&](bool is_absent) {
    index.values.push_back(is_absent ? Expression{} : parse_expression());
  };
  const auto at_end = [&] {
    return lexer_.at(TokenKind::right_bracket) || lexer_.at(TokenKind::comma);
  };
  parse_part(at_colon());
  if (!at_colon()) return;
  lexer_.advance();
  index.kind = Index::Kind::range;
  index.middle = lexer_.current().text;
  parse_part(at_colon() || at_end());
  index.has_step = at_colon();
  if (index.has_step) {
    lexer_.advance();
    parse_part(at_end());
  } else {
    index.values.insert(index.values.begin() + 1, Expression{});
  }
}

void Parser::expect_text(std::string_view text) {
  if (lexer_.current().text != text) lexer_.fail_expecting(fmt::format("'{}'", text));
  lexer_.advance();
}

}  // namespace quartz::qasm::syntax
