#include "qasm/syntax/resolve.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

constexpr std::string_view kOperandText = "a number, 'pi', a parameter, a function or '('";

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
    case TokenKind::exclamation:
      return BitOperator::negation;
    case TokenKind::tilde:
      return BitOperator::complement;
    default:
      return std::nullopt;
  }
}

/// Appends the terms of an expression to its code.
class Resolver {
 public:
  Resolver(const ExpressionScope& scope, const Source& source, Expression& result)
      : scope_(scope), source_(source), result_(result) {}

  void append(const syntax::Expression& expression) {
    for (const syntax::Term& term : expression.terms) std::visit(*this, term.node);
  }

  void operator()(const syntax::Number& number) {
    const Token& token = number.token;
    try {
      result_.push_constant({read_number(token.text), token.kind == TokenKind::integer},
                            token.text);
    } catch (const InputError& error) {
      source_.fail(token.text, error.what());
    }
  }

  void operator()(const syntax::BitString& bits) {
    std::string digits;
    for (const char c : bits.text.substr(1, bits.text.size() - 2)) {
      if (c == '_') continue;
      digits.push_back(c);
      if ((c != '0' && c != '1') || digits.size() > kMaxBitsOfNumber) {
        source_.fail(bits.text, fmt::format("found {}, expected a string of up to {} bits",
                                            in_quotes(bits.text), kMaxBitsOfNumber));
      }
    }
    Value value{read_radix_number(digits, 2), true, {}};
    value.type.unsigned_bits = static_cast<std::uint32_t>(digits.size());
    value.type.is_bits = true;
    result_.push_constant(std::move(value), bits.text);
  }

  void operator()(const syntax::Length& length) {
    const char* const end = length.unit.data() + length.unit.size();
    const std::string_view text(length.number.data(),
                                static_cast<std::size_t>(end - length.number.data()));
    fail_found(text, kOperandText);
  }

  void operator()(const syntax::Reference& reference) {
    if (reference.name.starts_with('$')) fail_found(reference.name.substr(0, 1), kOperandText);
    if (push_parameter(reference.name)) return check_whole(reference);
    if (const Value* const value = find_value(reference.name)) {
      result_.push_constant(*value, reference.name);
      return append_index(reference);
    }
    if (scope_.language_version >= 3 && append_name_of_version_3(reference)) return;
    if (auto constant = find_constant(reference.name)) {
      result_.push_constant({*std::move(constant), false}, reference.name);
      return check_whole(reference);
    }
    (void)function_of(reference.name);
    fail_after(reference.name, "'('");
  }

  void operator()(const syntax::FunctionCall& call) {
    const bool is_parameter =
        scope_.gate_parameters != nullptr && scope_.gate_parameters->contains(call.name);
    if (is_parameter || find_value(call.name) != nullptr) fail_value(call.name);
    if (scope_.language_version >= 3 && call.name == "pow") {  // not the modifier
      check_arguments(call, 2);
      append(call.arguments[0]);
      append(call.arguments[1]);
      return result_.push(Expression::Opcode::power, 0, call.name);
    }
    if (scope_.language_version >= 3 && scope_.call) {
      if (auto value = scope_.call(call)) {
        return result_.push_constant(*std::move(value), call.name);
      }
    }
    if (find_constant(call.name)) fail_value(call.name);
    if (const auto builtin = builtin_of(call.name)) {
      check_arguments(call, has_two_arguments(*builtin) ? 2 : 1);
      for (const syntax::Expression& argument : call.arguments) append(argument);
      return result_.push(Expression::Opcode::builtin, static_cast<std::uint32_t>(*builtin),
                          call.name);
    }
    const Function function = function_of(call.name);
    check_arguments(call, 1);
    append(call.arguments[0]);
    result_.push(Expression::Opcode::call, static_cast<std::uint32_t>(function), call.name);
  }

  void operator()(const syntax::Cast& cast) {
    Expression::Cast to{cast.type, 0};
    const syntax::Expression& width = cast.operands[1];
    if (!width.is_absent()) {
      Expression code;
      resolve(width, {scope_.language_version, nullptr, scope_.find_value}, source_, code);
      const Value value = code.evaluate({}, source_);
      const bool is_positive =
          value.measured == nullptr && value.is_integer && value.angle.value() >= 1;
      if (!is_positive) source_.fail(width.first.text, "expected a width of 1 bit or more");
      try {
        to.width = static_cast<std::uint64_t>(integer_of(value));
      } catch (const InputError& error) {
        source_.fail(width.first.text, error.what());
      }
    }
    append(cast.operands[0]);
    result_.push_cast(to, cast.name);
  }

  void operator()(const syntax::DurationOf& duration) { fail_unknown(duration.name); }
  void operator()(const syntax::Parentheses& /*unused*/) {}

  void operator()(const syntax::Unary& unary) {
    if (const auto kind = bit_operator_of(unary.sign.kind)) return push_operator(*kind, unary.sign);
    if (unary.sign.kind == TokenKind::minus) {
      result_.push(Expression::Opcode::negate, 0, unary.sign.text);
    }
  }

  void operator()(const syntax::LogicalSeparator& /*unused*/) {
    operations_.push_back(operation_count());
  }

  void operator()(const syntax::Binary& binary) {
    const Token& sign = binary.sign;
    if (sign.kind == TokenKind::logical_and || sign.kind == TokenKind::logical_or) {
      if (operations_.back() != operation_count()) fail_conditional_call(sign.text);
      operations_.pop_back();
    }
    const auto kind = bit_operator_of(sign.kind);
    if (scope_.language_version >= 3 && kind) return push_operator(*kind, sign);
    result_.push(opcode_of(sign.kind), 0, sign.text);
  }

