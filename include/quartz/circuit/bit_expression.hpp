#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quartz {

/// The operators of a BitExpression. The enumerators up to `constant` are operands.
enum class BitOperator : std::uint8_t {
  bits,          ///< classical bits of the circuit
  constant,      ///< a number
  complement,    ///< ~a
  conjunction,   ///< a & b
  disjunction,   ///< a | b
  exclusive_or,  ///< a ^ b
  left_shift,    ///< a << b, of the width of a
  right_shift,   ///< a >> b
  sum,           ///< a + b, as wide as it needs to be
  equal,         ///< a == b, and so on: numbers without a sign
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  negation,             ///< !a
  logical_conjunction,  ///< a && b
  logical_disjunction,  ///< a || b
  selection,            ///< b if a holds, and otherwise c; no statement of OpenQASM expresses it
};

struct BitExpression;
/// A shared, immutable expression.
using BitExpressionPointer = std::shared_ptr<const BitExpression>;

/// An expression of classical bits, whose value is a number without a sign of `width` bits.
struct BitExpression {
  BitOperator kind = BitOperator::constant;
  std::uint32_t width = 1;
  std::vector<std::uint32_t> bits;  ///< for bits: indices in the circuit, least significant first
  std::uint64_t value = 0;          ///< for constant
  std::vector<BitExpressionPointer> operands;
  std::uint32_t size = 1;  ///< number of operators and operands, itself included

  friend bool operator==(const BitExpression& a, const BitExpression& b);
};

/// Limit for the size of an expression, which recursive functions visit.
inline constexpr std::uint32_t max_bit_expression_size = 1024;

/// Returns the bits as an expression.
[[nodiscard]] BitExpressionPointer bits_expression(std::vector<std::uint32_t> bits);
[[nodiscard]] BitExpressionPointer constant_expression(std::uint64_t value);
/// Returns the operator applied to the operands. Throws InputError, without a location, if the
/// expression is larger than max_bit_expression_size.
[[nodiscard]] BitExpressionPointer bit_operation(BitOperator kind,
                                                 std::vector<BitExpressionPointer> operands);

/// Returns the value, least significant bit first, when the circuit's classical bits are `bits`.
[[nodiscard]] std::vector<bool> evaluate(const BitExpression& expression,
                                         const std::vector<bool>& bits);
/// Returns whether the value is not zero.
[[nodiscard]] bool holds(const BitExpression& expression, const std::vector<bool>& bits);

/// Returns the classical bits that the expression reads, in ascending order.
[[nodiscard]] std::vector<std::uint32_t> bits_read(const BitExpression& expression);
/// Returns whether an operator occurs in the expression.
[[nodiscard]] bool contains(const BitExpression& expression, BitOperator kind);

/// Returns the sign of an operator in OpenQASM 3; empty for operands and for a selection.
[[nodiscard]] std::string_view sign_of(BitOperator kind);
/// Returns the expression in OpenQASM 3. `name_of` returns the text of classical bits. The
/// expression must not contain a selection.
[[nodiscard]] std::string text_of(
    const BitExpression& expression,
    const std::function<std::string(std::span<const std::uint32_t>)>& name_of);
/// Returns a text that expressions share only if they are equal.
[[nodiscard]] std::string key_of(const BitExpression& expression);
/// Returns whether the value is true or false: a comparison or a logical operator.
[[nodiscard]] bool is_truth_value(BitOperator kind);

}  // namespace quartz
