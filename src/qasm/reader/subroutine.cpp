// Subroutines, which are expanded where they are called.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "qasm/reader/elements.hpp"
#include "qasm/reader/executor.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limit for calls within calls, because the parser recurses into each of them.
constexpr unsigned kMaxCalls = 50;

}  // namespace

void Executor::execute(const syntax::Subroutine& declaration) {
  const Token& name = declaration.name;
  if (names_.depth() != 0) {
    source_.fail(declaration.word.text, "a subroutine is defined outside of blocks");
  }
  check_new_name(name);
  if (const auto known = names_.subroutines.find(name.text); known != names_.subroutines.end()) {
    source_.fail(name.text, fmt::format("the subroutine {} is already defined in {}",
                                        in_quotes(name.text), source_.line_text(known->first)));
  }
  Subroutine subroutine;
  subroutine.name = name.text;
  for (const syntax::Parameter& parameter : declaration.parameters) {
    subroutine.parameters.push_back(parameter.qualifier.text.empty()
                                        ? subroutine_parameter(parameter)
                                        : array_parameter(parameter));
  }
  if (declaration.result) {
    subroutine.result = find_cast(declaration.result->name.text);
    subroutine.result_width =
        static_cast<std::uint64_t>(width_of(declaration.result->width).value_or(0));
  }
  subroutine.body = declaration.body;
  names_.subroutines.emplace(name.text, std::move(subroutine));
}

SubroutineParameter Executor::subroutine_parameter(const syntax::Parameter& declared) {
  const std::string_view type = declared.type.name.text;
  SubroutineParameter parameter;
  parameter.is_quantum = type == "qubit";
  parameter.type = find_cast(type).value_or(CastType::real);
  if (const auto width = width_of(declared.type.width)) {
    parameter.width = static_cast<std::uint64_t>(*width);
    parameter.is_register = true;
  } else if (parameter.is_quantum || parameter.type == CastType::bits) {
    parameter.width = 1;
  }
  if (is_reserved(declared.name.text, language_.number)) check_new_name(declared.name);
  parameter.name = declared.name.text;
  return parameter;
}

/// Executes the body of a subroutine for these arguments. Returns the value of its `return`
/// statement, if it has one.
std::optional<Value> Executor::call_subroutine(std::string_view name,
                                               std::span<const syntax::Expression> arguments) {
  const Subroutine& subroutine = names_.subroutines.at(name);
  if (++execution_.calls > kMaxCalls) {
    source_.fail(name, fmt::format("calls are nested more than {} deep", kMaxCalls));
  }
  ++execution_.calls_so_far;
  StatementScratch scratch = std::exchange(scratch_, {});
  const std::vector<Argument> values = arguments_of(name, subroutine, arguments);
  // Recursive functions call millions of times, so only what changes is kept.
  const Execution::Jump jump = execution_.jump;
  const std::size_t branches_of_caller = execution_.branches_of_caller;
  const unsigned loops = execution_.loops;
  names_.enter_subroutine();
  bind_arguments(name, subroutine, values);
  execution_.branches_of_caller = execution_.branches.size();
  execution_.loops = 0;
  execution_.result.reset();
  execute_body(*subroutine.body);
  charge_again(subroutine.body->text, {TokenKind::identifier, name});
  names_.leave_subroutine();
  std::optional<Value> result = std::exchange(execution_.result, std::nullopt);
  execution_.jump = jump;
  execution_.branches_of_caller = branches_of_caller;
  execution_.loops = loops;
  --execution_.calls;
  scratch_ = std::move(scratch);
  if (result && result->measured == nullptr && subroutine.result) {
    NamedValue returned;
    returned.type = *subroutine.result;
    returned.width = subroutine.result_width;
    result = converted(*result, returned, name);
  }
  return result;
}

