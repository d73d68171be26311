#include "qasm/builder/branch_conditions.hpp"

#include <fmt/core.h>

#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "qasm/text/if_statement.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

constexpr std::size_t kMaxAlternatives = 64;

/// Returns the alternatives that hold if one of `a` and one of `b` holds.
Alternatives product(const Alternatives& a, const Alternatives& b) {
  Alternatives result;
  for (const std::vector<Condition>& left : a) {
    for (const std::vector<Condition>& right : b) {
      std::vector<Condition>& both = result.emplace_back(left);
      both.insert(both.end(), right.begin(), right.end());
    }
  }
  return result;
}

/// Returns the condition that all of these bits have the value; nullopt if they are neither a
/// register nor a bit of one.
std::optional<Condition> comparison_of(const Circuit& circuit, const BitExpression& expression,
                                       std::uint64_t value) {
  if (expression.kind != BitOperator::bits) return std::nullopt;
  for (std::uint32_t i = 0; i < circuit.bit_registers.size(); ++i) {
    const Register& each = circuit.bit_registers[i];
    const std::uint32_t element = expression.bits[0] - each.first;
    if (expression.bits[0] < each.first || element >= each.size) continue;
    if (expression.bits.size() == 1 && each.size != 1) return Condition{i, value, element};
    for (std::uint32_t k = 0; k < expression.bits.size(); ++k) {
      if (expression.bits[k] != each.first + k) return std::nullopt;
    }
    return expression.bits.size() == each.size ? std::optional(Condition{i, value}) : std::nullopt;
  }
  return std::nullopt;
}

/// Returns the value of a constant operand.
std::optional<std::uint64_t> constant_of(const BitExpression& operand) {
  if (operand.kind != BitOperator::constant) return std::nullopt;
  return operand.value;
}

/// Limit for the bits that an expression reads, because all operations under it look at them.
constexpr std::size_t kMaxBitsRead = 4096;

BranchConditions expression_condition(const BitExpressionPointer& expression) {
  if (bits_read(*expression).size() > kMaxBitsRead) {
    throw InputError(fmt::format("a condition with operators on more than {} bits is not supported",
                                 kMaxBitsRead));
  }
  Condition condition;
  condition.expression = expression;
  Condition opposite = condition;
  opposite.negated = true;
  return {{{condition}}, {{opposite}}};
}

/// Returns the branches of `a == b`.
std::optional<BranchConditions> equality(const Circuit& circuit, const BitExpressionPointer& a,
                                         const BitExpressionPointer& b) {
  const std::optional<std::uint64_t> value = constant_of(*b);
  if (!value) return constant_of(*a) ? equality(circuit, b, a) : std::nullopt;
  if (auto condition = comparison_of(circuit, *a, *value)) return comparison(*condition, a->width);
  if (a->width != 1 || *value > 1) return std::nullopt;
  BranchConditions same = conditions_of(circuit, a);
  return *value == 1 ? std::move(same) : negated(std::move(same));
}

/// Limit for the bits whose values are tried one after another.
constexpr std::size_t kMaxBitsTried = 6;

/// Appends the alternatives of the values of the bits from number `next` on; `content` has those
/// before it.
void split_by_bits(const Circuit& circuit, const BitExpression& expression,
                   std::span<const std::uint32_t> bits, std::size_t next,
                   std::vector<bool>& content, std::vector<Condition>& path,
                   BranchConditions& result) {
  if (next == bits.size()) {
    (holds(expression, content) ? result.then : result.otherwise).push_back(path);
    return;
  }
  for (const bool value : {false, true}) {
    content[bits[next]] = value;
    path.push_back(*comparison_of(circuit, *bits_expression({bits[next]}), value ? 1 : 0));
    split_by_bits(circuit, expression, bits, next + 1, content, path, result);
    path.pop_back();
  }
}

/// Returns the branches of an expression that no statement can express, as alternatives of the
/// values of its bits.
BranchConditions conditions_by_bits(const Circuit& circuit, const BitExpression& expression) {
  const std::vector<std::uint32_t> bits = bits_read(expression);
  if (bits.size() > kMaxBitsTried) {
    throw InputError(
        fmt::format("the condition depends on {} measured bits through variables, "
                    "expected at most {}",
                    bits.size(), kMaxBitsTried));
  }
  std::vector<bool> content(circuit.bit_count());
  std::vector<Condition> path;
  BranchConditions result;
  split_by_bits(circuit, expression, bits, 0, content, path, result);
  return result;
}

