// Subroutines, which are expanded where they are called.
#include <fmt/core.h>

#include <numeric>
#include <utility>

#include "qasm/reader/elements.hpp"
#include "qasm/reader/parser.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limit for calls within calls, because the parser recurses into each of them.
constexpr unsigned max_calls = 50;

}  // namespace

/// Parses `def name(qubit[2] q, int n) -> bit { body }`.
void Parser::parse_subroutine() {
  const Token word = lexer_.take();
  if (names_.depth() != 0) source_.fail(word.text, "a subroutine is defined outside of blocks");
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_name(name);
  if (const auto known = names_.subroutines.find(name.text); known != names_.subroutines.end()) {
    source_.fail(name.text, fmt::format("the subroutine {} is already defined in {}",
                                        in_quotes(name.text), source_.line_text(known->first)));
  }
  Subroutine subroutine;
  subroutine.name = name.text;
  lexer_.expect(TokenKind::left_parenthesis);
  while (!lexer_.accept(TokenKind::right_parenthesis)) {
    if (!subroutine.parameters.empty()) lexer_.expect(TokenKind::comma);
    subroutine.parameters.push_back(parse_subroutine_parameter());
  }
  if (lexer_.accept(TokenKind::arrow)) {
    const Token type = lexer_.expect(TokenKind::identifier);
    if (!find_cast(type.text)) {
      source_.fail(type.text,
                   fmt::format("a result of type {} is not supported", in_quotes(type.text)));
    }
    (void)parse_width();
  }
  const char* const body = lexer_.current().text.data();
  if (!lexer_.at(TokenKind::left_brace)) lexer_.fail_expecting("'{'");
  skip_statement();
  subroutine.body = {body, static_cast<std::size_t>(lexer_.current().text.data() - body)};
  names_.subroutines.emplace(name.text, std::move(subroutine));
}

SubroutineParameter Parser::parse_subroutine_parameter() {
  if (lexer_.current().text == "readonly" || lexer_.current().text == "mutable") {
    return parse_array_parameter();
  }
  const Token type = lexer_.expect(TokenKind::identifier);
  SubroutineParameter parameter;
  parameter.is_quantum = type.text == "qubit";
  const auto cast = find_cast(type.text);
  if (!parameter.is_quantum && !cast) {
    source_.fail(type.text,
                 fmt::format("a parameter of type {} is not supported", in_quotes(type.text)));
  }
  parameter.type = cast.value_or(CastType::real);
  if (const auto width = parse_width()) {
    parameter.width = static_cast<std::uint64_t>(*width);
    parameter.is_register = true;
  } else if (parameter.is_quantum || parameter.type == CastType::bits) {
    parameter.width = 1;
  }
  const Token name = lexer_.expect(TokenKind::identifier);
  if (is_reserved(name.text, language_.number)) check_new_name(name);
  parameter.name = name.text;
  return parameter;
}

/// Reads a call, of which the name has been consumed, and then the body of the subroutine. Returns
/// the value of its `return` statement, if it has one.
std::optional<Value> Parser::call_subroutine(const Token& name) {
  const Subroutine& subroutine = names_.subroutines.at(name.text);
  if (++execution_.calls > max_calls) {
    source_.fail(name.text, fmt::format("calls are nested more than {} deep", max_calls));
  }
  ++execution_.calls_so_far;
  StatementScratch scratch = std::exchange(scratch_, {});
  const std::vector<Argument> arguments = parse_arguments(name, subroutine);
  const char* const rest = lexer_.current().text.data();
  const Execution caller = execution_;
  names_.enter_scope();
  bind_arguments(name, subroutine, arguments);
  execution_.branches_of_caller = execution_.branches.size();
  execution_.loops = 0;
  execution_.result.reset();
  lexer_.skip_to(subroutine.body.data());
  parse_body("the subroutine");
  charge_reading_again({TokenKind::left_brace, subroutine.body}, name);
  names_.leave_scope();
  std::optional<Value> result = std::exchange(execution_.result, std::nullopt);
  execution_.jump = caller.jump;
  execution_.branches_of_caller = caller.branches_of_caller;
  execution_.loops = caller.loops;
  --execution_.calls;
  scratch_ = std::move(scratch);
  lexer_.skip_to(rest);
  return result;
}

std::vector<Parser::Argument> Parser::parse_arguments(const Token& name,
                                                      const Subroutine& subroutine) {
  std::vector<Argument> arguments;
  const std::size_t outer_reads = execution_.bits_read.size();
  lexer_.expect(TokenKind::left_parenthesis);
  while (!lexer_.at(TokenKind::right_parenthesis)) {
    if (!arguments.empty()) lexer_.expect(TokenKind::comma);
    if (arguments.size() == subroutine.parameters.size()) break;
    Argument& argument = arguments.emplace_back();
    argument.place = lexer_.current().text;
    const SubroutineParameter& parameter = subroutine.parameters[arguments.size() - 1];
    if (parameter.is_quantum) {
      argument.qubits = parse_operand(true);
    } else if (parameter.is_array) {
      argument.array = parse_array_argument(parameter);
    } else {
      argument.value = parse_classical_value();
      // A call in a later argument must not change them either.
      if (argument.value.measured != nullptr)
        execution_.bits_read.push_back(argument.value.measured);
    }
  }
  if (arguments.size() != subroutine.parameters.size() ||
      !lexer_.at(TokenKind::right_parenthesis)) {
    source_.fail(name.text, fmt::format("the subroutine {} takes {} argument{}",
                                        in_quotes(name.text), subroutine.parameters.size(),
                                        subroutine.parameters.size() == 1 ? "" : "s"));
  }
  lexer_.expect(TokenKind::right_parenthesis);
  execution_.bits_read.resize(outer_reads);
  return arguments;
}

void Parser::bind_arguments(const Token& name, const Subroutine& subroutine,
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
      source_.fail(argument.place, fmt::format("found {} qubits, expected {}", argument.qubits.size,
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
    source_.fail(name.text,
                 fmt::format("a qubit is used twice in the arguments of {}", in_quotes(name.text)));
  }
}

/// Parses `measure q;` of a return statement. The outcome is in a register of its own.
Value Parser::parse_returned_measurement() {
  const Token word = lexer_.take();
  const Operand qubits = parse_operand(true);
  lexer_.expect(TokenKind::semicolon);
  const Operand target = declare_returned_bits(qubits.size, word.text);
  append_measure(qubits, target, word.text);
  return {{}, false, bits_expression(*target.elements)};
}

Operand Parser::declare_returned_bits(std::uint32_t size, std::string_view place) {
  const std::uint32_t first = circuit_.bit_count();
  execution_.has_local_registers = true;
  circuit_.bit_registers.push_back(
      {unique_register_name("returned", place), first, checked_size(size, place)});
  std::vector<ClassicalBit> bits(size);
  std::iota(bits.begin(), bits.end(), first);
  return Operand::listing(std::move(bits), true, place);
}

/// Parses `return;` or `return expression;`.
void Parser::parse_return(const Token& word) {
  if (execution_.calls == 0) source_.fail(word.text, "'return' belongs in a subroutine");
  if (execution_.kept_loops != 0) {
    source_.fail(word.text, "'return' in a loop on measured bits is not supported");
  }
  check_unconditional(word);
  if (lexer_.current().text == "measure") {
    execution_.result = parse_returned_measurement();
  } else {
    if (!lexer_.at(TokenKind::semicolon)) execution_.result = parse_classical_value();
    lexer_.expect(TokenKind::semicolon);
  }
  execution_.jump = Execution::Jump::end_of_subroutine;
}

}  // namespace quartz::qasm
