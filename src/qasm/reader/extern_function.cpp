// Functions that are defined elsewhere: their declarations and calls are kept as statements.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "qasm/reader/parser.hpp"
#include "qasm/text/angle_text.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {

/// Parses `extern vote(bit[3], int) -> bit;`.
void Parser::parse_extern() {
  const Token word = lexer_.take();
  if (names_.depth() != 0) source_.fail(word.text, "a function is declared outside of blocks");
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_name(name);
  // The text of its calls must mean the function in what is written, too.
  if (is_name_of_circuit(name.text) || names_.find_gate(name.text) != nullptr) {
    source_.fail(name.text, fmt::format("the name {} is already that of a register, a parameter or "
                                        "a gate",
                                        in_quotes(name.text)));
  }
  ExternFunction function;
  std::vector<std::string> types;
  lexer_.expect(TokenKind::left_parenthesis);
  while (!lexer_.accept(TokenKind::right_parenthesis)) {
    if (!types.empty()) lexer_.expect(TokenKind::comma);
    function.parameters.push_back(parse_extern_type());
    types.push_back(function.parameters.back().text);
  }
  std::string text = fmt::format("extern {}({})", name.text, fmt::join(types, ", "));
  if (lexer_.accept(TokenKind::arrow)) {
    function.result = parse_extern_type();
    text += " -> " + function.result->text;
  }
  lexer_.expect(TokenKind::semicolon);
  names_.externs.emplace(name.text, std::move(function));
  builder_.append_statement(text + ";", {}, word.text);
}

ExternType Parser::parse_extern_type() {
  const Token word = lexer_.expect(TokenKind::identifier);
  ExternType type{std::string(word.text)};
  type.is_duration = word.text == "duration";
  const auto cast = word.text == "creg" ? CastType::bits : find_cast(word.text);
  if (!cast && !type.is_duration) {
    source_.fail(word.text, fmt::format("the type {} of an external function is not supported",
                                        in_quotes(word.text)));
  }
  type.type = cast.value_or(CastType::real);
  if (type.is_duration) return type;
  const std::string_view place = lexer_.current().text;
  if (const auto width = parse_width()) {
    if (*width > max_elements) {
      source_.fail(
          place, fmt::format("found a type of {} bits, expected at most {}", *width, max_elements));
    }
    type.width = static_cast<std::uint64_t>(*width);
    type.text += fmt::format("[{}]", *width);
  } else if (type.type == CastType::bits) {
    type.width = 1;
  }
  return type;
}

/// Parses the arguments of a call, and returns the text of the call.
std::string Parser::parse_extern_call(const Token& name) {
  const ExternFunction function = names_.externs.at(name.text);
  ++execution_.calls_so_far;
  std::vector<std::string> arguments;
  const std::size_t outer_reads = execution_.bits_read.size();
  lexer_.expect(TokenKind::left_parenthesis);
  while (!lexer_.at(TokenKind::right_parenthesis)) {
    if (!arguments.empty()) lexer_.expect(TokenKind::comma);
    if (arguments.size() == function.parameters.size()) break;
    arguments.push_back(parse_extern_argument(function.parameters[arguments.size()]));
  }
  if (arguments.size() != function.parameters.size() || !lexer_.at(TokenKind::right_parenthesis)) {
    source_.fail(name.text, fmt::format("the function {} takes {} argument{}", in_quotes(name.text),
                                        function.parameters.size(),
                                        function.parameters.size() == 1 ? "" : "s"));
  }
  lexer_.expect(TokenKind::right_parenthesis);
  execution_.bits_read.resize(outer_reads);
  return fmt::format("{}({})", name.text, fmt::join(arguments, ", "));
}

std::string Parser::parse_extern_argument(const ExternType& type) {
  if (type.is_duration) return parse_duration().text;
  const std::string_view place = lexer_.current().text;
  Value value = parse_classical_value();
  budget_.charge(type.width / 8, place);
  // A call in a later argument must not change the bits that this one has read.
  if (value.measured != nullptr) execution_.bits_read.push_back(value.measured);
  try {
    if (type.type != CastType::bits) value = cast(type.type, type.width, value);
    if (value.measured != nullptr) return text_of_measured_argument(type, value, place);
    if (type.type == CastType::bits) return text_of_value(value, type.width, place);
    if (type.type == CastType::truth) return is_true(value) ? "true" : "false";
    if (!value.angle.is_constant()) throw InputError("found a free parameter, expected a number");
    std::string text;
    append_angle(text, value.angle);
    return text;
  } catch (const InputError& error) {
    if (error.location().line != 0) throw;
    source_.fail(place, error.what());
  }
}

