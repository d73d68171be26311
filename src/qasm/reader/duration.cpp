// Durations: declarations, assignments and expressions, which are kept as text.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <charconv>
#include <utility>
#include <variant>
#include <vector>

#include "qasm/gates/library.hpp"
#include "qasm/reader/executor.hpp"
#include "qasm/text/angle_text.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

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

std::string no_duration(std::string_view found) {
  return fmt::format("found {}, expected a duration such as '100ns'", in_quotes(found));
}

}  // namespace

// --- declarations and assignments ---

/// Declares `stretch s;`, `duration d = 100ns;` or `duration d = 2*s;`.
void Executor::execute(const syntax::DurationDeclaration& declaration) {
  const Token& type = declaration.type;
  const Token& name = declaration.name;
  if (names_.depth() != execution_.boxes) {
    source_.fail(type.text, "a duration is declared outside of blocks, except boxes");
  }
  const auto earlier = names_.durations.find(name.text);
  const bool is_hidden = earlier != names_.durations.end() && !earlier->second.is_visible;
  if (!is_hidden) check_new_name(name);
  if (!is_hidden && is_name_of_circuit(name.text)) {
    source_.fail(name.text, fmt::format("the name {} is already declared", in_quotes(name.text)));
  }
  DeclaredDuration declared;
  declared.is_variable = declaration.qualifier.empty() && type.text == "duration";
  declared.boxes = execution_.boxes;
  std::string text = fmt::format("{}{} {}", declaration.qualifier, type.text, name.text);
  if (!declaration.value.is_absent()) {
    const DurationPart value = duration_of(declaration.value);
    if (type.text == "stretch") check_not_negative(value, declaration.value);
    if (declaration.qualifier == "const ") declared.value = value.value;
    text += " = " + value.text;
  }
  names_.durations[name.text] = declared;
  keep(OpaqueKind::statement, text + ";", {}, type.text);
}

/// Executes `d = 2*e;`, `d += 100ns;` or `d *= 2;`.
void Executor::assign_to_duration(const syntax::Assignment& assignment) {
  const std::string_view target = assignment.target.name;
  const Token& sign = assignment.sign;
  if (!names_.find_duration(target)->is_variable) {
    source_.fail(target,
                 fmt::format("{} is not a variable and cannot be changed", in_quotes(target)));
  }
  const std::string_view found = assignment.target.is_whole() ? sign.text : assignment.next.text;
  const bool takes_number = found == "*=" || found == "/=";
  if (found != "=" && found != "+=" && found != "-=" && !takes_number) {
    source_.fail(found,
                 fmt::format("found {}, expected '=', '+=', '-=', '*=' or '/='", in_quotes(found)));
  }
  const auto* const expression = std::get_if<syntax::Expression>(&assignment.value.value);
  const std::string_view place = place_of(assignment.value);
  if (expression == nullptr) source_.fail(place, no_duration(place));
  const DurationPart value = takes_number ? duration_part(*expression) : duration_of(*expression);
  if (takes_number && value.is_duration) {
    source_.fail(place,
                 fmt::format("found a duration, expected a number for {}", in_quotes(found)));
  }
  keep(OpaqueKind::statement, fmt::format("{} {} {};", target, found, value.text), {}, target);
}

// --- expressions ---

/// Returns the duration of a delay or of a box.
std::string Executor::text_of_duration(const syntax::Expression& expression) {
  const DurationPart part = duration_of(expression);
  check_not_negative(part, expression);
  return part.text;
}

void Executor::check_not_negative(const DurationPart& part,
                                  const syntax::Expression& expression) const {
  // Durations of 10^-18 s and time steps of 10^-9 dt are differences in the last digits.
  const double least = part.value && part.value->in_time_steps ? -1e-9 : -1e-18;
  if (part.value && part.value->number < least) {
    source_.fail(
        expression.first.text,
        fmt::format("found the negative duration {}, expected 0 or more", in_quotes(part.text)));
  }
}