 private:
  [[nodiscard]] const Value* find_value(std::string_view name) const {
    return scope_.find_value ? scope_.find_value(name) : nullptr;
  }

  [[nodiscard]] std::size_t operation_count() const {
    return scope_.count_operations ? scope_.count_operations() : 0;
  }

  void push_operator(BitOperator kind, const Token& sign) {
    result_.push(Expression::Opcode::combine, static_cast<std::uint32_t>(kind), sign.text);
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

  /// Appends a gate parameter if the name is that of one, and returns whether it is.
  bool push_parameter(std::string_view name) {
    if (scope_.gate_parameters == nullptr) return false;
    const auto formal = scope_.gate_parameters->find(name);
    if (formal == scope_.gate_parameters->end()) return false;
    result_.push(Expression::Opcode::parameter, formal->second, name);
    return true;
  }

  /// Appends the index of a bit of an integer, if there is one.
  void append_index(const syntax::Reference& reference) {
    if (reference.is_whole()) return;
    if (!reference.number.empty()) {
      (*this)(syntax::Number{{TokenKind::integer, reference.number}});
      return result_.push(Expression::Opcode::element, 0, {reference.number.data() - 1, 1});
    }
    const syntax::Selection& selection = reference.selections[0];
    const bool is_index = reference.selections.size() == 1 && selection.items.size() == 1 &&
                          selection.items[0].kind == syntax::Index::Kind::element;
    if (!is_index) source_.fail(selection.bracket, "expected the index of one bit of an integer");
    append(selection.items[0].values[0]);
    result_.push(Expression::Opcode::element, 0, selection.bracket);
  }

  /// Appends what only OpenQASM 3 has; returns whether the name is one of these.
  bool append_name_of_version_3(const syntax::Reference& reference) {
    const std::string_view name = reference.name;
    if (name == "true" || name == "false") {
      result_.push_constant(truth_value(name == "true"), name);
      check_whole(reference);
      return true;
    }
    if (find_cast(name) || name == "pow" || find_builtin_function(name)) fail_after(name, "'('");
    if (!scope_.read_reference) return false;
    std::optional<Value> value = scope_.read_reference(reference);
    if (value) result_.push_constant(*std::move(value), name);
    return value.has_value();
  }

  [[nodiscard]] std::optional<BuiltinFunction> builtin_of(std::string_view name) const {
    return scope_.language_version >= 3 ? find_builtin_function(name) : std::nullopt;
  }

  [[nodiscard]] Function function_of(std::string_view name) const {
    const auto function = find_function(name);
    if (!function) fail_unknown(name);
    // Expressions of parameters are written with the first of several names of a function.
    const std::string_view written = function_name(*function);
    if (written != name && find_value(written) != nullptr) {
      source_.fail(name, fmt::format("this function is also called {}, which has another meaning "
                                     "in this program",
                                     in_quotes(written)));
    }
    return *function;
  }

  void check_arguments(const syntax::FunctionCall& call, std::size_t count) const {
    if (call.arguments.size() == count) return;
    if (call.arguments.empty()) fail_found(call.end, kOperandText);
    const std::size_t last = std::min(count, call.arguments.size());
    fail_found(syntax::sign_after(call.arguments[last - 1]),
               call.arguments.size() < count ? "','" : "')'");
  }

  void check_whole(const syntax::Reference& reference) const {
    if (reference.is_whole()) return;
    const std::string_view bracket = reference.number.empty()
                                         ? reference.selections[0].bracket
                                         : std::string_view(reference.number.data() - 1, 1);
    source_.fail(bracket, fmt::format("{} has no elements", in_quotes(reference.name)));
  }

  [[noreturn]] void fail_value(std::string_view name) const {
    source_.fail(name, fmt::format("{} is a value, expected a function", in_quotes(name)));
  }

  [[noreturn]] void fail_unknown(std::string_view name) const {
    source_.fail(name, fmt::format("unknown name {} in an expression, expected a number, 'pi', a "
                                   "parameter or a function",
                                   in_quotes(name)));
  }

  [[noreturn]] void fail_found(std::string_view place, std::string_view expected) const {
    source_.fail(place, fmt::format("found {}, expected {}", in_quotes(place), expected));
  }

  /// Fails at the token after a name.
  [[noreturn]] void fail_after(std::string_view name, std::string_view expected) const {
    std::vector<std::string_view> comments;
    Lexer lexer(source_, comments, scope_.language_version);
    lexer.skip_to(name.data() + name.size());
    lexer.fail_expecting(expected);
  }

  /// The specification does not say whether the right operand is evaluated if the left one decides.
  [[noreturn]] void fail_conditional_call(std::string_view sign) const {
    source_.fail(sign, fmt::format("a call with operations on the right of {} may depend on the "
                                   "left operand: expected it in a statement before",
                                   in_quotes(sign)));
  }

  const ExpressionScope& scope_;
  const Source& source_;
  Expression& result_;
  std::vector<std::size_t> operations_;  ///< the counts before the right operands of && and ||
};

}  // namespace

void resolve(const syntax::Expression& expression, const ExpressionScope& scope,
             const Source& source, Expression& result) {
  result.clear();
  Resolver(scope, source, result).append(expression);
}

}  // namespace quartz::qasm
