#include "qasm/text/expression.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

constexpr int max_nesting = 200;

/// How tightly an operator binds its left and right operands; 0 on the left means that the token is
/// not a binary operator.
struct Binding {
  int left = 0;
  int right = 0;
};

constexpr int unary_binding = 21;

/// Returns how tightly an operator of both versions binds.
Binding binding_of(TokenKind kind) noexcept {
  switch (kind) {
    case TokenKind::plus:
    case TokenKind::minus:
      return {17, 18};
    case TokenKind::star:
    case TokenKind::slash:
      return {19, 20};
    case TokenKind::double_star:
      return {24, 23};  // 2^3^2 = 2^(3^2), -2^2 = -(2^2)
    default:
      return {};
  }
}

/// Returns how tightly an operator that only OpenQASM 3 has binds.
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
      return binding_of(kind);
  }
}

/// Returns the operator on bits, or the comparison, that a sign means.
std::optional<BitOperator> bit_operator_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::logical_or:
      return BitOperator::logical_disjunction;
    case TokenKind::logical_and:
      return BitOperator::logical_conjunction;
    case TokenKind::bar:
      return BitOperator::disjunction;
    case TokenKind::caret:
      return BitOperator::exclusive_or;
    case TokenKind::ampersand:
      return BitOperator::conjunction;
    case TokenKind::equal:
      return BitOperator::equal;
    case TokenKind::not_equal:
      return BitOperator::not_equal;
    case TokenKind::less:
      return BitOperator::less;
    case TokenKind::less_equal:
      return BitOperator::less_equal;
    case TokenKind::greater:
      return BitOperator::greater;
    case TokenKind::greater_equal:
      return BitOperator::greater_equal;
    case TokenKind::left_shift:
      return BitOperator::left_shift;
    case TokenKind::right_shift:
      return BitOperator::right_shift;
    default:
      return std::nullopt;
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
      const Binding binding = binding_of(sign);
      if (binding.left == 0 || binding.left < weakest) return;
      lexer_.advance();
      const bool is_logical =
          sign.kind == TokenKind::logical_and || sign.kind == TokenKind::logical_or;
      const std::size_t operations = is_logical ? operation_count() : 0;
      parse(binding.right, depth + 1);
      if (is_logical && operations != operation_count()) fail_conditional_call(sign);
      push_operator(sign);
    }
  }

 private:
  [[nodiscard]] std::size_t operation_count() const {
    return scope_.count_operations ? scope_.count_operations() : 0;
  }

  /// The specification does not say whether the right operand is evaluated if the left one decides.
  [[noreturn]] void fail_conditional_call(const Token& sign) const {
    lexer_.source().fail(sign.text,
                         fmt::format("a call with operations on the right of {} may depend on the "
                                     "left operand: expected it in a statement before",
                                     in_quotes(sign.text)));
  }

  [[nodiscard]] Binding binding_of(const Token& sign) const noexcept {
    if (scope_.language_version >= 3) return binding_in_version_3(sign.kind);
    const bool is_power = sign.kind == TokenKind::caret;
    return qasm::binding_of(is_power ? TokenKind::double_star : sign.kind);
  }

  void push_operator(const Token& sign) {
    const auto bit_operator = bit_operator_of(sign.kind);
    if (scope_.language_version < 3 || !bit_operator) {
      return result_.push(opcode_of(sign.kind), 0, sign.text);
    }
    result_.push(Expression::Opcode::combine, static_cast<std::uint32_t>(*bit_operator), sign.text);
  }

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
      case TokenKind::percent:
        return Opcode::modulo;
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
        return parse(unary_binding, depth + 1);
      case TokenKind::minus:
        lexer_.advance();
        parse(unary_binding, depth + 1);
        return result_.push(Expression::Opcode::negate, 0, token.text);
      case TokenKind::left_parenthesis:
        lexer_.advance();
        parse(0, depth + 1);
        lexer_.expect(TokenKind::right_parenthesis);
        return;
      case TokenKind::exclamation:
      case TokenKind::tilde:
      case TokenKind::string:
        if (scope_.language_version >= 3) return parse_bit_operand(depth);
        [[fallthrough]];
      default:
        lexer_.fail_expecting("a number, 'pi', a parameter, a function or '('");
    }
  }

  /// Parses what only OpenQASM 3 has: !a, ~a, and a string of bits such as "0110".
  void parse_bit_operand(int depth) {
    const Token token = lexer_.take();
    if (token.kind == TokenKind::string) return push_bits(token);
    parse(unary_binding, depth + 1);
    const BitOperator kind =
        token.kind == TokenKind::exclamation ? BitOperator::negation : BitOperator::complement;
    result_.push(Expression::Opcode::combine, static_cast<std::uint32_t>(kind), token.text);
  }

  void push_bits(const Token& token) {
    std::string digits;
    for (const char c : token.text.substr(1, token.text.size() - 2)) {
      if (c == '_') continue;
      digits.push_back(c);
      if ((c != '0' && c != '1') || digits.size() > max_bits_of_number) {
        lexer_.source().fail(token.text, fmt::format("found {}, expected a string of up to {} bits",
                                                     in_quotes(token.text), max_bits_of_number));
      }
    }
    result_.push_constant({read_radix_number(digits, 2), true, {}}, token.text);
  }

  /// Parses what follows the name of a type: `[8](x)` or `(x)`.
  void parse_cast(const Token& name, CastType type, int depth) {
    Expression::Cast cast{type, 0};
    if (lexer_.accept(TokenKind::left_bracket)) {
      const Token first = lexer_.current();
      Expression width;
      parse_expression(lexer_, {scope_.language_version, nullptr, scope_.find_value, {}}, width);
      const Value value = width.evaluate({}, lexer_.source());
      const Rational& number = value.angle.radian_part();
      if (!value.is_integer || number < Rational(1)) {
        lexer_.source().fail(first.text, "expected a width of 1 bit or more");
      }
      cast.width = static_cast<std::uint64_t>(number.numerator());
      lexer_.expect(TokenKind::right_bracket);
    }
    lexer_.expect(TokenKind::left_parenthesis);
    parse(0, depth + 1);
    lexer_.expect(TokenKind::right_parenthesis);
    result_.push_cast(cast, name.text);
  }

  /// Parses a name of OpenQASM 3 that is neither a parameter nor a declared value; returns whether
  /// it is one.
  bool parse_name_of_version_3(const Token& token, int depth) {
    if (token.text == "true" || token.text == "false") {
      result_.push_constant(truth_value(token.text == "true"), token.text);
      return true;
    }
    if (const auto type = find_cast(token.text)) {
      parse_cast(token, *type, depth);
      return true;
    }
    if (token.text == "pow") {  // the function; the modifier is not part of expressions
      lexer_.expect(TokenKind::left_parenthesis);
      parse(0, depth + 1);
      lexer_.expect(TokenKind::comma);
      parse(0, depth + 1);
      lexer_.expect(TokenKind::right_parenthesis);
      result_.push(Expression::Opcode::power, 0, token.text);
      return true;
    }
    if (!scope_.read_value) return false;
    std::optional<Value> value = scope_.read_value(token);
    if (!value) return false;
    result_.push_constant(*std::move(value), token.text);
    return true;
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
        result_.push_constant(*value, token.text);
        return parse_index(depth);
      }
    }
    if (scope_.language_version >= 3 && parse_name_of_version_3(token, depth)) return;
    if (auto constant = find_constant(token.text)) {
      return result_.push_constant({*std::move(constant), false}, token.text);
    }
    const auto function = find_function(token.text);
    if (!function) {
      lexer_.source().fail(token.text, fmt::format("unknown name {} in an expression, expected a "
                                                   "number, 'pi', a parameter or a function",
                                                   in_quotes(token.text)));
    }
    // Expressions of parameters are written with the first of several names of a function.
    const std::string_view written = function_name(*function);
    if (written != token.text && scope_.find_value && scope_.find_value(written) != nullptr) {
      lexer_.source().fail(token.text, fmt::format("this function is also called {}, which has "
                                                   "another meaning in this program",
                                                   in_quotes(written)));
    }
    lexer_.expect(TokenKind::left_parenthesis);
    parse(0, depth + 1);
    lexer_.expect(TokenKind::right_parenthesis);
    result_.push(Expression::Opcode::call, static_cast<std::uint32_t>(*function), token.text);
  }

  /// Parses the index of a bit of an integer, if there is one.
  void parse_index(int depth) {
    const Token bracket = lexer_.current();
    if (scope_.language_version < 3 || !lexer_.accept(TokenKind::left_bracket)) return;
    parse(0, depth + 1);
    lexer_.expect(TokenKind::right_bracket);
    result_.push(Expression::Opcode::element, 0, bracket.text);
  }

  Lexer& lexer_;
  const ExpressionScope& scope_;
  Expression& result_;
};

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
  throw InputError("this operation on a value that depends on a measurement is not supported");
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
    default:
      throw InternalError("an expression has an operator that is not binary");
  }
}

using ValueStack = boost::container::small_vector<Value, 8>;

/// Returns whether the instruction has one operand.
bool is_unary(const Expression::Instruction& instruction) {
  using Opcode = Expression::Opcode;
  if (instruction.opcode == Opcode::negate || instruction.opcode == Opcode::call) return true;
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
                             x.measured == y.measured;
                    });
}

Value Expression::evaluate(std::span<const Value> parameters, const Source& source,
                           std::string_view called_from) const {
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
