// Classical values: variables, assignments, and what expressions read.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <type_traits>
#include <utility>
#include <variant>

#include "qasm/reader/executor.hpp"
#include "qasm/text/bits_text.hpp"
#include "qasm/text/value_type.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Returns whether the value of an expression changes with one of these bits.
bool reads(const BitExpression& expression, ClassicalBit bit) {
  const std::vector<std::uint32_t> bits = bits_read(expression);
  return std::binary_search(bits.begin(), bits.end(), bit);
}

}  // namespace

// --- values in expressions ---

const Value* Executor::known_value(std::string_view name, bool constants_only) const {
  const NamedValue* const found = names_.find_value(name);
  if (found == nullptr) return nullptr;
  if (found->kind == NamedValue::Kind::array) return nullptr;  // only its elements are values
  if (constants_only && found->kind == NamedValue::Kind::free_parameter) return nullptr;
  if (!found->unknown_because.empty()) {
    source_.fail(name, fmt::format("the value of {} is not known: {}", in_quotes(name),
                                   found->unknown_because));
  }
  return &found->value;
}

std::optional<Value> Executor::call_function(const syntax::FunctionCall& call) {
  if (names_.subroutines.contains(call.name)) {
    std::optional<Value> result = call_subroutine(call.name, call.arguments);
    if (!result) {
      source_.fail(call.name,
                   fmt::format("the subroutine {} returns no value", in_quotes(call.name)));
    }
    if (result->measured != nullptr) execution_.bits_read.push_back(result->measured);
    return result;
  }
  if (names_.externs.contains(call.name)) {
    Value result = call_extern(call);
    execution_.bits_read.push_back(result.measured);
    return result;
  }
  if (call.name == "sizeof") return array_size_of(call);
  return std::nullopt;
}

std::optional<Value> Executor::read_reference(const syntax::Reference& reference) {
  const std::string_view name = reference.name;
  if (names_.subroutines.contains(name) || names_.externs.contains(name) || name == "sizeof") {
    source_.fail(name, fmt::format("found the name of the function {}, expected a call of it",
                                   in_quotes(name)));
  }
  const NamedValue* const named = names_.find_value(name);
  if (named != nullptr && named->array != nullptr) {
    Value element = array_element(reference);
    if (element.measured != nullptr) execution_.bits_read.push_back(element.measured);
    return element;
  }
  const DeclaredRegister* const declared = names_.find_register(name);
  if (declared == nullptr || declared->is_quantum) return std::nullopt;
  const Operand operand = operand_of(reference, false);
  budget_.charge(operand.size, name);
  std::vector<ClassicalBit> bits;
  for (std::uint32_t i = 0; i < operand.size; ++i) bits.push_back(operand[i]);
  try {
    (void)bits_text(circuit_, bits);
  } catch (const UsageError&) {
    source_.fail(name,
                 "an alias of bits of several registers in an expression is not "
                 "supported");
  }
  Value value{{}, false, bits_expression(std::move(bits))};
  if (declared->is_angle && operand.is_whole && operand.size == register_of(*declared).size) {
    value.angle_sign = 1;
  }
  execution_.bits_read.push_back(value.measured);
  return value;
}

void Executor::resolve_in(const ExpressionScope& scope, const syntax::Expression& expression,
                          Expression& result) {
  const std::size_t outer_reads = execution_.bits_read.size();
  resolve(expression, scope, source_, result);
  execution_.bits_read.resize(outer_reads);
}

/// The assignments that pytket adds to OpenQASM 2 have the operators of OpenQASM 3.
Value Executor::value_of(const syntax::Expression& expression, bool is_assigned) {
  Expression code;
  if (language_.number >= 3) {
    resolve_in(scope_, expression, code);
  } else {
    ExpressionScope scope = scope_;
    scope.language_version = 3;
    resolve_in(scope, expression, code);
  }
  Value value = code.evaluate({}, source_, {}, is_assigned);
  if (value.angle_sign != 0) {
    source_.fail(expression.first.text,
                 "an angle that depends on a measurement is supported only as the angle of a gate");
  }
  return value;
}

Value Executor::value_of(const syntax::Initializer& initializer, bool is_assigned) {
  if (const auto* const expression = std::get_if<syntax::Expression>(&initializer.value)) {
    return value_of(*expression, is_assigned);
  }
  const auto* const list = std::get_if<syntax::List>(&initializer.value);
  fail_found(list != nullptr ? list->brace : std::get<syntax::Measured>(initializer.value).word,
             "a number, 'pi', a parameter, a function or '('");
}