Executor::DurationPart Executor::duration_of(const syntax::Expression& expression) {
  DurationPart part = duration_part(expression);
  if (!part.is_duration) {
    source_.fail(expression.first.text, fmt::format("found {}, expected a duration such as '100ns'",
                                                    describe(expression.first)));
  }
  return part;
}

/// Returns the duration or the number that an expression of durations is.
Executor::DurationPart Executor::duration_part(const syntax::Expression& expression) {
  std::vector<DurationPart> stack;
  for (const syntax::Term& term : expression.terms) {
    if (const auto* const binary = std::get_if<syntax::Binary>(&term.node)) {
      const DurationPart right = std::move(stack.back());
      stack.pop_back();
      combine_durations(stack.back(), right, binary->sign);
    } else if (const auto* const unary = std::get_if<syntax::Unary>(&term.node)) {
      change_sign(stack.back(), unary->sign);
    } else if (std::holds_alternative<syntax::Parentheses>(term.node)) {
      stack.back().text = fmt::format("({})", stack.back().text);
    } else if (!std::holds_alternative<syntax::LogicalSeparator>(term.node)) {
      stack.push_back(duration_operand(term));
    }
  }
  return std::move(stack.back());
}

void Executor::change_sign(DurationPart& part, const Token& sign) const {
  if (sign.kind != TokenKind::plus && sign.kind != TokenKind::minus) {
    source_.fail(sign.text, no_duration(sign.text));
  }
  part.text.insert(0, sign.text);
  if (part.value && sign.kind == TokenKind::minus) part.value->number *= -1;
}

/// Replaces `left` by the value of an operator.
void Executor::combine_durations(DurationPart& left, const DurationPart& right,
                                 const Token& sign) const {
  switch (sign.kind) {
    case TokenKind::plus:
    case TokenKind::minus:
      add_durations(left, right, sign);
      break;
    case TokenKind::star:
    case TokenKind::slash:
      multiply_durations(left, right, sign);
      break;
    default:
      source_.fail(sign.text, no_duration(sign.text));
  }
  left.text += sign.text;
  left.text += right.text;
}

/// Adds summands, which are both durations or both numbers.
void Executor::add_durations(DurationPart& sum, const DurationPart& next, const Token& sign) const {
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
}

/// Multiplies factors, of which one may be a duration, or divides by a number. The quotient of two
/// durations is a number.
void Executor::multiply_durations(DurationPart& product, const DurationPart& next,
                                  const Token& sign) const {
  const bool divides = sign.kind == TokenKind::slash;
  if (next.is_duration && product.is_duration != divides) {
    source_.fail(sign.text, divides
                                ? "a number cannot be divided by a duration"
                                : "found the product of two durations, expected one and a number");
  }
  const bool is_known = product.value && next.value && !(divides && next.is_duration) &&
                        !(divides && next.value->number == 0);
  if (is_known) {
    const double factor = next.value->number;
    const double value = divides ? product.value->number / factor : product.value->number * factor;
    const DurationPart& duration = next.is_duration ? next : product;
    product.value = {value, duration.value->in_time_steps};
    // The quotient of two integers may be truncated.
    if (divides && !product.is_duration) product.value.reset();
  } else {
    product.value.reset();
  }
  product.is_duration = product.is_duration != next.is_duration;
}

Executor::DurationPart Executor::duration_operand(const syntax::Term& term) {
  if (const auto* const number = std::get_if<syntax::Number>(&term.node)) {
    return {std::string(number->token.text), false, length_in(number->token.text)};
  }
  if (const auto* const length = std::get_if<syntax::Length>(&term.node)) {
    return literal_duration(length->number, length->unit);
  }
  if (const auto* const reference = std::get_if<syntax::Reference>(&term.node)) {
    return named_duration(*reference);
  }
  if (const auto* const call = std::get_if<syntax::FunctionCall>(&term.node)) {
    std::optional<Value> value = call_function(*call);
    if (!value) source_.fail(call->name, no_duration(call->name));
    return number_in_duration(*value, call->name);
  }
  if (const auto* const duration = std::get_if<syntax::DurationOf>(&term.node)) {
    return duration_of_gates(*duration);
  }
  const auto* const cast = std::get_if<syntax::Cast>(&term.node);
  const std::string_view place =
      cast != nullptr ? cast->name : std::get<syntax::BitString>(term.node).text;
  source_.fail(place, no_duration(place));
}

