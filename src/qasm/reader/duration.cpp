// Durations: declarations, assignments and expressions, which are kept as text.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <charconv>

#include "qasm/gates/library.hpp"
#include "qasm/reader/parser.hpp"
#include "qasm/text/angle_text.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limit for nested expressions, because the parser recurses into them.
constexpr unsigned max_duration_nesting = 200;

/// Returns whether a text must be in parentheses as an operand.
bool is_compound(std::string_view text) { return text.find_first_of("+-*/ ") != std::string::npos; }

/// Returns the value of a known number as an operand of the same type.
std::string operand_text(const Value& value) {
  std::string text;
  append_angle(text, value.angle);
  const bool is_decimal = text.find_first_not_of("-0123456789") == std::string::npos;
  if (!value.is_integer && is_decimal) text += ".0";
  return is_compound(text) ? fmt::format("({})", text) : text;
}

/// Returns a number as a length; nullopt for one with other characters than digits, a point and an
/// exponent.
std::optional<LengthOfTime> length_in(std::string_view text) {
  LengthOfTime length;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, length.number);
  if (error != std::errc() || end != last) return std::nullopt;
  return length;
}

}  // namespace

// --- declarations and assignments ---

/// Parses `stretch s;`, `duration d = 100ns;` or `duration d = 2*s;`, of which a qualifier has been
/// consumed.
void Parser::parse_duration_declaration(std::string_view qualifier) {
  const Token type = lexer_.take();
  if (names_.depth() != execution_.boxes) {
    source_.fail(type.text, "a duration is declared outside of blocks, except boxes");
  }
  const Token name = lexer_.expect(TokenKind::identifier);
  const auto earlier = names_.durations.find(name.text);
  const bool is_hidden = earlier != names_.durations.end() && !earlier->second.is_visible;
  if (!is_hidden) check_new_name(name);
  if (!is_hidden && is_name_of_circuit(name.text)) {
    source_.fail(name.text, fmt::format("the name {} is already declared", in_quotes(name.text)));
  }
  const bool is_constant = qualifier == "const ";
  const bool is_input = qualifier == "input ";
  DeclaredDuration declared;
  declared.is_variable = qualifier.empty() && type.text == "duration";
  declared.boxes = execution_.boxes;
  std::string text = fmt::format("{}{} {}", qualifier, type.text, name.text);
  if (is_constant && !lexer_.at(TokenKind::assign)) lexer_.expect(TokenKind::assign);
  if (!is_input && lexer_.accept(TokenKind::assign)) {
    const Token first = lexer_.current();
    const DurationPart value = parse_duration();
    if (type.text == "stretch") check_not_negative(value, first);
    if (is_constant) declared.value = value.value;
    text += " = " + value.text;
  }
  lexer_.expect(TokenKind::semicolon);
  names_.durations[name.text] = declared;
  builder_.append_statement(text + ";", {}, type.text);
}

/// Parses `d = 2*e;`, `d += 100ns;` or `d *= 2;`, of which the name has been consumed.
void Parser::parse_duration_assignment(const Token& target) {
  if (!names_.find_duration(target.text)->is_variable) {
    source_.fail(target.text,
                 fmt::format("{} is not a variable and cannot be changed", in_quotes(target.text)));
  }
  const Token sign = lexer_.take();
  const bool takes_number = sign.text == "*=" || sign.text == "/=";
  if (sign.text != "=" && sign.text != "+=" && sign.text != "-=" && !takes_number) {
    source_.fail(sign.text, fmt::format("found {}, expected '=', '+=', '-=', '*=' or '/='",
                                        in_quotes(sign.text)));
  }
  const Token first = lexer_.current();
  const DurationPart value = takes_number ? parse_duration_sum(0) : parse_duration();
  if (takes_number && value.is_duration) {
    source_.fail(first.text,
                 fmt::format("found a duration, expected a number for {}", in_quotes(sign.text)));
  }
  lexer_.expect(TokenKind::semicolon);
  builder_.append_statement(fmt::format("{} {} {};", target.text, sign.text, value.text), {},
                            target.text);
}

// --- expressions ---

