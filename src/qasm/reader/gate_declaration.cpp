// Declarations of gates: definitions and opaque declarations.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "circuit/exact_matrix.hpp"
#include "qasm/gates/gate_names.hpp"
#include "qasm/gates/library.hpp"
#include "qasm/reader/parser.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz::qasm {
namespace {

/// Limit for definitions that call other definitions, because expanding recurses into each of them.
constexpr unsigned max_definition_nesting = 256;
/// A definition with a longer body is not compared with a custom gate, because exact matrices take
/// time; it then keeps its own meaning.
constexpr std::size_t max_compared_body = 1000;

}  // namespace

void Parser::check_new_gate_name(const Token& name, bool is_definition) const {
  // OpenQASM 3 defines CX in its standard file, and not in the language.
  const bool is_free = is_definition && name.text == "CX" && language_.number >= 3;
  if (!is_free && is_reserved(name.text, language_.number)) {
    source_.fail(name.text,
                 fmt::format("{} is a reserved word, expected a new name", in_quotes(name.text)));
  }
  if (names_.externs.contains(name.text)) check_new_name(name);
  const Callable* known = names_.find_gate(name.text);
  if (known != nullptr && !known->declared.empty()) {
    source_.fail(name.text, fmt::format("gate {} is already declared in {}", in_quotes(name.text),
                                        source_.line_text(known->declared)));
  }
}

NameNumbers Parser::parse_formal_names() {
  NameNumbers names;
  do {
    const Token name = lexer_.expect(TokenKind::identifier);
    if (!names.emplace(name.text, static_cast<std::uint32_t>(names.size())).second) {
      source_.fail(name.text, fmt::format("{} appears twice in one list", in_quotes(name.text)));
    }
  } while (lexer_.accept(TokenKind::comma));
  return names;
}

NameNumbers Parser::parse_formal_parameters() {
  if (!lexer_.accept(TokenKind::left_parenthesis)) return {};
  if (lexer_.accept(TokenKind::right_parenthesis)) return {};
  NameNumbers names = parse_formal_names();
  lexer_.expect(TokenKind::right_parenthesis);
  return names;
}

/// Parses `gate name(parameters) qubits { body }`, which overrides a gate of the table.
void Parser::parse_gate_definition() {
  lexer_.advance();
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_gate_name(name, true);
  GateDefinition definition;
  definition.name = name.text;
  definition.parameters = parse_formal_parameters();
  definition.qubits = parse_formal_names();
  const Token brace = lexer_.expect(TokenKind::left_brace);
  while (!lexer_.at(TokenKind::right_brace)) {
    if (lexer_.at(TokenKind::end)) {
      source_.fail(brace.text, "the gate body that starts here has no '}'");
    }
    parse_gate_statement(definition);
  }
  lexer_.advance();

  Callable callable;
  callable.parameters = definition.parameters.size();
  callable.qubits = definition.qubits.size();
  callable.declared = name.text;
  if (is_written_definition(definition, language_.number, source_, names_.custom_gates)) {
    callable.gate = gate_of_written_name(name.text, names_.custom_gates)->kind;
  } else if (const auto custom = custom_gate_of(definition, name.text)) {
    callable.gate = *custom;
  } else if (is_written_definition_in_turns(definition, language_.number, names_.custom_gates)) {
    callable.gate = gate_of_written_name(name.text, names_.custom_gates)->kind;
    callable.in_turns = true;
    std::vector<GateKind>& gates = circuit_.gates_in_turns;
    gates.insert(std::upper_bound(gates.begin(), gates.end(), callable.gate), callable.gate);
  } else {
    callable.kind = Callable::Kind::definition;
    callable.definition = &names_.definitions.emplace_back(std::move(definition));
  }
  names_.gates[name.text] = callable;
}

std::optional<GateKind> Parser::custom_gate_of(const GateDefinition& definition,
                                               std::string_view place) {
  const Gate* const row = gate_of_written_name(definition.name, names_.custom_gates);
  if (row == nullptr || !is_custom(row->kind) || row->qubits != definition.qubits.size() ||
      row->parameters.size() != definition.parameters.size()) {
    return std::nullopt;
  }
  Callable call;
  call.kind = Callable::Kind::definition;
  call.definition = &definition;
  std::vector<Value> parameters;
  for (const std::string_view name : row->parameters) {
    parameters.push_back({Angle::symbol(std::string(name)), false});
  }
  std::vector<Qubit> qubits(row->qubits);
  std::iota(qubits.begin(), qubits.end(), Qubit{0});
  try {
    Circuit body;
    CircuitBuilder(source_, budget_, body).append_call(call, parameters, qubits, place);
    std::erase_if(body.operations, [](const Operation& operation) {
      return operation.kind == OperationKind::barrier;
    });
    if (body.operations.size() > max_compared_body ||
        std::any_of(body.operations.begin(), body.operations.end(),
                    [](const Operation& operation) { return operation.is_boundary(); })) {
      return std::nullopt;
    }
    const circuit::ExactMatrix matrix =
        circuit::ExactMatrix::of(body.operations, row->qubits).turned(body.global_phase);
    if (matrix == circuit::ExactMatrix(row->qubits, row->matrix)) return row->kind;
  } catch (const InputError&) {  // not linear in its parameters
  } catch (const OverflowError&) {
  }
  return std::nullopt;
}

