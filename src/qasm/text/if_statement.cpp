#include "qasm/text/if_statement.hpp"

#include <algorithm>

#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

bool changes(const Operation& operation, const Register& tested) {
  const auto& bits = operation.classical->bits;
  return std::any_of(bits.begin(), bits.end(), [&](ClassicalBit bit) {
    return bit >= tested.first && bit - tested.first < tested.size;
  });
}

struct Body {
  std::span<const Operation> operations;
  bool changes_tested = false;  ///< the last operation changes a tested bit
};

/// Returns the first operations, as far as they have `condition` as their condition number `depth`.
Body first_body(std::span<const Operation> operations, std::size_t depth,
                const Condition& condition, const Register& tested) {
  std::size_t length = 0;
  bool is_stale = false;
  while (length < operations.size() && !is_stale) {
    const std::span<const Condition> conditions = operations[length].conditions();
    if (conditions.size() <= depth || conditions[depth] != condition) break;
    is_stale = changes(operations[length], tested);
    ++length;
  }
  return {operations.first(length), is_stale};
}

}  // namespace

Condition opposite_of(Condition condition, std::uint32_t bits) {
  if (condition.expression == nullptr && bits == 1 && condition.value <= 1 && !condition.negated) {
    condition.value = 1 - condition.value;
  } else {
    condition.negated = !condition.negated;
  }
  return condition;
}

IfStatement first_if_statement(const Circuit& circuit, std::span<const Operation> operations,
                               std::size_t depth) {
  ensure(!operations.empty() && operations[0].conditions().size() > depth,
         "the first operation has one more condition");
  IfStatement statement{operations[0].conditions()[depth], {}, {}};
  const Register tested = tested_bits(circuit, statement.condition);
  Body body = first_body(operations, depth, statement.condition, tested);
  if (statement.condition.negated) {
    statement.condition.negated = false;
    statement.otherwise = body.operations;
    return statement;
  }
  statement.body = body.operations;
  if (!body.changes_tested) {
    statement.otherwise = first_body(operations.subspan(body.operations.size()), depth,
                                     opposite_of(statement.condition, tested.size), tested)
                              .operations;
  }
  return statement;
}

}  // namespace quartz::qasm
