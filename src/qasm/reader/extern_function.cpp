// Functions that are defined elsewhere: their declarations and calls are kept as statements.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>

#include "qasm/reader/executor.hpp"
#include "qasm/text/angle_text.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {

void Executor::execute(const syntax::Extern& declaration) {
  const std::string_view word = declaration.word.text;
  if (names_.depth() != 0) source_.fail(word, "a function is declared outside of blocks");
  const Token& name = declaration.name;
  check_new_name(name);
  // The text of its calls must mean the function in what is written, too.
  if (is_name_of_circuit(name.text) || names_.find_gate(name.text) != nullptr) {
    source_.fail(name.text, fmt::format("the name {} is already that of a register, a parameter or "
                                        "a gate",
                                        in_quotes(name.text)));
  }
  ExternFunction function;
  std::vector<std::string> types;
  for (const syntax::Type& type : declaration.parameters) {
    function.parameters.push_back(extern_type(type));
    types.push_back(function.parameters.back().text);
  }
  std::string text = fmt::format("extern {}({})", name.text, fmt::join(types, ", "));
  if (declaration.result) {
    function.result = extern_type(*declaration.result);
    text += " -> " + function.result->text;
  }
  names_.externs.emplace(name.text, std::move(function));
  keep(OpaqueKind::statement, text + ";", {}, word);
}

ExternType Executor::extern_type(const syntax::Type& declared) {
  const std::string_view word = declared.name.text;
  ExternType type{std::string(word)};
  type.is_duration = word == "duration";
  type.type = word == "creg" ? CastType::bits : find_cast(word).value_or(CastType::real);
  if (const auto width = width_of(declared.width)) {
    const char* bracket = declared.width.first.text.data();
    while (*bracket != '[') --bracket;
    const std::string_view place(bracket, 1);
    if (*width > kMaxElements) {
      source_.fail(place, fmt::format("found a type of {}, expected at most {}",
                                      counted(*width, "bit"), kMaxElements));
    }
    type.width = static_cast<std::uint64_t>(*width);
    type.text += fmt::format("[{}]", *width);
  } else if (type.type == CastType::bits) {
    type.width = 1;
  }
  return type;
}

/// Evaluates the arguments of a call, and returns the text of the call.
std::string Executor::text_of_extern_call(std::string_view name,
                                          std::span<const syntax::Expression> expressions) {
  const ExternFunction function = names_.externs.at(name);
  const std::size_t count = function.parameters.size();
  ++execution_.calls_so_far;
  std::vector<std::string> arguments;
  const std::size_t outer_reads = execution_.bits_read.size();
  for (std::size_t i = 0; i < std::min(count, expressions.size()); ++i) {
    arguments.push_back(text_of_extern_argument(function.parameters[i], expressions[i]));
  }
  if (expressions.size() != count) {
    source_.fail(
        name, fmt::format("the function {} takes {}", in_quotes(name), counted(count, "argument")));
  }
  execution_.bits_read.resize(outer_reads);
  return fmt::format("{}({})", name, fmt::join(arguments, ", "));
}

std::string Executor::text_of_extern_argument(const ExternType& type,
                                              const syntax::Expression& expression) {
  if (type.is_duration) return duration_of(expression).text;
  const std::string_view place = expression.first.text;
  Value value = value_of(expression);
  budget_.charge(type.width / 8, place);
  // A call in a later argument must not change the bits that this one has read.
  if (value.measured != nullptr) execution_.bits_read.push_back(value.measured);
  try {
    // The device converts a number to an angle itself.
    const CastType target = type.type == CastType::angle ? CastType::real : type.type;
    if (type.type != CastType::bits) value = cast(target, type.width, value);
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
std::string Executor::text_of_measured_argument(const ExternType& type, const Value& value,
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

/// Keeps a call of a function that returns bits as an assignment to the bits of `target`, or to a
/// register of its own if that is null. Returns where the bits are.
Operand Executor::keep_extern_call(const syntax::FunctionCall& call, const Operand* target) {
  const std::string_view name = call.name;
  const std::string text = text_of_extern_call(name, call.arguments);
  const std::optional<ExternType>& result = names_.externs.at(name).result;
  if (!result) {
    source_.fail(name, fmt::format("the function {} returns no value", in_quotes(name)));
  }
  const bool is_integer =
      result->type == CastType::integer || result->type == CastType::unsigned_integer;
  const bool is_truth = result->type == CastType::truth;
  if (result->type == CastType::real || result->type == CastType::angle ||
      (is_integer && result->width == 0)) {
    source_.fail(name, fmt::format("a value of the type {} from an external function is not "
                                   "known, expected bits",
                                   in_quotes(result->text)));
  }
  const std::uint32_t width = checked_size(is_truth ? 1 : result->width, name);
  if (target != nullptr && target->size != width) {
    source_.fail(name, fmt::format("found {} bits, expected {}", width, target->size));
  }
  Operand bits = target != nullptr ? *target : declare_returned_bits(width, name);
  std::vector<ClassicalBit> list;
  for (std::uint32_t i = 0; i < bits.size; ++i) list.push_back(bits[i]);
  const std::string value = is_integer ? fmt::format("bit[{}]({})", width, text) : text;
  keep(OpaqueKind::statement, fmt::format("{} = {};", text_of_bits(list, name), value), list, name);
  for (const ClassicalBit bit : list) forget_bit(bit, name);
  return bits;
}

/// Returns the value of a call in an expression.
Value Executor::call_extern(const syntax::FunctionCall& call) {
  const Operand bits = keep_extern_call(call, nullptr);
  const ExternType result = *names_.externs.at(call.name).result;
  const Value value{{}, false, bits_expression(*bits.elements)};
  return result.type == CastType::bits ? value : cast(result.type, result.width, value);
}

/// Keeps the value of an assignment if it is a call of an external function and nothing else,
/// except that it may be converted to bits: `bit[4](number(c))`. Returns whether it is.
bool Executor::keep_extern_value(const Operand& target, const syntax::Initializer& value) {
  const auto* const expression = std::get_if<syntax::Expression>(&value.value);
  if (expression == nullptr || names_.externs.empty()) return false;
  const auto* const cast = syntax::sole_term<syntax::Cast>(*expression);
  const bool is_converted = cast != nullptr && cast->name == "bit";
  const auto* const call =
      syntax::sole_term<syntax::FunctionCall>(is_converted ? cast->operands[0] : *expression);
  if (call == nullptr || !names_.externs.contains(call->name)) return false;
  if (is_converted) {
    const std::int64_t width = width_of(cast->operands[1]).value_or(1);
    if (width != target.size) {
      source_.fail(cast->name, fmt::format("found {} bits, expected {}", width, target.size));
    }
  }
  (void)keep_extern_call(*call, &target);
  return true;
}

}  // namespace quartz::qasm