void Parser::parse_gate_statement(GateDefinition& definition) {
  if (language_.number >= 3 && lexer_.current().text == "for") return parse_gate_loop(definition);
  const std::string_view place = lexer_.current().text;
  definition.body.push_back(parse_body_step(definition));
  add_to_work(definition, definition.body.back(), place);
}

/// Parses a loop over constants, which is unrolled.
void Parser::parse_gate_loop(GateDefinition& definition) {
  const Token word = lexer_.take();
  enter_block(word);
  const Token name = parse_loop_variable();
  if (definition.parameters.contains(name.text) || definition.qubits.contains(name.text)) {
    source_.fail(name.text, fmt::format("the variable of the loop has the name of a parameter or a "
                                        "qubit of gate {}",
                                        in_quotes(definition.name)));
  }
  const std::vector<std::int64_t> values = parse_loop_values(body_scope(definition));
  const Token body = lexer_.current();
  for (std::size_t i = 0; i < values.size(); ++i) {
    lexer_.skip_to(body.text.data());
    names_.enter_scope();
    declare_constant(name, {Angle::radians(values[i]), true});
    if (lexer_.accept(TokenKind::left_brace)) {
      while (!lexer_.accept(TokenKind::right_brace)) {
        if (lexer_.at(TokenKind::end)) {
          source_.fail(body.text, "the block that starts here has no '}'");
        }
        parse_gate_statement(definition);
      }
    } else {
      parse_gate_statement(definition);
    }
    names_.leave_scope();
    charge_reading_again(body, word);
  }
  if (values.empty()) skip_statement();
  --execution_.nesting;
}

BodyStep Parser::parse_body_step(const GateDefinition& definition) {
  Token word = lexer_.expect(TokenKind::identifier);
  if (word.text == definition.name) {
    source_.fail(word.text,
                 fmt::format("gate {} is used in its own definition", in_quotes(word.text)));
  }
  if (const Callable* callee = names_.find_gate(word.text)) {
    return parse_body_call(definition, word, *callee, {});
  }
  switch (find_keyword(word.text, language_.number)) {
    case Keyword::barrier: {
      BodyStep step;
      step.kind = BodyStep::Kind::barrier;
      parse_body_operands(definition, step, word.text);
      lexer_.expect(TokenKind::semicolon);
      return step;
    }
    case Keyword::global_phase:
      return parse_body_call(definition, word, global_phase_call(), {});
    case Keyword::modifier: {
      lexer_.skip_to(word.text.data());
      std::vector<Modifier> modifiers = parse_modifiers(body_scope(definition));
      word = lexer_.expect(TokenKind::identifier);
      return parse_body_call(definition, word, find_modified(word), std::move(modifiers));
    }
    case Keyword::none:
      fail_unknown_gate(word);
    case Keyword::unsupported:
      fail_unknown_statement(word);
    default:
      source_.fail(word.text,
                   fmt::format("{} is not allowed in a gate definition", in_quotes(word.text)));
  }
}

BodyStep Parser::parse_body_call(const GateDefinition& definition, const Token& word,
                                 const Callable& callee, std::vector<Modifier> modifiers) {
  BodyStep step;
  step.callee = callee;
  step.modifiers = std::move(modifiers);
  note_use(callee, word);
  step.angles = parse_body_angles(definition, callee.in_turns);
  if (callee.qubits + control_count(step.modifiers) != 0 || !lexer_.at(TokenKind::semicolon)) {
    parse_body_operands(definition, step, word.text);
  }
  check_counts(word, callee, step.angles.size(), step.qubits.size(), step.modifiers);
  lexer_.expect(TokenKind::semicolon);
  return step;
}

/// Constants are known in a gate definition, free parameters are not.
ExpressionScope Parser::body_scope(const GateDefinition& definition) const {
  return {language_.number,
          &definition.parameters,
          [this](std::string_view name) { return known_value(name, true); },
          {}};
}