void Executor::check_not_measured(const Value& value, std::string_view place) const {
  if (value.measured == nullptr) return;
  source_.fail(place, "this value depends on a measurement, expected a known one");
}

// --- variables ---

void Executor::execute(const syntax::Variable& declaration) {
  const Token& type = declaration.type.name;
  NamedValue variable;
  variable.kind = NamedValue::Kind::variable;
  variable.type = *find_cast(type.text);
  variable.width = static_cast<std::uint64_t>(width_of(declaration.type.width).value_or(0));
  check_new_name(declaration.name);
  execution_.has_variables = true;
  if (!declaration.value.is_absent()) {
    variable.value =
        converted(value_of(declaration.value, true), variable, declaration.value.first.text);
  } else {
    variable.unknown_because = "nothing was assigned to it";
  }
  names_.declare(declaration.name.text, std::move(variable));
}

Value Executor::converted(const Value& value, const NamedValue& variable,
                          std::string_view place) const {
  try {
    return cast(variable.type, variable.width, value);
  } catch (const InputError& error) {
    source_.fail(place, error.what());
  }
}

bool Executor::is_classical_register(std::string_view name) const {
  const DeclaredRegister* const found = names_.find_register(name);
  return found != nullptr && !found->is_quantum;
}

/// Returns where an assigned value begins.
std::string_view Executor::place_of(const syntax::Initializer& value) {
  return std::visit(
      [](const auto& each) {
        using Kind = std::remove_cvref_t<decltype(each)>;
        if constexpr (std::is_same_v<Kind, syntax::Expression>) return each.first.text;
        if constexpr (std::is_same_v<Kind, syntax::Measured>) return each.word.text;
        if constexpr (std::is_same_v<Kind, syntax::List>) return each.brace.text;
      },
      value.value);
}

/// Executes `c[0] = measure q[0];`, `n = n + 1;`, `n += 1;` or `c[0] = 1;`.
void Executor::execute(const syntax::Assignment& assignment) {
  const std::string_view target = assignment.target.name;
  const bool has_gate = names_.find_gate(target) != nullptr;
  if (language_.number < 3) {
    if (has_gate) fail_found(assignment.next, describe(TokenKind::identifier));
    if (!is_classical_register(target)) {
      fail_unknown_statement({TokenKind::identifier, target});
    }
    language_.extension = target;
  }
  if (names_.subroutines.contains(target) || names_.externs.contains(target)) {
    fail_found(assignment.next, "'('");
  }
  if (!assignment.target.is_whole()) use_bits_of_angle(target);
  const auto found = names_.values.find(target);
  if (found != names_.values.end()) {
    return found->second.array != nullptr ? assign_to_array(assignment)
                                          : assign_to_variable(assignment, found->second);
  }
  if (names_.find_duration(target) != nullptr) return assign_to_duration(assignment);
  const Operand bits = operand_of(assignment.target, false);
  if (names_.find_register(target)->is_angle) check_angle_assignment(bits, assignment.sign);
  if (assignment.sign.kind == TokenKind::compound_assign) return change_bits(bits, assignment);
  initialize_bits(bits, assignment.value);
}

/// Fails for an assignment to all bits of an angle that would convert a number: only shifts do not.
void Executor::check_angle_assignment(const Operand& target, const Token& sign) const {
  if (!target.is_whole || sign.text == "<<=" || sign.text == ">>=") return;
  source_.fail(sign.text,
               fmt::format("found {} for an angle with measured bits, expected '<<=' or '>>='",
                           in_quotes(sign.text)));
}

/// Executes `c ^= d;` and the like. Only operators on bits have a result that can be assigned to
/// bits.
void Executor::change_bits(const Operand& target, const syntax::Assignment& assignment) {
  const Token& sign = assignment.sign;
  constexpr std::array<std::string_view, 5> kSigns{"&=", "|=", "^=", "<<=", ">>="};
  if (language_.number < 3 || std::ranges::find(kSigns, sign.text) == kSigns.end()) {
    source_.fail(sign.text, fmt::format("found {}, expected '=' or an operator on bits",
                                        in_quotes(sign.text)));
  }
  std::vector<ClassicalBit> bits;
  for (std::uint32_t i = 0; i < target.size; ++i) bits.push_back(target[i]);
  (void)text_of_bits(bits, target.place);
  const Value value = value_of(assignment.value);
  const Value old{{}, false, bits_expression(std::move(bits))};
  assign_bits(target, compound_value(sign, old, value), place_of(assignment.value));
}

