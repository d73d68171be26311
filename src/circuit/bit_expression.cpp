#include "quartz/circuit/bit_expression.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

using enum BitOperator;

struct Sign {
  BitOperator kind;
  std::string_view text;
};

constexpr std::array kSigns{
    Sign{complement, "~"},
    Sign{conjunction, "&"},
    Sign{disjunction, "|"},
    Sign{exclusive_or, "^"},
    Sign{left_shift, "<<"},
    Sign{right_shift, ">>"},
    Sign{sum, "+"},
    Sign{equal, "=="},
    Sign{not_equal, "!="},
    Sign{less, "<"},
    Sign{less_equal, "<="},
    Sign{greater, ">"},
    Sign{greater_equal, ">="},
    Sign{negation, "!"},
    Sign{logical_conjunction, "&&"},
    Sign{logical_disjunction, "||"},
};

using Number = std::vector<bool>;  // least significant bit first

bool bit_of(const Number& number, std::size_t i) { return i < number.size() && number[i]; }

bool is_zero(const Number& number) {
  return std::none_of(number.begin(), number.end(), [](bool bit) { return bit; });
}

/// Returns -1, 0 or 1 as a is less than, equal to or greater than b.
int compare(const Number& a, const Number& b) {
  for (std::size_t i = std::max(a.size(), b.size()); i-- > 0;) {
    if (bit_of(a, i) != bit_of(b, i)) return bit_of(a, i) ? 1 : -1;
  }
  return 0;
}

Number combined(BitOperator kind, const Number& a, const Number& b, std::uint32_t width) {
  Number result(width);
  bool carry = false;
  for (std::size_t i = 0; i < width; ++i) {
    const bool x = bit_of(a, i);
    const bool y = bit_of(b, i);
    switch (kind) {
      case conjunction:
        result[i] = x && y;
        break;
      case disjunction:
        result[i] = x || y;
        break;
      case sum:
        result[i] = (x != y) != carry;
        carry = (x && y) || (carry && (x || y));
        break;
      default:
        result[i] = x != y;
    }
  }
  return result;
}

/// Returns the number shifted towards its most significant bit, or in the other direction.
Number shifted(const Number& number, const Number& distance, bool left, std::uint32_t width) {
  std::size_t places = 0;
  for (std::size_t i = distance.size(); i-- > 0;) {
    places = std::min<std::size_t>(2 * places + (distance[i] ? 1 : 0), width);
  }
  Number result(width);
  for (std::size_t i = 0; i < width; ++i) {
    if (left) {
      result[i] = i >= places && bit_of(number, i - places);
    } else {
      result[i] = bit_of(number, i + places);
    }
  }
  return result;
}

bool truth(BitOperator kind, const Number& a, const Number& b) {
  switch (kind) {
    case equal:
      return compare(a, b) == 0;
    case not_equal:
      return compare(a, b) != 0;
    case less:
      return compare(a, b) < 0;
    case less_equal:
      return compare(a, b) <= 0;
    case greater:
      return compare(a, b) > 0;
    case greater_equal:
      return compare(a, b) >= 0;
    case logical_conjunction:
      return !is_zero(a) && !is_zero(b);
    default:
      return !is_zero(a) || !is_zero(b);
  }
}

std::uint32_t width_of(BitOperator kind, std::span<const BitExpressionPointer> operands) {
  if (is_truth_value(kind)) return 1;
  if (kind == complement || kind == left_shift || kind == right_shift) return operands[0]->width;
  if (kind == selection) return std::max(operands[1]->width, operands[2]->width);
  const std::uint32_t widest = std::max(operands[0]->width, operands[1]->width);
  return kind == sum ? widest + 1 : widest;
}

void collect_bits(const BitExpression& expression, std::set<std::uint32_t>& bits) {
  bits.insert(expression.bits.begin(), expression.bits.end());
  for (const BitExpressionPointer& operand : expression.operands) collect_bits(*operand, bits);
}

}  // namespace

bool operator==(const BitExpression& a, const BitExpression& b) {
  if (&a == &b) return true;
  return a.kind == b.kind && a.width == b.width && a.bits == b.bits && a.value == b.value &&
         std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(),
                    [](const auto& x, const auto& y) { return *x == *y; });
}