std::vector<Executor::Argument> Executor::arguments_of(
    std::string_view name, const Subroutine& subroutine,
    std::span<const syntax::Expression> expressions) {
  std::vector<Argument> arguments;
  const std::size_t outer_reads = execution_.bits_read.size();
  const std::size_t count = subroutine.parameters.size();
  for (std::size_t i = 0; i < std::min(count, expressions.size()); ++i) {
    const syntax::Expression& expression = expressions[i];
    const SubroutineParameter& parameter = subroutine.parameters[i];
    Argument& argument = arguments.emplace_back();
    argument.place = expression.first.text;
    if (parameter.is_quantum) {
      const auto* const reference = syntax::sole_term<syntax::Reference>(expression);
      if (reference == nullptr) fail_found(expression.first, describe(TokenKind::identifier));
      argument.qubits = operand_of(*reference, true);
    } else if (parameter.is_array) {
      argument.array = array_argument(parameter, expression);
    } else {
      argument.value = value_of(expression, true);
      // A call in a later argument must not change them either.
      if (argument.value.measured != nullptr)
        execution_.bits_read.push_back(argument.value.measured);
    }
  }
  if (expressions.size() != count) {
    source_.fail(name, fmt::format("the subroutine {} takes {}", in_quotes(name),
                                   counted(count, "argument")));
  }
  execution_.bits_read.resize(outer_reads);
  return arguments;
}

void Executor::bind_arguments(std::string_view name, const Subroutine& subroutine,
                              std::span<const Argument> arguments) {
  std::vector<std::uint32_t> qubits;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const SubroutineParameter& parameter = subroutine.parameters[i];
    const Argument& argument = arguments[i];
    if (parameter.is_array) {
      NamedValue array;
      array.kind = NamedValue::Kind::array;
      array.array = argument.array;
      names_.declare(parameter.name, std::move(array));
      continue;
    }
    if (!parameter.is_quantum) {
      execution_.has_variables = true;
      NamedValue variable;
      variable.kind = NamedValue::Kind::variable;
      variable.type = parameter.type;
      variable.width = parameter.width;
      variable.value = converted(argument.value, variable, argument.place);
      names_.declare(parameter.name, std::move(variable));
      continue;
    }
    if (argument.qubits.size != parameter.width) {
      source_.fail(argument.place,
                   fmt::format("found {}, expected {}", counted(argument.qubits.size, "qubit"),
                               parameter.width));
    }
    std::vector<std::uint32_t> elements;
    for (std::uint32_t k = 0; k < argument.qubits.size; ++k) {
      elements.push_back(argument.qubits[k]);
    }
    qubits.insert(qubits.end(), elements.begin(), elements.end());
    DeclaredRegister declared{.is_quantum = true, .is_alias = true};
    declared.is_scalar = !parameter.is_register;
    declared.index = static_cast<std::uint32_t>(names_.aliases.size());
    names_.aliases.push_back(
        Operand::listing(std::move(elements), parameter.is_register, parameter.name));
    names_.declare(parameter.name, declared);
  }
  if (has_element_twice(qubits)) {
    source_.fail(name,
                 fmt::format("a qubit is used twice in the arguments of {}", in_quotes(name)));
  }
}

Operand Executor::declare_returned_bits(std::uint32_t size, std::string_view place) {
  const std::uint32_t first = circuit_.bit_count();
  execution_.has_local_registers = true;
  circuit_.bit_registers.push_back(
      {unique_register_name("returned", place), first, checked_size(size, place)});
  std::vector<ClassicalBit> bits(size);
  std::iota(bits.begin(), bits.end(), first);
  return Operand::listing(std::move(bits), true, place);
}

void Executor::execute(const syntax::Return& statement) {
  const std::string_view word = statement.word.text;
  if (execution_.calls == 0) source_.fail(word, "'return' belongs in a subroutine");
  if (execution_.kept_loops != 0) {
    source_.fail(word, "'return' in a loop on measured bits is not supported");
  }
  check_unconditional(statement.word);
  if (statement.value) execution_.result = returned_value(*statement.value);
  execution_.jump = Execution::Jump::end_of_subroutine;
}

/// Returns the value of a return statement. The outcome of a measurement is in a register of its
/// own.
Value Executor::returned_value(const syntax::Initializer& value) {
  const auto* const measured = std::get_if<syntax::Measured>(&value.value);
  if (measured == nullptr) return value_of(value, true);
  const Operand qubits = operand_of(measured->qubits, true);
  const Operand target = declare_returned_bits(qubits.size, measured->word.text);
  append_measure(qubits, target, measured->word.text);
  return {{}, false, bits_expression(*target.elements)};
}

}  // namespace quartz::qasm