void Executor::assign_to_variable(const syntax::Assignment& assignment, NamedValue& variable) {
  const std::string_view target = assignment.target.name;
  if (!is_variable(variable)) {
    source_.fail(target,
                 fmt::format("{} is not a variable and cannot be changed", in_quotes(target)));
  }
  if (!assignment.target.is_whole()) {
    source_.fail(assignment.next.text, "an assignment to one bit of a variable is not supported");
  }
  const std::string_view place = place_of(assignment.value);
  Value value = value_of(assignment.value, true);
  if (assignment.sign.kind == TokenKind::compound_assign) {
    value = compound_value(assignment.sign, *known_value(target, false), value);
  }
  execution_.has_variables = true;
  // The subroutine calls of the expression may have moved the variable.
  NamedValue& assigned = names_.values.at(target);
  assign(assigned, converted(value, assigned, place), place);
}

/// Returns the value that `+=` and the like assign.
Value Executor::compound_value(const Token& sign, const Value& old, const Value& value) const {
  const std::string_view text = sign.text.substr(0, sign.text.size() - 1);
  const auto combined_by = [&](BitOperator kind) { return combine(kind, old, value); };
  try {
    if (text == "+") return add(old, value);
    if (text == "&") return combined_by(BitOperator::conjunction);
    if (text == "|") return combined_by(BitOperator::disjunction);
    if (text == "^") return combined_by(BitOperator::exclusive_or);
    if (text == "<<") return combined_by(BitOperator::left_shift);
    if (text == ">>") return combined_by(BitOperator::right_shift);
    check_not_measured(old, sign.text);
    check_not_measured(value, sign.text);
    if (text == "-") return subtract(old, value);
    if (text == "*") return multiply(old, value);
    if (text == "/") return divide(old, value, true);
    if (text == "%") return modulo(old, value);
    return power(old, value);
  } catch (const InputError& error) {
    if (error.location().line != 0) throw;
    source_.fail(sign.text, error.what());
  }
}

/// Gives a variable a value. Under conditions on measured bits, it keeps its old value where they
/// do not hold. A variable without an old value has the new one as long as they are in force.
void Executor::assign(NamedValue& variable, Value value, std::string_view place) {
  builder_.check_conditions(place);
  BitExpressionPointer condition;
  for (std::size_t i = variable.branches; i < execution_.branches.size(); ++i) {
    const Execution::Branch& branch = execution_.branches[i];
    if (branch.depth <= variable.depth) continue;  // the variable is declared in this branch
    condition = condition == nullptr ? branch.condition
                                     : bit_operation(BitOperator::logical_conjunction,
                                                     {condition, branch.condition});
  }
  if (condition == nullptr) {
    variable.value = std::move(value);
    variable.unknown_because.clear();
    return;
  }
  if (!variable.unknown_because.empty()) {
    variable.value = std::move(value);
    variable.unknown_because.clear();
    variable.branches = execution_.branches.size();
    execution_.has_branch_values = true;
    return;
  }
  const bool is_number = variable.type == CastType::real || variable.type == CastType::angle;
  if (is_number && variable.value.angle == value.angle) {
    variable.value.type.is_changed = variable.value.type.is_changed || value.type.is_changed;
    return;
  }
  if (is_number) {
    variable.unknown_because = fmt::format(
        "{} assigns a number to it under a condition on "
        "measured bits",
        source_.line_text(place));
    return;
  }
  try {
    variable.value = selected(condition, value, variable.value);
  } catch (const InputError& error) {
    source_.fail(place, error.what());
  }
}

Value Executor::selected(const BitExpressionPointer& condition, const Value& then,
                         const Value& otherwise) {
  const auto operand = [](const Value& value) {
    if (value.has_sign) {
      throw InputError("a signed integer under a condition on measured bits is not supported");
    }
    if (value.measured != nullptr) return value.measured;
    const std::int64_t number = integer_of(value);
    if (number < 0)
      throw InputError(
          "a negative number under a condition on measured bits is not "
          "supported");
    return constant_expression(static_cast<std::uint64_t>(number));
  };
  return {{},
          true,
          bit_operation(BitOperator::selection, {condition, operand(then), operand(otherwise)})};
}