/// Parses the duration of a delay or of a box.
std::string Parser::parse_length_of_time() {
  const Token first = lexer_.current();
  const DurationPart part = parse_duration();
  check_not_negative(part, first);
  return part.text;
}

void Parser::check_not_negative(const DurationPart& part, const Token& first) const {
  // Durations of 10^-18 s and time steps of 10^-9 dt are differences in the last digits.
  const double least = part.value && part.value->in_time_steps ? -1e-9 : -1e-18;
  if (part.value && part.value->number < least) {
    source_.fail(first.text, fmt::format("found the negative duration {}, expected 0 or more",
                                         in_quotes(part.text)));
  }
}

Parser::DurationPart Parser::parse_duration() {
  const Token first = lexer_.current();
  DurationPart part = parse_duration_sum(0);
  if (!part.is_duration) {
    source_.fail(first.text,
                 fmt::format("found {}, expected a duration such as '100ns'", describe(first)));
  }
  return part;
}

/// Parses summands, which are all durations or all numbers.
Parser::DurationPart Parser::parse_duration_sum(unsigned nesting) {
  DurationPart sum = parse_duration_product(nesting);
  while (lexer_.at(TokenKind::plus) || lexer_.at(TokenKind::minus)) {
    const Token sign = lexer_.take();
    const DurationPart next = parse_duration_product(nesting);
    if (sum.is_duration != next.is_duration) {
      source_.fail(sign.text, fmt::format("found a duration and a number at {}, expected two "
                                          "durations",
                                          in_quotes(sign.text)));
    }
    const bool is_known =
        sum.value && next.value && sum.value->in_time_steps == next.value->in_time_steps;
    if (is_known) {
      sum.value->number += sign.kind == TokenKind::plus ? next.value->number : -next.value->number;
    } else {
      sum.value.reset();
    }
    sum.text += sign.text;
    sum.text += next.text;
  }
  return sum;
}

/// Parses factors, of which one may be a duration, and which may be divided by numbers. The
/// quotient of two durations is a number.
Parser::DurationPart Parser::parse_duration_product(unsigned nesting) {
  DurationPart product = parse_duration_factor(nesting);
  while (lexer_.at(TokenKind::star) || lexer_.at(TokenKind::slash)) {
    const Token sign = lexer_.take();
    const bool divides = sign.kind == TokenKind::slash;
    const DurationPart next = parse_duration_factor(nesting);
    if (next.is_duration && product.is_duration != divides) {
      source_.fail(sign.text,
                   divides ? "a number cannot be divided by a duration"
                           : "found the product of two durations, expected one and a number");
    }
    const bool is_known = product.value && next.value && !(divides && next.is_duration) &&
                          !(divides && next.value->number == 0);
    if (is_known) {
      const double factor = next.value->number;
      const double value =
          divides ? product.value->number / factor : product.value->number * factor;
      const DurationPart& duration = next.is_duration ? next : product;
      product.value = {value, duration.value->in_time_steps};
      // The quotient of two integers may be truncated.
      if (divides && !product.is_duration) product.value.reset();
    } else {
      product.value.reset();
    }
    product.is_duration = product.is_duration != next.is_duration;
    product.text += sign.text;
    product.text += next.text;
  }
  return product;
}

Parser::DurationPart Parser::parse_duration_factor(unsigned nesting) {
  const Token token = lexer_.current();
  if (nesting > max_duration_nesting) {
    source_.fail(token.text,
                 fmt::format("the expression is nested more than {} deep", max_duration_nesting));
  }
  switch (token.kind) {
    case TokenKind::plus:
    case TokenKind::minus: {
      lexer_.advance();
      DurationPart part = parse_duration_factor(nesting + 1);
      part.text = std::string(token.text) + part.text;
      if (part.value && token.kind == TokenKind::minus) part.value->number *= -1;
      return part;
    }
    case TokenKind::left_parenthesis: {
      lexer_.advance();
      DurationPart part = parse_duration_sum(nesting + 1);
      lexer_.expect(TokenKind::right_parenthesis);
      part.text = fmt::format("({})", part.text);
      return part;
    }
    case TokenKind::integer:
    case TokenKind::real:
      lexer_.advance();
      if (is_unit_of_time(lexer_.current().text)) {  // blanks are between them
        return literal_duration(token.text, lexer_.take().text);
      }
      return {std::string(token.text), false, length_in(token.text)};
    case TokenKind::duration: {
      lexer_.advance();
      const std::size_t digits = token.text.find_last_of("0123456789.") + 1;
      return literal_duration(token.text.substr(0, digits), token.text.substr(digits));
    }
    case TokenKind::identifier:
      return parse_duration_name();
    default:
      source_.fail(token.text,
                   fmt::format("found {}, expected a duration such as '100ns'", describe(token)));
  }
}

