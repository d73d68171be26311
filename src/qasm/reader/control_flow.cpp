// Conditions and switch statements. Those that are known are followed while the program is read;
// the others become conditions of the operations.
#include <fmt/core.h>

#include <numeric>
#include <set>
#include <variant>

#include "qasm/reader/executor.hpp"
#include "qasm/text/if_statement.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
// --- if ---

void Executor::execute(const syntax::If& statement) {
  const BranchConditions condition = condition_of(statement);
  const bool is_stale = execute_under(condition.then, statement.body, statement.word);
  if (!statement.otherwise) return;
  const Token& other = statement.otherwise->word;
  if (is_stale) {
    source_.fail(other.text, "a measurement before this 'else' changes what it depends on");
  }
  execute_under(condition.otherwise, statement.otherwise->body, other);
}

/// Executes the body once for each of the alternatives, which become conditions of its operations.
/// Returns whether the last one changes a bit that is tested.
bool Executor::execute_under(const Alternatives& alternatives, const syntax::Block& body,
                             const Token& word) {
  bool is_stale = false;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (i > 0) {
      if (is_stale) {
        source_.fail(word.text,
                     "a measurement changes what this condition tests, which has '&&' or '||': "
                     "expected nested 'if' statements");
      }
      charge_again(body.text, word);
    }
    const bool is_known = alternatives[i].empty();
    if (!is_known) begin_branch(alternatives[i], word);
    execute_body(body);
    if (!is_known) is_stale = end_branch(word);
  }
  return is_stale;
}

void Executor::begin_branch(const std::vector<Condition>& conditions, const Token& word) {
  builder_.begin_conditions(conditions, word.text);
  try {
    execution_.branches.push_back({expression_of(circuit_, conditions), names_.depth() + 1});
  } catch (const InputError& error) {
    source_.fail(word.text, error.what());
  }
}

bool Executor::end_branch(const Token& word) {
  execution_.branches.pop_back();
  if (execution_.has_branch_values) {
    budget_.charge(1 + names_.value_count() / 8, word.text);
    names_.for_each_value([&](std::string_view, NamedValue& variable) {
      if (variable.branches <= execution_.branches.size()) return;
      variable.value = {};
      variable.branches = 0;
      variable.unknown_because =
          fmt::format("a value was assigned to it only under the condition of {}",
                      source_.line_text(word.text));
    });
    execution_.has_branch_values = !execution_.branches.empty();
  }
  return builder_.end_conditions();
}

void Executor::charge_again(std::string_view text, const Token& word) {
  budget_.charge(kOperationsPerIteration + text.size() / kCharactersPerOperation, word.text);
}

/// Returns a condition, which is a single comparison in OpenQASM 2.
BranchConditions Executor::condition_of(const syntax::If& statement) {
  if (const auto* const comparison = std::get_if<syntax::Comparison>(&statement.condition)) {
    return comparison_of(*comparison);
  }
  const auto& expression = std::get<syntax::Expression>(statement.condition);
  return branches_of(value_of(expression), expression.first.text);
}

BranchConditions Executor::branches_of(const Value& value, std::string_view place) const {
  try {
    if (value.measured == nullptr) return known_condition(is_true(value));
    return conditions_of(circuit_, value.measured);
  } catch (const InputError& error) {
    source_.fail(place, error.what());
  }
}

/// Returns the branches of `c == 1`.
BranchConditions Executor::comparison_of(const syntax::Comparison& comparison) {
  const std::string_view name = comparison.bits.name;
  const DeclaredRegister& declared = find_register(name, false);
  Condition condition{declared.index, 1};
  const Register& tested = register_of(declared);
  if (!comparison.bits.is_whole()) {
    const Operand bit = operand_of(comparison.bits, false);
    if (tested.size != 1 && language_.has_bit_conditions) {
      condition.element = bit.first - tested.first;
      language_.extension = name;
    } else if (tested.size != 1) {
      const std::string_view place = comparison.bits.selections.empty()
                                         ? std::string_view(comparison.bits.number.data() - 1, 1)
                                         : comparison.bits.selections[0].bracket;
      source_.fail(place, fmt::format("a condition on one bit of {}, which has {}, is not "
                                      "supported: expected a whole register",
                                      in_quotes(name), tested.size));
    }
  }
  const Token& value = comparison.number;
  const auto number = read_whole_number<std::uint64_t>(value.text);
  if (!number) return wide_comparison_of(tested, condition, name, value);
  condition.value = *number;
  return qasm::comparison(condition, condition.element ? 1 : tested.size);
}

