#include "certify/problem/bit_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace quartz::certify {
namespace {

/// Collects the values that a condition compares bits with. The functions return false if the
/// condition is another function of bits, or if bits cannot have the values.
class ComparedBits {
 public:
  explicit ComparedBits(std::span<const std::uint32_t> writes) : writes_(writes) {}

  bool append(const Circuit& circuit, const Condition& read) {
    if (read.expression == nullptr) {
      const Register tested = tested_bits(circuit, read);
      std::vector<ClassicalBit> bits(tested.size);
      std::iota(bits.begin(), bits.end(), tested.first);
      return append_digits(bits, read.value);
    }
    if (read.expression->kind == BitOperator::not_equal) return append_comparison(*read.expression);
    return append_conjunction(*read.expression);
  }

  [[nodiscard]] std::vector<BitValue> values() && { return std::move(values_); }

 private:
  /// Appends the values that bits have if an expression is true.
  bool append_conjunction(const BitExpression& expression) {
    switch (expression.kind) {
      case BitOperator::bits:
        return expression.width == 1 && append_digits(expression.bits, 1);
      case BitOperator::negation: {
        const BitExpression& operand = *expression.operands[0];
        return operand.kind == BitOperator::bits && append_digits(operand.bits, 0);
      }
      case BitOperator::equal:
        return append_comparison(expression);
      case BitOperator::logical_conjunction:
        return std::ranges::all_of(expression.operands, [&](const BitExpressionPointer& operand) {
          return append_conjunction(*operand);
        });
      default:
        return false;
    }
  }

  /// Appends the values with which an expression compares bits.
  bool append_comparison(const BitExpression& expression) {
    const BitExpression& left = *expression.operands[0];
    const BitExpression& right = *expression.operands[1];
    return left.kind == BitOperator::bits && right.kind == BitOperator::constant &&
           append_digits(left.bits, right.value);
  }

  /// Appends the binary digits of a number as the values of bits, the least significant one first.
  bool append_digits(std::span<const ClassicalBit> bits, std::uint64_t number) {
    if (bits.size() < 64 && (number >> bits.size()) != 0) return false;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      values_.push_back({bits[i], writes_[bits[i]], i < 64 && (number >> i & 1U) != 0});
    }
    return true;
  }

  std::span<const std::uint32_t> writes_;
  std::vector<BitValue> values_;
};

/// Returns whether a comparison must not hold.
bool is_inequality(const Condition& read) {
  const bool is_other =
      read.expression != nullptr && read.expression->kind == BitOperator::not_equal;
  return read.negated != is_other;
}

}  // namespace

std::vector<TestOutcome> BitTests::outcomes_of(const Circuit& circuit, const Operation& operation,
                                               std::span<const std::uint32_t> writes) {
  std::vector<TestOutcome> result;
  std::vector<BitValue> together;
  for (const Condition& read : operation.conditions()) {
    ComparedBits compared(writes);
    if (!compared.append(circuit, read)) {
      // A register always differs from a number that it cannot have as its value.
      if (read.expression == nullptr) continue;
      result.push_back({unknown_test_of(*read.expression, writes), !read.negated});
    } else if (is_inequality(read)) {
      result.push_back({test_of(std::move(compared).values()), false});
    } else {
      const std::vector<BitValue> values = std::move(compared).values();
      together.insert(together.end(), values.begin(), values.end());
    }
  }
  if (!together.empty()) result.push_back({test_of(std::move(together)), true});
  return result;
}

std::uint32_t BitTests::test_of(std::vector<BitValue> bits) {
  std::sort(bits.begin(), bits.end());
  bits.erase(std::unique(bits.begin(), bits.end()), bits.end());
  const auto [entry, is_new] =
      by_bits_.try_emplace(bits, static_cast<std::uint32_t>(tests_.size()));
  if (is_new) tests_.push_back({std::move(bits)});
  return entry->second;
}

std::uint32_t BitTests::unknown_test_of(const BitExpression& expression,
                                        std::span<const std::uint32_t> writes) {
  std::string key = key_of(expression);
  for (const ClassicalBit bit : bits_read(expression)) key += fmt::format(" {}", writes[bit]);
  const auto [entry, is_new] =
      by_expression_.try_emplace(std::move(key), static_cast<std::uint32_t>(tests_.size()));
  if (is_new) tests_.emplace_back();
  return entry->second;
}

}  // namespace quartz::certify
