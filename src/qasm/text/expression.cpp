#include "qasm/text/expression.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "qasm/text/number.hpp"

namespace quartz::qasm {
namespace {

constexpr int max_nesting = 200;

/// How tightly an operator binds its left and right operands; 0 on the left means that the token is
/// not a binary operator.
struct Binding {
  int left = 0;
  int right = 0;
};

constexpr int unary_minus_binding = 5;

Binding binding_of(TokenKind kind) noexcept {
  switch (kind) {
    case TokenKind::plus:
    case TokenKind::minus:
      return {1, 2};
    case TokenKind::star:
    case TokenKind::slash:
      return {3, 4};
    case TokenKind::caret:
    case TokenKind::double_star:
      return {8, 7};  // 2^3^2 = 2^(3^2), -2^2 = -(2^2)
    default:
      return {};
  }
}

/// A Pratt parser that emits postfix code.
class ExpressionParser {
 public:
  ExpressionParser(Lexer& lexer, const ExpressionScope& scope, Expression& result)
      : lexer_(lexer), scope_(scope), result_(result) {}

  void parse(int weakest, int depth) {
    if (depth > max_nesting) {
      lexer_.source().fail(lexer_.current().text,
                           fmt::format("the expression is nested more than {} deep", max_nesting));
    }
    parse_operand(depth);
    while (true) {
      const Token sign = lexer_.current();
      const Binding binding = binding_of(sign.kind);
      if (binding.left == 0 || binding.left < weakest) return;
      if (sign.kind == TokenKind::caret && scope_.language_version >= 3) {
        lexer_.source().fail(sign.text,
                             "'^' is exclusive or in OpenQASM 3: write '**' for a power");
      }
      lexer_.advance();
      parse(binding.right, depth + 1);
      result_.push(opcode_of(sign.kind), 0, sign.text);
    }
  }

 private:
  [[nodiscard]] Expression::Opcode opcode_of(TokenKind kind) const noexcept {
    using Opcode = Expression::Opcode;
    switch (kind) {
      case TokenKind::plus:
        return Opcode::add;
      case TokenKind::minus:
        return Opcode::subtract;
      case TokenKind::star:
        return Opcode::multiply;
      case TokenKind::slash:
        return scope_.language_version >= 3 ? Opcode::truncating_divide : Opcode::divide;
      default:
        return Opcode::power;
    }
  }

  void parse_operand(int depth) {
    const Token token = lexer_.current();
    switch (token.kind) {
      case TokenKind::integer:
      case TokenKind::real:
        return parse_number();
      case TokenKind::identifier:
        return parse_name(depth);
      case TokenKind::plus:
        lexer_.advance();
        return parse(unary_minus_binding, depth + 1);
      case TokenKind::minus:
        lexer_.advance();
        parse(unary_minus_binding, depth + 1);
        return result_.push(Expression::Opcode::negate, 0, token.text);
      case TokenKind::left_parenthesis:
        lexer_.advance();
        parse(0, depth + 1);
        lexer_.expect(TokenKind::right_parenthesis);
        return;
      default:
        lexer_.fail_expecting("a number, 'pi', a parameter, a function or '('");
    }
  }

  void parse_number() {
    const Token token = lexer_.take();
    try {
      result_.push_constant({read_number(token.text), token.kind == TokenKind::integer},
                            token.text);
    } catch (const InputError& error) {
      lexer_.source().fail(token.text, error.what());
    }
  }

  void parse_name(int depth) {
    const Token token = lexer_.take();
    if (scope_.gate_parameters != nullptr) {
      const auto formal = scope_.gate_parameters->find(token.text);
      if (formal != scope_.gate_parameters->end()) {
        return result_.push(Expression::Opcode::parameter, formal->second, token.text);
      }
    }
    if (scope_.find_value) {
      if (const Value* const value = scope_.find_value(token.text)) {
        return result_.push_constant(*value, token.text);
      }
    }
    if (auto constant = find_constant(token.text)) {
      return result_.push_constant({*std::move(constant), false}, token.text);
    }
    const auto function = find_function(token.text);
    if (!function) {
      lexer_.source().fail(token.text, fmt::format("unknown name {} in an expression, expected a "
                                                   "number, 'pi', a parameter or a function",
                                                   quoted(token.text)));
    }
    lexer_.expect(TokenKind::left_parenthesis);
    parse(0, depth + 1);
    lexer_.expect(TokenKind::right_parenthesis);
    result_.push(Expression::Opcode::call, static_cast<std::uint32_t>(*function), token.text);
  }

  Lexer& lexer_;
  const ExpressionScope& scope_;
  Expression& result_;
};

Value apply(const Expression::Instruction& instruction, const Value& left, const Value& right) {
  using Opcode = Expression::Opcode;
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
    default:
      throw InternalError("an expression has an operator that is not binary");
  }
}

}  // namespace

void Expression::clear() {
  code_.clear();
  constants_.clear();
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
                      if (left.opcode != Expression::Opcode::constant)
                        return left.index == right.index;
                      const Value& x = a.constants_[left.index];
                      const Value& y = b.constants_[right.index];
                      return x.angle == y.angle && x.is_integer == y.is_integer;
                    });
}

Value Expression::evaluate(std::span<const Value> parameters, const Source& source,
                           std::string_view called_from) const {
  const auto fail = [&](std::string_view place, std::string message) {
    if (!called_from.empty()) {
      message += fmt::format(" (in the call of gate {} in line {})", quoted(called_from),
                             source.line_of(called_from));
    }
    source.fail(place, message);
  };
  boost::container::small_vector<Value, 8> stack;
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
        case Opcode::negate:
          stack.back() = negate(stack.back());
          break;
        case Opcode::call:
          stack.back() = call(static_cast<Function>(instruction.index), stack.back());
          break;
        default: {
          const Value right = std::move(stack.back());
          stack.pop_back();
          stack.back() = apply(instruction, stack.back(), right);
        }
      }
    } catch (const InputError& error) {
      fail(instruction.place, error.what());
    }
  }
  ensure(stack.size() == 1, "an expression leaves exactly one value");
  if (!stack.back().angle.in_range()) {
    fail(code_.back().place,
         "the value of the expression is out of range: its magnitude exceeds 1e300");
  }
  return std::move(stack.back());
}

void parse_expression(Lexer& lexer, const ExpressionScope& scope, Expression& result) {
  result.clear();
  ExpressionParser(lexer, scope, result).parse(0, 0);
}

}  // namespace quartz::qasm