BitExpressionPointer bits_expression(std::vector<std::uint32_t> bits) {
  BitExpression result;
  result.kind = BitOperator::bits;
  result.width = static_cast<std::uint32_t>(bits.size());
  result.bits = std::move(bits);
  return std::make_shared<const BitExpression>(std::move(result));
}

BitExpressionPointer constant_expression(std::uint64_t value) {
  BitExpression result;
  result.value = value;
  while (result.width < 64 && (value >> result.width) != 0) ++result.width;
  return std::make_shared<const BitExpression>(std::move(result));
}

BitExpressionPointer bit_operation(BitOperator kind, std::vector<BitExpressionPointer> operands) {
  BitExpression result;
  result.kind = kind;
  result.width = width_of(kind, operands);
  for (const BitExpressionPointer& operand : operands) result.size += operand->size;
  if (result.size > max_bit_expression_size) {
    throw InputError(
        fmt::format("an expression of more than {} operations on measured bits is not "
                    "supported",
                    max_bit_expression_size));
  }
  result.operands = std::move(operands);
  return std::make_shared<const BitExpression>(std::move(result));
}

std::vector<bool> evaluate(const BitExpression& expression, const std::vector<bool>& bits) {
  if (expression.kind == BitOperator::bits) {
    Number result;
    for (const std::uint32_t bit : expression.bits) result.push_back(bits.at(bit));
    return result;
  }
  if (expression.kind == constant) {
    Number result(expression.width);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = ((expression.value >> i) & 1U) != 0;
    return result;
  }
  const Number a = evaluate(*expression.operands[0], bits);
  switch (expression.kind) {
    case complement: {
      Number result = a;
      result.flip();
      return result;
    }
    case negation:
      return {is_zero(a)};
    case selection:
      return evaluate(*expression.operands[is_zero(a) ? 2 : 1], bits);
    default:
      break;
  }
  const Number b = evaluate(*expression.operands[1], bits);
  if (is_truth_value(expression.kind)) return {truth(expression.kind, a, b)};
  if (expression.kind == left_shift || expression.kind == right_shift) {
    return shifted(a, b, expression.kind == left_shift, expression.width);
  }
  return combined(expression.kind, a, b, expression.width);
}

bool holds(const BitExpression& expression, const std::vector<bool>& bits) {
  return !is_zero(evaluate(expression, bits));
}

std::vector<std::uint32_t> bits_read(const BitExpression& expression) {
  std::set<std::uint32_t> bits;
  collect_bits(expression, bits);
  return {bits.begin(), bits.end()};
}

bool contains(const BitExpression& expression, BitOperator kind) {
  return expression.kind == kind ||
         std::any_of(expression.operands.begin(), expression.operands.end(),
                     [&](const auto& operand) { return contains(*operand, kind); });
}

std::string_view sign_of(BitOperator kind) {
  const auto found = std::find_if(kSigns.begin(), kSigns.end(),
                                  [&](const Sign& sign) { return sign.kind == kind; });
  return found == kSigns.end() ? std::string_view() : found->text;
}

std::string text_of(const BitExpression& expression,
                    const std::function<std::string(std::span<const std::uint32_t>)>& name_of) {
  if (expression.kind == BitOperator::bits) return name_of(expression.bits);
  if (expression.kind == constant) return std::to_string(expression.value);
  const auto operand_text = [&](std::size_t i) {
    const BitExpression& operand = *expression.operands[i];
    std::string text = text_of(operand, name_of);
    const bool is_plain = operand.operands.size() < 2;
    return is_plain ? text : "(" + text + ")";
  };
  const std::string_view sign = sign_of(expression.kind);
  ensure(!sign.empty(), "OpenQASM has a sign for the operator");
  if (expression.operands.size() == 1) return std::string(sign) + operand_text(0);
  return fmt::format("{} {} {}", operand_text(0), sign, operand_text(1));
}

std::string key_of(const BitExpression& expression) {
  std::string key = fmt::format("{}:{}:{}", static_cast<int>(expression.kind), expression.width,
                                expression.value);
  for (const std::uint32_t bit : expression.bits) key += fmt::format(" {}", bit);
  for (const BitExpressionPointer& operand : expression.operands) {
    key += "(" + key_of(*operand) + ")";
  }
  return key;
}

bool is_truth_value(BitOperator kind) { return kind >= equal && kind <= logical_disjunction; }

}  // namespace quartz
