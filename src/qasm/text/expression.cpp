#include "qasm/text/expression.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "qasm/text/value_type.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Throws if an operand that the operator cannot have depends on a measurement.
void check_operands(Expression::Opcode opcode, const Value& left, const Value& right) {
  using Opcode = Expression::Opcode;
  const bool is_measured = left.measured != nullptr || right.measured != nullptr;
  if (left.angle_sign != 0 || right.angle_sign != 0) {
    if (opcode == Opcode::negate) return;
    throw InputError("this operation on an angle that depends on a measurement is not supported");
  }
  if (!is_measured || opcode == Opcode::combine || opcode == Opcode::cast ||
      opcode == Opcode::add || (opcode == Opcode::element && right.measured == nullptr)) {
    return;
  }
  throw InputError(
      "this operation on a value that depends on a measurement is not supported; bits that never "
      "change are known if they are declared 'const'");
}

Value apply(const Expression::Instruction& instruction, const Value& left, const Value& right) {
  using Opcode = Expression::Opcode;
  check_operands(instruction.opcode, left, right);
  switch (instruction.opcode) {
    case Opcode::add:
      return add(left, right);
    case Opcode::subtract:
      return subtract(left, right);
    case Opcode::multiply:
      return multiply(left, right);
    case Opcode::divide:
      return divide(left, right, false);
    case Opcode::truncating_divide:
      return divide(left, right, true);
    case Opcode::power:
      return power(left, right);
    case Opcode::modulo:
      return modulo(left, right);
    case Opcode::element:
      return bit_of(left, right);
    case Opcode::combine:
      return combine(static_cast<BitOperator>(instruction.index), left, right);
    case Opcode::builtin:
      return call(static_cast<BuiltinFunction>(instruction.index), left, right);
    default:
      throw InternalError("an expression has an operator that is not binary");
  }
}

using ValueStack = boost::container::small_vector<Value, 8>;

/// Returns whether the instruction has one operand.
bool is_unary(const Expression::Instruction& instruction) {
  using Opcode = Expression::Opcode;
  if (instruction.opcode == Opcode::negate || instruction.opcode == Opcode::call) return true;
  if (instruction.opcode == Opcode::builtin) {
    return !has_two_arguments(static_cast<BuiltinFunction>(instruction.index));
  }
  if (instruction.opcode != Opcode::combine) return false;
  const auto kind = static_cast<BitOperator>(instruction.index);
  return kind == BitOperator::negation || kind == BitOperator::complement;
}

/// Replaces the operands of an operator, at the top of the stack, by its value.
void apply_on(ValueStack& stack, const Expression::Instruction& instruction) {
  using Opcode = Expression::Opcode;
  if (!is_unary(instruction)) {
    const Value right = std::move(stack.back());
    stack.pop_back();
    stack.back() = apply(instruction, stack.back(), right);
    return;
  }
  Value& operand = stack.back();
  check_operands(instruction.opcode, operand, operand);
  if (instruction.opcode == Opcode::negate) {
    operand = negate(operand);
  } else if (instruction.opcode == Opcode::call) {
    operand = call(static_cast<Function>(instruction.index), operand);
  } else if (instruction.opcode == Opcode::builtin) {
    operand = call(static_cast<BuiltinFunction>(instruction.index), operand, operand);
  } else {
    operand = combine(static_cast<BitOperator>(instruction.index), operand, operand);
  }
}

}  // namespace

void Expression::clear() {
  code_.clear();
  constants_.clear();
  casts_.clear();
  uses_parameters_ = false;
}

void Expression::push_constant(Value value, std::string_view place) {
  push(Opcode::constant, static_cast<std::uint32_t>(constants_.size()), place);
  constants_.push_back(std::move(value));
}

void Expression::push(Opcode opcode, std::uint32_t index, std::string_view place) {
  code_.push_back({opcode, index, place});
  uses_parameters_ = uses_parameters_ || opcode == Opcode::parameter;
}

void Expression::push_cast(Cast cast, std::string_view place) {
  push(Opcode::cast, static_cast<std::uint32_t>(casts_.size()), place);
  casts_.push_back(cast);
}

bool Expression::is_constant(std::size_t at, const Angle& angle) const {
  return code_[at].opcode == Opcode::constant && constants_[code_[at].index].angle == angle;
}

void Expression::turns_to_radians(std::string_view place) {
  // In postfix order, x/(2*pi) is x, 2, pi, multiply, divide.
  const std::size_t size = code_.size();
  const auto opcode = [&](std::size_t from_end) { return code_[size - from_end].opcode; };
  if (size > 4 && (opcode(1) == Opcode::divide || opcode(1) == Opcode::truncating_divide) &&
      opcode(2) == Opcode::multiply && is_constant(size - 3, Angle::pi_times(1)) &&
      is_constant(size - 4, Angle::radians(2))) {
    code_.resize(size - 4);
    return;
  }
  push_constant({Angle::pi_times(2), false}, place);
  push(Opcode::multiply, 0, place);
}

void Expression::fold_constant(const Source& source, std::string_view place) {
  if (uses_parameters_ || size() <= 1) return;
  Value constant = evaluate({}, source);
  clear();
  push_constant(std::move(constant), place);
}

bool operator==(const Expression& a, const Expression& b) {
  return std::equal(a.code_.begin(), a.code_.end(), b.code_.begin(), b.code_.end(),
                    [&](const Expression::Instruction& left, const Expression::Instruction& right) {
                      if (left.opcode != right.opcode) return false;
                      if (left.opcode == Expression::Opcode::cast)
                        return a.casts_[left.index] == b.casts_[right.index];
                      if (left.opcode != Expression::Opcode::constant)
                        return left.index == right.index;
                      const Value& x = a.constants_[left.index];
                      const Value& y = b.constants_[right.index];
                      return x.angle == y.angle && x.is_integer == y.is_integer &&
                             x.measured == y.measured && x.type == y.type;
                    });
}

Value Expression::evaluate(std::span<const Value> parameters, const Source& source,
                           std::string_view called_from, bool is_assigned) const {
  const auto fail = [&](std::string_view place, std::string message) {
    if (!called_from.empty()) {
      message += fmt::format(" (in the call of gate {} in {})", in_quotes(called_from),
                             source.line_text(called_from));
    }
    source.fail(place, message);
  };
  ValueStack stack;
  for (const Instruction& instruction : code_) {
    try {
      switch (instruction.opcode) {
        case Opcode::constant:
          stack.push_back(constants_[instruction.index]);
          break;
        case Opcode::parameter:
          // A parameter of a gate is an angle, whatever the type of its argument.
          stack.push_back({parameters[instruction.index].angle, false});
          break;
        case Opcode::cast: {
          const Cast& to = casts_[instruction.index];
          stack.back() = cast(to.type, to.width, stack.back());
          break;
        }
        default:
          apply_on(stack, instruction);
      }
    } catch (const InputError& error) {
      fail(instruction.place, error.what());
    }
  }
  ensure(stack.size() == 1, "an expression leaves exactly one value");
  if (!is_assigned) {
    try {
      check_decided(stack.back());
    } catch (const InputError& error) {
      fail(code_.back().place, error.what());
    }
  }
  if (!stack.back().angle.in_range()) {
    fail(code_.back().place,
         "the value of the expression is out of range: its magnitude exceeds 1e300");
  }
  return std::move(stack.back());
}

}  // namespace quartz::qasm