Parser::DurationPart Parser::literal_duration(std::string_view number, std::string_view unit) {
  std::optional<LengthOfTime> value = length_in(number);
  if (value) {
    value->in_time_steps = unit == "dt";
    if (unit == "ms") value->number *= 1e-3;
    if (unit == "us" || unit == "µs" || unit == "μs") value->number *= 1e-6;
    if (unit == "ns") value->number *= 1e-9;
  }
  return {fmt::format("{}{}", number, unit), true, value};
}

/// Parses the name of a duration, or a number by its name, which is replaced by its value.
Parser::DurationPart Parser::parse_duration_name() {
  const Token name = lexer_.take();
  if (const DeclaredDuration* const duration = names_.find_duration(name.text)) {
    return {std::string(name.text), true, duration->value};
  }
  if (name.text == "durationof") return parse_duration_of();
  Value value;
  if (const Value* const known = known_value(name.text, false)) {
    value = *known;
  } else if (auto constant = find_constant(name.text)) {
    value.angle = *std::move(constant);
  } else if (auto read = read_value(name)) {
    value = *std::move(read);
  } else {
    source_.fail(name.text, fmt::format("found {}, expected a duration such as '100ns'",
                                        in_quotes(name.text)));
  }
  check_not_measured(value, name.text);
  if (!value.angle.is_constant()) {
    source_.fail(name.text, "found a free parameter in a duration, expected a known number");
  }
  return {operand_text(value), false, LengthOfTime{value.angle.value(), false}};
}

/// Parses the argument of `durationof({ x $0; })`, which is kept with its gates: those of the
/// standard file, because definitions in the program are expanded.
Parser::DurationPart Parser::parse_duration_of() {
  std::string text = "durationof({";
  lexer_.expect(TokenKind::left_parenthesis);
  const Token brace = lexer_.expect(TokenKind::left_brace);
  while (!lexer_.accept(TokenKind::right_brace)) text += parse_timed_call();
  if (text.ends_with("{")) source_.fail(brace.text, "found no gate whose duration to take");
  lexer_.expect(TokenKind::right_parenthesis);
  return {text + "})", true};
}

/// Parses a call of a gate whose duration is meant, and returns its text.
std::string Parser::parse_timed_call() {
  const Token name = lexer_.expect(TokenKind::identifier);
  const Callable* const callee = names_.find_gate(name.text);
  if (callee == nullptr) fail_unknown_gate(name);
  const bool is_standard = language_.includes_library && is_library_name(name.text, 3) &&
                           callee->kind == Callable::Kind::table_gate && callee->declared.empty();
  if (!is_standard) {
    source_.fail(name.text, fmt::format("the duration of {} is not supported: expected a gate of "
                                        "'stdgates.inc', which the program includes",
                                        in_quotes(name.text)));
  }
  names_.timed_gate = name.text;
  parse_values();
  std::vector<std::string> angles;
  for (const Value& value : scratch_.values) {
    if (!value.angle.is_constant()) source_.fail(name.text, "found a free parameter in a duration");
    append_angle(angles.emplace_back(), value.angle);
  }
  std::vector<std::string> qubits;
  do {
    const Operand operand = parse_operand(true);
    if (operand.is_whole) source_.fail(operand.place, "found a register, expected a qubit");
    qubits.push_back(qubit_name(operand.first));
  } while (lexer_.accept(TokenKind::comma));
  lexer_.expect(TokenKind::semicolon);
  check_counts(name, *callee, angles.size(), qubits.size());
  const std::string list = angles.empty() ? "" : fmt::format("({})", fmt::join(angles, ","));
  return fmt::format("{}{} {};", name.text, list, fmt::join(qubits, ","));
}

}  // namespace quartz::qasm
