// Loops over known values are unrolled; a `while` over measured values is kept.
#include <fmt/core.h>

#include <vector>

#include "qasm/reader/changed_names.hpp"
#include "qasm/reader/executor.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
// --- for ---

/// Executes the body once for each value.
void Executor::execute(const syntax::For& loop) {
  check_loop_variable(loop);
  const std::vector<std::int64_t> values = loop_values(loop, scope_);
  for (std::size_t i = 0; i < values.size() && continues_loop(); ++i) {
    names_.enter_scope();
    names_.declare(loop.name.text, variable_in_loop(loop, values[i]));
    execute_iteration(loop.body);
    names_.leave_scope();
    if (i + 1 < values.size()) charge_again(loop.body.text, loop.word);
  }
  end_loop();
}

void Executor::check_loop_variable(const syntax::For& loop) {
  (void)width_of(loop.width);
  if (is_reserved(loop.name.text, language_.number)) check_new_name(loop.name);
}

/// Returns the variable of a loop in an iteration. Assignments to it have no effect on the next
/// one.
NamedValue Executor::variable_in_loop(const syntax::For& loop, std::int64_t number) {
  const Value value{Angle::radians(number), true};
  NamedValue variable;
  variable.kind = NamedValue::Kind::loop_variable;
  variable.type = loop.type.value_or(CastType::integer);
  variable.width = static_cast<std::uint64_t>(width_of(loop.width).value_or(0));
  variable.value = converted(value, variable, loop.first.text);
  if (variable.type == CastType::unsigned_integer && variable.value.angle != value.angle) {
    source_.fail(loop.first.text,
                 fmt::format("the value {} of the loop does not fit the type uint[{}] of its "
                             "variable",
                             number, variable.width));
  }
  return variable;
}

/// Executes the body of a loop that is unrolled.
void Executor::execute_iteration(const syntax::Block& body) {
  const std::size_t branches_outside = execution_.branches_of_loop;
  execution_.branches_of_loop = execution_.branches.size();
  ++execution_.loops;
  execute_body(body);
  --execution_.loops;
  execution_.branches_of_loop = branches_outside;
}

/// Returns whether the next iteration of a loop is executed.
bool Executor::continues_loop() {
  if (execution_.jump == Execution::Jump::next_iteration) {
    execution_.jump = Execution::Jump::none;
  }
  return execution_.jump == Execution::Jump::none;
}

void Executor::end_loop() {
  if (!continues_loop() && execution_.jump == Execution::Jump::end_of_loop) {
    execution_.jump = Execution::Jump::none;
  }
}

std::vector<std::int64_t> Executor::loop_values(const syntax::For& loop,
                                                const ExpressionScope& scope) {
  std::vector<std::int64_t> values;
  const std::string_view place = loop.first.text;
  for (const syntax::Expression& each : loop.list) {
    budget_.charge(kOperationsPerIteration, place);
    values.push_back(integer_in(scope, each));
  }
  if (!loop.list.empty()) return values;
  const NamedValue* const named = names_.find_value(loop.array.name);
  if (named != nullptr && named->array != nullptr && scope.gate_parameters == nullptr) {
    return array_of_integers(loop.array);
  }
  if (loop.range.empty()) {
    fail_found(loop.first,
               "a range such as [0:3], or a list in braces: loops over anything but constants are "
               "not supported");
  }
  const std::int64_t first = integer_in(scope, loop.range.front());
  const std::int64_t step = loop.range.size() == 3 ? integer_in(scope, loop.range[1]) : 1;
  const std::int64_t last = integer_in(scope, loop.range.back());
  if (step == 0) source_.fail(loop.range[1].first.text, "found the step 0 in a range");
  __extension__ typedef __int128 Wide;
  for (Wide i = first; step > 0 ? i <= last : i >= last; i += step) {
    budget_.charge(kOperationsPerIteration, place);
    values.push_back(static_cast<std::int64_t>(i));
  }
  return values;
}

// --- while ---