Executor::DurationPart Executor::literal_duration(std::string_view number, std::string_view unit) {
  std::optional<LengthOfTime> value = length_in(number);
  if (value) {
    value->in_time_steps = unit == "dt";
    if (unit == "ms") value->number *= 1e-3;
    if (unit == "us" || unit == "µs" || unit == "μs") value->number *= 1e-6;
    if (unit == "ns") value->number *= 1e-9;
  }
  return {fmt::format("{}{}", number, unit), true, value};
}

/// Returns the duration with a name, or a number by its name, which is replaced by its value.
Executor::DurationPart Executor::named_duration(const syntax::Reference& reference) {
  const std::string_view name = reference.name;
  if (const DeclaredDuration* const duration = names_.find_duration(name)) {
    return {std::string(name), true, duration->value};
  }
  if (const Value* const known = known_value(name, false)) return number_in_duration(*known, name);
  if (auto constant = find_constant(name)) {
    return number_in_duration({*std::move(constant), false}, name);
  }
  if (auto read = read_reference(reference)) return number_in_duration(*read, name);
  source_.fail(name, no_duration(name));
}

Executor::DurationPart Executor::number_in_duration(const Value& value,
                                                    std::string_view place) const {
  check_not_measured(value, place);
  if (!value.angle.is_constant()) {
    source_.fail(place, "found a free parameter in a duration, expected a known number");
  }
  return {operand_text(value), false, LengthOfTime{value.angle.value(), false}};
}

/// Returns `durationof({ x $0; })`, which is kept with its gates: those of the standard file,
/// because definitions in the program are expanded.
Executor::DurationPart Executor::duration_of_gates(const syntax::DurationOf& duration) {
  std::string text = "durationof({";
  for (const syntax::TimedCall& call : duration.calls) text += text_of_timed_call(call);
  if (duration.calls.empty()) {
    source_.fail(duration.brace, "found no gate whose duration to take");
  }
  return {text + "})", true};
}

/// Returns the text of a call of a gate whose duration is meant.
std::string Executor::text_of_timed_call(const syntax::TimedCall& call) {
  const Token name{TokenKind::identifier, call.name};
  const Callable* const callee = names_.find_gate(call.name);
  if (callee == nullptr) fail_unknown_gate(name);
  const bool is_standard = language_.includes_library && is_library_name(call.name, 3) &&
                           callee->kind == Callable::Kind::table_gate && callee->declared.empty();
  if (!is_standard) {
    source_.fail(call.name, fmt::format("the duration of {} is not supported: expected a gate of "
                                        "'stdgates.inc', which the program includes",
                                        in_quotes(call.name)));
  }
  names_.timed_gate = call.name;
  scratch_.names_qubits = true;
  evaluate_arguments(call.arguments);
  std::vector<std::string> angles;
  for (const Value& value : scratch_.values) {
    if (!value.angle.is_constant()) source_.fail(call.name, "found a free parameter in a duration");
    append_angle(angles.emplace_back(), value.angle);
  }
  std::vector<std::string> qubits;
  for (const syntax::Reference& each : call.operands) {
    const Operand operand = operand_of(each, true);
    if (operand.is_whole) source_.fail(operand.place, "found a register, expected a qubit");
    qubits.push_back(qubit_name(operand.first));
  }
  check_counts(name, *callee, angles.size(), qubits.size());
  const std::string list = angles.empty() ? "" : fmt::format("({})", fmt::join(angles, ","));
  return fmt::format("{}{} {};", call.name, list, fmt::join(qubits, ","));
}

}  // namespace quartz::qasm