/// Returns the branches of the comparison of a register with a number of more than 64 bits, which
/// is an expression that only OpenQASM 3 has.
BranchConditions Executor::wide_comparison_of(const Register& tested, const Condition& condition,
                                              std::string_view name, const Token& value) {
  std::vector<std::uint32_t> bits(condition.element ? 1 : tested.size);
  std::iota(bits.begin(), bits.end(), tested.first + condition.element.value_or(0));
  try {
    const Value measured{{}, false, bits_expression(std::move(bits))};
    const Value number{read_number(value.text), true};
    language_.extension = name;
    return branches_of(combine(BitOperator::equal, measured, number), value.text);
  } catch (const InputError& error) {
    if (error.location().line != 0) throw;
    source_.fail(value.text, error.what());
  }
}

// --- switch ---

void Executor::execute(const syntax::Switch& statement) {
  const std::string_view place = statement.value.first.text;
  const Value value = value_of(statement.value);
  enter_block(statement.word);
  BranchConditions rest = known_condition(true);  // no case so far
  std::set<std::int64_t> labels;
  for (std::size_t i = 0; i < statement.cases.size(); ++i) {
    const syntax::Case& each = statement.cases[i];
    BranchConditions here = rest;
    for (const std::vector<Condition>& alternative : rest.then) {
      budget_.charge(1 + alternative.size(), each.word.text);
    }
    if (!each.labels.empty()) {
      here = condition_of(each, value, place, labels);
      try {
        rest = conjunction(rest, negated(here));
      } catch (const InputError& error) {
        source_.fail(each.word.text, error.what());
      }
    }
    const bool is_stale = execute_under(here.then, each.body, each.word);
    if (is_stale && i + 1 < statement.cases.size()) {
      fail_found(statement.cases[i + 1].word,
                 "'}': a measurement before this case changes what it depends on");
    }
  }
  --execution_.nesting;
}

/// Returns the condition that the value is one of the labels of a case, which must differ from all
/// labels so far.
BranchConditions Executor::condition_of(const syntax::Case& labels, const Value& value,
                                        std::string_view place, std::set<std::int64_t>& so_far) {
  BranchConditions here = known_condition(false);
  for (const syntax::Expression& each : labels.labels) {
    const std::int64_t number = integer_in(each);
    if (!so_far.insert(number).second) {
      source_.fail(each.first.text,
                   fmt::format("found the label {} of this switch a second time", number));
    }
    try {
      const Value label{Angle::radians(number), true};
      here = disjunction(here, branches_of(combine(BitOperator::equal, value, label), place));
    } catch (const InputError& error) {
      if (error.location().line != 0) throw;
      source_.fail(each.first.text, error.what());
    }
  }
  return here;
}

// --- bodies ---

void Executor::enter_block(const Token& start) {
  if (++execution_.nesting > syntax::kMaxBlockNesting) {
    source_.fail(start.text,
                 fmt::format("blocks are nested more than {} deep", syntax::kMaxBlockNesting));
  }
}

/// Executes a block in a scope of its own, up to a jump.
void Executor::execute_body(const syntax::Block& block) {
  enter_block(block.first);
  names_.enter_scope();
  for (const syntax::Statement& statement : block.statements) {
    if (execution_.jump != Execution::Jump::none) break;
    execute(statement);
  }
  if (block.error != nullptr && execution_.jump == Execution::Jump::none) {
    std::rethrow_exception(block.error);
  }
  names_.leave_scope();
  --execution_.nesting;
}

}  // namespace quartz::qasm