void Executor::execute(const syntax::While& loop) {
  const std::string_view place = loop.condition.first.text;
  const std::size_t calls = execution_.calls_so_far;
  Value value = value_of(loop.condition);
  if (value.measured != nullptr) {
    if (execution_.calls_so_far != calls) {
      source_.fail(place,
                   "a call of a subroutine in the condition of a 'while' on measured bits is not "
                   "supported");
    }
    return keep_loop(loop);
  }
  const bool is_pure = execution_.calls_so_far == calls;
  while (value.measured == nullptr && !branches_of(value, place).then.empty()) {
    if (is_pure && loop.body.statements.empty() && loop.body.error == nullptr) {
      source_.fail(place, "the loop does not end: its body is empty, and its condition is true");
    }
    execute_iteration(loop.body);
    charge_again(text_of_loop(loop), loop.word);
    if (!continues_loop()) {
      end_loop();
      return;
    }
    value = value_of(loop.condition);
  }
  if (value.measured != nullptr) {
    source_.fail(place,
                 "the condition depends on a measurement after some iterations, "
                 "which is not supported");
  }
}

/// Returns the condition and the body of a loop.
std::string_view Executor::text_of_loop(const syntax::While& loop) {
  const char* const begin = loop.condition.first.text.data();
  const char* const end = loop.body.text.data() + loop.body.text.size();
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// Executes a loop whose condition depends on measured bits, which is kept. Its body may be
/// executed any number of times, so nothing is known in it of the variables that it changes, and of
/// values that depend on bits.
void Executor::keep_loop(const syntax::While& loop) {
  const Token& word = loop.word;
  const std::string_view place = loop.condition.first.text;
  if (!execution_.branches.empty()) {
    source_.fail(word.text,
                 "a 'while' on measured bits within a condition on measured bits is not "
                 "supported");
  }
  charge_again(text_of_loop(loop), word);
  forget_changed_variables(loop);
  const Value value = value_of(loop.condition);
  if (value.measured == nullptr) {
    source_.fail(place, "the condition of the loop does not depend on a measurement");
  }
  keep(OpaqueKind::loop, fmt::format("while ({}) {{", text_of_expression(*value.measured, place)),
       {}, word.text);
  ++execution_.kept_loops;
  execute_body(loop.body);
  --execution_.kept_loops;
  keep(OpaqueKind::end_of_block, "}", {}, word.text);
  if (execution_.jump != Execution::Jump::none) {
    source_.fail(word.text, "a jump out of a 'while' on measured bits is not supported");
  }
  forget_changed_variables(loop);
}

/// Forgets the variables that a loop may assign, and those that depend on bits.
void Executor::forget_changed_variables(const syntax::While& loop) {
  const Token& word = loop.word;
  const ChangedNames changed =
      find_changed_names(loop, names_.subroutines, [&](std::string_view text) {
        budget_.charge(1 + text.size() / kCharactersPerOperation, word.text);
      });
  names_.for_each_value([&](std::string_view name, NamedValue& variable) {
    const bool is_array = variable.kind == NamedValue::Kind::element;
    const bool is_changed = is_array ? changed.arrays.contains(name)
                                     : is_variable(variable) && changed.variables.contains(name);
    if (variable.value.measured == nullptr && !is_changed) return;
    variable.value = {};
    variable.unknown_because =
        fmt::format("the loop of {} may change it", source_.line_text(word.text));
  });
}

// --- jumps ---

/// Executes `break;` and `continue;`.
void Executor::execute(const syntax::Jump& jump) {
  const Token& word = jump.word;
  if (word.text == "end") {
    source_.fail(word.text, "'end' is not supported in OpenQASM 3 programs yet");
  }
  if (execution_.kept_loops != 0) {
    source_.fail(word.text, fmt::format("{} in a loop on measured bits is not supported",
                                        in_quotes(word.text)));
  }
  if (execution_.loops == 0) {
    source_.fail(word.text, fmt::format("{} belongs in a loop", in_quotes(word.text)));
  }
  check_unconditional(word);
  execution_.jump =
      word.text == "break" ? Execution::Jump::end_of_loop : Execution::Jump::next_iteration;
}

void Executor::check_unconditional(const Token& word) const {
  const std::size_t outside =
      word.text == "return" ? execution_.branches_of_caller : execution_.branches_of_loop;
  if (execution_.branches.size() == outside) return;
  source_.fail(word.text, fmt::format("{} under a condition on measured bits is not supported",
                                      in_quotes(word.text)));
}

}  // namespace quartz::qasm