std::vector<Expression> Parser::parse_body_angles(const GateDefinition& definition, bool in_turns) {
  std::vector<Expression> angles;
  if (!lexer_.accept(TokenKind::left_parenthesis)) return angles;
  if (lexer_.accept(TokenKind::right_parenthesis)) return angles;
  const ExpressionScope scope = body_scope(definition);
  do {
    Expression& expression = angles.emplace_back();
    const std::string_view place = lexer_.current().text;
    parse_expression(lexer_, scope, expression);
    if (in_turns) expression.turns_to_radians(place);
    expression.fold_constant(source_, place);
  } while (lexer_.accept(TokenKind::comma));
  lexer_.expect(TokenKind::right_parenthesis);
  return angles;
}

void Parser::parse_body_operands(const GateDefinition& definition, BodyStep& step,
                                 std::string_view place) {
  scratch_.qubits.clear();
  const bool may_be_all = step.kind == BodyStep::Kind::barrier && language_.number >= 3;
  if (may_be_all && lexer_.at(TokenKind::semicolon)) {
    step.qubits.resize(definition.qubits.size());
    std::iota(step.qubits.begin(), step.qubits.end(), Qubit{0});
    return;
  }
  do {
    const Token name = lexer_.expect(TokenKind::identifier);
    const auto formal = definition.qubits.find(name.text);
    if (formal == definition.qubits.end()) {
      source_.fail(name.text, fmt::format("{} is not a qubit of gate {}", in_quotes(name.text),
                                          in_quotes(definition.name)));
    }
    if (lexer_.at(TokenKind::left_bracket)) {
      source_.fail(lexer_.current().text, "a qubit of a gate definition has no index");
    }
    scratch_.qubits.push_back(formal->second);
  } while (lexer_.accept(TokenKind::comma));
  if (step.kind == BodyStep::Kind::barrier) {
    std::sort(scratch_.qubits.begin(), scratch_.qubits.end());
    scratch_.qubits.erase(std::unique(scratch_.qubits.begin(), scratch_.qubits.end()),
                          scratch_.qubits.end());
  }
  step.qubits.assign(scratch_.qubits.begin(), scratch_.qubits.end());
  std::sort(scratch_.qubits.begin(), scratch_.qubits.end());
  const auto twice = std::adjacent_find(scratch_.qubits.begin(), scratch_.qubits.end());
  if (twice != scratch_.qubits.end()) {
    const auto named = std::find_if(definition.qubits.begin(), definition.qubits.end(),
                                    [&](const auto& entry) { return entry.second == *twice; });
    source_.fail(place, fmt::format("qubit {} is used twice in one {}", in_quotes(named->first),
                                    in_quotes(place)));
  }
}

/// Adds the step, and everything that the callee does, to the cost of one expansion. Even empty
/// definitions take time to expand: n levels, each of which calls the level below twice, make 2^n
/// calls.
void Parser::add_to_work(GateDefinition& definition, const BodyStep& step,
                         std::string_view place) const {
  std::uint64_t work = 1 + step.qubits.size() / 8;
  for (const Expression& expression : step.angles) work += expression.size();
  if (step.callee.kind == Callable::Kind::definition && step.kind == BodyStep::Kind::call) {
    work += step.callee.definition->work;
    definition.nesting = std::max(definition.nesting, step.callee.definition->nesting + 1);
  }
  if (definition.nesting > max_definition_nesting) {
    source_.fail(place, fmt::format("gate definitions are nested more than {} deep",
                                    max_definition_nesting));
  }
  // The sum saturates just above the limit, so that an oversized definition that is never called is
  // not an error.
  definition.work = std::min(definition.work + work, WorkBudget::max_work + 1);
}

/// Parses `opaque name(parameters) qubits;`. Only the gate's name is known about it, even if the
/// table has a gate of that name (except for those of the include files, which would be defined
/// twice). The file must not use that gate of the table as well, because no output file could
/// distinguish the two.
void Parser::parse_opaque() {
  lexer_.advance();
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_gate_name(name, false);
  Callable callable;
  callable.kind = Callable::Kind::opaque;
  callable.declared = name.text;
  callable.parameters = parse_formal_parameters().size();
  callable.qubits = parse_formal_names().size();
  lexer_.expect(TokenKind::semicolon);
  if (const Gate* row = gate_of_written_name(name.text, names_.custom_gates); row != nullptr) {
    const bool is_matrix_only = is_custom(row->kind) && definition_of(row->kind) == nullptr;
    if (is_matrix_only && row->parameters.size() == callable.parameters &&
        row->qubits == callable.qubits) {
      callable.kind = Callable::Kind::table_gate;  // the writer declares such gates opaque
      callable.gate = row->kind;
    } else if (row->name == name.text) {
      gate_uses_.hide(row->kind, name, language_.number);
    }
  }
  names_.gates[name.text] = callable;
}

}  // namespace quartz::qasm