std::optional<BranchConditions> conditions_of_operator(const Circuit& circuit,
                                                       const BitExpression& expression) {
  const auto operand = [&](std::size_t i) { return expression.operands[i]; };
  switch (expression.kind) {
    case BitOperator::bits: {
      if (auto condition = comparison_of(circuit, expression, expression.width == 1 ? 1 : 0)) {
        BranchConditions result = comparison(*condition, expression.width);
        return expression.width == 1 ? result : negated(result);
      }
      return std::nullopt;
    }
    case BitOperator::constant:
      return known_condition(expression.value != 0);
    case BitOperator::negation:
      return negated(conditions_of(circuit, operand(0)));
    case BitOperator::equal:
      return equality(circuit, operand(0), operand(1));
    case BitOperator::not_equal: {
      auto same = equality(circuit, operand(0), operand(1));
      return same ? std::optional(negated(*std::move(same))) : std::nullopt;
    }
    case BitOperator::logical_conjunction:
      return conjunction(conditions_of(circuit, operand(0)), conditions_of(circuit, operand(1)));
    case BitOperator::logical_disjunction:
      return disjunction(conditions_of(circuit, operand(0)), conditions_of(circuit, operand(1)));
    default:
      return std::nullopt;
  }
}

}  // namespace

BranchConditions conditions_of(const Circuit& circuit, const BitExpressionPointer& expression) {
  const bool has_text =
      !contains(*expression, BitOperator::selection) && !contains(*expression, BitOperator::sum);
  try {
    if (auto result = conditions_of_operator(circuit, *expression)) return *std::move(result);
  } catch (const InputError&) {
    if (!has_text) throw;  // too many alternatives, but the expression can stay as it is
  }
  return has_text ? expression_condition(expression) : conditions_by_bits(circuit, *expression);
}

BranchConditions known_condition(bool holds) {
  BranchConditions result;
  (holds ? result.then : result.otherwise).emplace_back();
  return result;
}

BitExpressionPointer expression_of(const Circuit& circuit,
                                   const std::vector<Condition>& conditions) {
  BitExpressionPointer all;
  for (const Condition& condition : conditions) {
    BitExpressionPointer one = condition.expression;
    if (one == nullptr) {
      const Register tested = tested_bits(circuit, condition);
      std::vector<std::uint32_t> bits(tested.size);
      std::iota(bits.begin(), bits.end(), tested.first);
      one = bit_operation(BitOperator::equal,
                          {bits_expression(std::move(bits)), constant_expression(condition.value)});
    }
    if (condition.negated) one = bit_operation(BitOperator::negation, {one});
    all = all == nullptr ? one : bit_operation(BitOperator::logical_conjunction, {all, one});
  }
  return all == nullptr ? constant_expression(1) : all;
}

BranchConditions comparison(const Condition& condition, std::uint32_t bits) {
  return {{{condition}}, {{opposite_of(condition, bits)}}};
}

BranchConditions negated(BranchConditions condition) {
  std::swap(condition.then, condition.otherwise);
  return condition;
}

BranchConditions conjunction(const BranchConditions& a, const BranchConditions& b) {
  if ((a.then.size() + a.otherwise.size()) * (b.then.size() + b.otherwise.size()) >
      kMaxAlternatives) {
    throw InputError(
        fmt::format("the condition has more than {} alternatives: write nested 'if' statements",
                    kMaxAlternatives));
  }
  // Not (a and b): either a does not hold, or a holds and b does not.
  BranchConditions result{product(a.then, b.then), a.otherwise};
  for (std::vector<Condition>& rest : product(a.then, b.otherwise)) {
    result.otherwise.push_back(std::move(rest));
  }
  return result;
}

BranchConditions disjunction(BranchConditions a, BranchConditions b) {
  return negated(conjunction(negated(std::move(a)), negated(std::move(b))));
}

}  // namespace quartz::qasm