/// Returns the text of an argument that depends on measured bits. Only as many bits as an integer
/// type has can be converted to it.
std::string Parser::text_of_measured_argument(const ExternType& type, const Value& value,
                                              std::string_view place) const {
  if (type.type == CastType::bits) return text_of_value(value, type.width, place);
  const std::string text = text_of_expression(*value.measured, place);
  if (type.type == CastType::truth) return fmt::format("bool({})", text);
  if (value.measured->width != type.width) {
    source_.fail(place, fmt::format("{} measured bits as an argument of type {} are not supported",
                                    value.measured->width, in_quotes(type.text)));
  }
  return fmt::format("{}({})", type.text, text);
}

/// Parses a call of a function that returns bits, and keeps it as an assignment to the bits of
/// `target`, or to a register of its own if that is null. Returns where the bits are.
Operand Parser::keep_extern_call(const Token& name, const Operand* target) {
  const std::string text = parse_extern_call(name);
  const std::optional<ExternType>& result = names_.externs.at(name.text).result;
  if (!result) {
    source_.fail(name.text, fmt::format("the function {} returns no value", in_quotes(name.text)));
  }
  const bool is_integer =
      result->type == CastType::integer || result->type == CastType::unsigned_integer;
  const bool is_truth = result->type == CastType::truth;
  if (result->type == CastType::real || (is_integer && result->width == 0)) {
    source_.fail(name.text, fmt::format("a value of the type {} from an external function is not "
                                        "known, expected bits",
                                        in_quotes(result->text)));
  }
  const std::uint32_t width = checked_size(is_truth ? 1 : result->width, name.text);
  if (target != nullptr && target->size != width) {
    source_.fail(name.text, fmt::format("found {} bits, expected {}", width, target->size));
  }
  Operand bits = target != nullptr ? *target : declare_returned_bits(width, name.text);
  std::vector<ClassicalBit> list;
  for (std::uint32_t i = 0; i < bits.size; ++i) list.push_back(bits[i]);
  const std::string value = is_integer ? fmt::format("bit[{}]({})", width, text) : text;
  builder_.append_statement(fmt::format("{} = {};", text_of_bits(list, name.text), value), list,
                            name.text);
  for (const ClassicalBit bit : list) forget_bit(bit, name.text);
  return bits;
}

/// Parses a call in an expression.
Value Parser::call_extern(const Token& name) {
  const Operand bits = keep_extern_call(name, nullptr);
  const ExternType result = *names_.externs.at(name.text).result;
  const Value value{{}, false, bits_expression(*bits.elements)};
  return result.type == CastType::bits ? value : cast(result.type, result.width, value);
}

/// Returns whether the value of an assignment is a call of an external function and nothing else,
/// except that it may be converted to bits: `bit[4](number(c))`.
bool Parser::at_extern_value() {
  if (names_.externs.empty()) return false;
  const Token first = lexer_.current();
  const auto skip_parentheses = [&] {
    unsigned open = 0;
    do {
      const TokenKind kind = lexer_.take().kind;
      if (kind == TokenKind::left_parenthesis) ++open;
      if (kind == TokenKind::right_parenthesis && open > 0) --open;
    } while (open > 0 && !lexer_.at(TokenKind::end));
  };
  const bool is_converted = first.text == "bit";
  if (is_converted) {
    while (!lexer_.at(TokenKind::end) && !lexer_.at(TokenKind::left_parenthesis)) lexer_.advance();
    lexer_.advance();
  }
  bool is_call = names_.externs.contains(lexer_.take().text);
  if (is_call) {
    skip_parentheses();
    if (is_converted) is_call = lexer_.accept(TokenKind::right_parenthesis);
    is_call = is_call && lexer_.at(TokenKind::semicolon);
  }
  lexer_.skip_to(first.text.data());
  return is_call;
}

/// Parses what at_extern_value has found, and the semicolon after it.
void Parser::parse_extern_value(const Operand& target) {
  const Token first = lexer_.current();
  const bool is_converted = first.text == "bit";
  if (is_converted) {
    lexer_.advance();
    const std::int64_t width = parse_width().value_or(1);
    if (width != target.size) {
      source_.fail(first.text, fmt::format("found {} bits, expected {}", width, target.size));
    }
    lexer_.expect(TokenKind::left_parenthesis);
  }
  (void)keep_extern_call(lexer_.take(), &target);
  if (is_converted) lexer_.expect(TokenKind::right_parenthesis);
  lexer_.expect(TokenKind::semicolon);
}

}  // namespace quartz::qasm