/// A bit changes: values that depend on its old value can no longer be expressed.
void Executor::forget_bit(ClassicalBit bit, std::string_view place) {
  if (std::ranges::any_of(execution_.bits_read,
                          [&](const auto& value) { return reads(*value, bit); })) {
    source_.fail(place,
                 "this changes a bit that the calling expression has read before, which is not "
                 "supported");
  }
  if (!execution_.has_variables) return;
  budget_.charge(1 + names_.value_count() / 8, place);
  names_.for_each_value([&](std::string_view, NamedValue& variable) {
    if (variable.value.measured == nullptr || !reads(*variable.value.measured, bit)) return;
    variable.value = {};
    variable.unknown_because =
        fmt::format("it depends on a bit that has changed in {}", source_.line_text(place));
  });
}

// --- bits ---

/// Gives bits the value of an assignment: a measurement, the call of an external function, or an
/// expression.
void Executor::initialize_bits(const Operand& bits, const syntax::Initializer& value) {
  if (const auto* const measured = std::get_if<syntax::Measured>(&value.value)) {
    return append_measure(operand_of(measured->qubits, true), bits, measured->word.text);
  }
  if (keep_extern_value(bits, value)) return;
  assign_bits(bits, value_of(value), place_of(value));
}

/// Executes the value of `bit[2] c = "00";`. Bits are 0 at the beginning of a program.
void Executor::declare_initial_bits(const Operand& bits, const syntax::Initializer& initial) {
  const bool is_expression = std::holds_alternative<syntax::Expression>(initial.value);
  if (names_.depth() != 0 || !is_expression) return initialize_bits(bits, initial);
  if (keep_extern_value(bits, initial)) return;
  const Value value = value_of(initial);
  if (value.measured == nullptr && value.angle.is_zero()) return;
  assign_bits(bits, value, place_of(initial));
}

/// Assigns `c = "01";`, a statement that the circuit keeps.
void Executor::assign_bits(const Operand& target, const Value& value, std::string_view place) {
  budget_.charge(target.size, place);
  std::vector<ClassicalBit> bits;
  for (std::uint32_t i = 0; i < target.size; ++i) bits.push_back(target[i]);
  const std::string text =
      fmt::format("{} = {};", text_of_bits(bits, place), text_of_value(value, bits.size(), place));
  keep(OpaqueKind::statement, text, bits, place);
  for (const ClassicalBit bit : bits) forget_bit(bit, place);
}

std::string Executor::text_of_bits(std::span<const ClassicalBit> bits,
                                   std::string_view place) const {
  try {
    return bits_text(circuit_, bits);
  } catch (const UsageError& error) {
    source_.fail(place, error.what());
  }
}

/// Returns a value as OpenQASM 3 that can be assigned to this many bits.
std::string Executor::text_of_value(const Value& value, std::size_t bits,
                                    std::string_view place) const {
  if (value.measured != nullptr) {
    if (value.measured->width != bits) {
      source_.fail(place, fmt::format("found {} bits, expected {}", value.measured->width, bits));
    }
    return text_of_expression(*value.measured, place);
  }
  try {
    check_decided(value);
    const boost::multiprecision::cpp_int number = wide_integer_of(value);
    const auto is_set = [&](std::size_t i) {
      return boost::multiprecision::bit_test(number, static_cast<unsigned>(i));
    };
    if (number < 0 || (number != 0 && boost::multiprecision::msb(number) >= bits)) {
      source_.fail(place, fmt::format("the number {} does not fit {} bits", number.str(), bits));
    }
    if (bits == 1) return number == 0 ? "0" : "1";
    std::string text = "\"";
    for (std::size_t i = bits; i-- > 0;) text += is_set(i) ? '1' : '0';
    return text + "\"";
  } catch (const InputError& error) {
    if (error.location().line != 0) throw;
    source_.fail(place, error.what());
  }
}

std::string Executor::text_of_expression(const BitExpression& expression,
                                         std::string_view place) const {
  if (contains(expression, BitOperator::selection)) {
    source_.fail(place,
                 "this value depends on a variable that changes under a condition on "
                 "measured bits; here that is not supported");
  }
  return text_of(expression,
                 [&](std::span<const ClassicalBit> bits) { return text_of_bits(bits, place); });
}

}  // namespace quartz::qasm
