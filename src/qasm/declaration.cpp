// Declarations: registers, free parameters, gate definitions, opaque gates.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "qasm/library.hpp"
#include "qasm/parser.hpp"
#include "quartz/errors.hpp"

namespace quartz::qasm {
namespace {

/// Far beyond every machine and every file; keeps a mistyped size from using up the memory.
constexpr std::uint32_t most_elements = 1U << 24U;
/// Definitions that call definitions: expanding recurses as deep as this.
constexpr unsigned deepest_definition = 256;

}  // namespace

// --- registers and free parameters ---

void Parser::parse_register(bool is_quantum) {
  lexer_.advance();
  const Token name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::left_bracket);
  const std::uint32_t size = parse_size(is_quantum);
  lexer_.expect(TokenKind::right_bracket);
  lexer_.expect(TokenKind::semicolon);
  declare_register(name, size, {is_quantum, false, 0});
}

/// `qubit[3] q;`, `qubit q;`, `bit c = measure q;`
void Parser::parse_typed_register(bool is_quantum) {
  lexer_.advance();
  DeclaredRegister declared{is_quantum, true, 0};
  std::uint32_t size = 1;
  if (lexer_.accept(TokenKind::left_bracket)) {
    declared.is_scalar = false;
    size = parse_size(is_quantum);
    lexer_.expect(TokenKind::right_bracket);
  }
  const Token name = lexer_.expect(TokenKind::identifier);
  declare_register(name, size, declared);
  if (!is_quantum && lexer_.accept(TokenKind::assign)) {
    if (lexer_.current().text != "measure") lexer_.fail_expecting("'measure'");
    return parse_measured_value(parse_operand(name, false));
  }
  lexer_.expect(TokenKind::semicolon);
}

std::uint32_t Parser::parse_size(bool is_quantum) {
  const Token token = lexer_.expect(TokenKind::integer);
  std::uint64_t size = 0;
  const auto [end, error] =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), size);
  const std::uint32_t used = is_quantum ? circuit_.qubit_count() : circuit_.bit_count();
  if (error != std::errc() || size > most_elements - used) {
    source_.fail(token.text,
                 fmt::format("found the register size {}, expected at most {} {} in all",
                             quoted(token.text), most_elements, is_quantum ? "qubits" : "bits"));
  }
  if (size == 0) source_.fail(token.text, "found the register size 0, expected 1 or more");
  return static_cast<std::uint32_t>(size);
}

void Parser::check_new_name(const Token& name) const {
  if (version_ >= 3 && is_reserved(name.text, version_)) {
    source_.fail(name.text,
                 fmt::format("{} is a reserved word, expected a new name", quoted(name.text)));
  }
  if (const auto found = registers_.find(name.text); found != registers_.end()) {
    source_.fail(name.text, fmt::format("the name {} is already declared in line {}",
                                        quoted(name.text), source_.line_of(found->first)));
  }
  if (scope_.is_free_parameter(name.text)) {
    source_.fail(name.text, fmt::format("the name {} is already declared as a free parameter",
                                        quoted(name.text)));
  }
}

void Parser::declare_register(const Token& name, std::uint32_t size, DeclaredRegister declared) {
  check_new_name(name);
  auto& list = declared.is_quantum ? circuit_.qubit_registers : circuit_.bit_registers;
  const std::uint32_t first = declared.is_quantum ? circuit_.qubit_count() : circuit_.bit_count();
  if (size > most_elements - first) {
    source_.fail(name.text, fmt::format("found more than {} {}", most_elements,
                                        declared.is_quantum ? "qubits" : "bits"));
  }
  declared.index = static_cast<std::uint32_t>(list.size());
  registers_.emplace(name.text, declared);
  list.push_back({std::string(name.text), first, size});
}

/// `input float[64] theta;` or `input angle theta;`
void Parser::parse_input() {
  lexer_.advance();
  const Token type = lexer_.expect(TokenKind::identifier);
  if (type.text != "float" && type.text != "angle") {
    source_.fail(type.text, fmt::format("found an input of type {}, expected 'float' or 'angle'",
                                        quoted(type.text)));
  }
  if (lexer_.accept(TokenKind::left_bracket)) {
    lexer_.expect(TokenKind::integer);  // its width: our angles are exact
    lexer_.expect(TokenKind::right_bracket);
  }
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_name(name);
  lexer_.expect(TokenKind::semicolon);
  free_parameters_.insert(name.text);
  circuit_.parameters.emplace_back(name.text);
}

// --- gates ---

void Parser::check_new_gate_name(const Token& name) const {
  if (is_reserved(name.text, version_)) {
    source_.fail(name.text,
                 fmt::format("{} is a reserved word, expected a new name", quoted(name.text)));
  }
  const Callable* known = find_callable(name.text);
  if (known != nullptr && !known->declared.empty()) {
    source_.fail(name.text, fmt::format("gate {} is already declared in line {}", quoted(name.text),
                                        source_.line_of(known->declared)));
  }
}

NameNumbers Parser::parse_formal_names() {
  NameNumbers names;
  do {
    const Token name = lexer_.expect(TokenKind::identifier);
    if (!names.emplace(name.text, static_cast<std::uint32_t>(names.size())).second) {
      source_.fail(name.text, fmt::format("{} appears twice in one list", quoted(name.text)));
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

/// `gate name(parameters) qubits { body }`; it overrides a gate of the table.
void Parser::parse_gate_definition() {
  lexer_.advance();
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_gate_name(name);
  GateDefinition definition;
  definition.name = name.text;
  definition.parameters = parse_formal_parameters();
  definition.qubits = parse_formal_names();
  const Token brace = lexer_.expect(TokenKind::left_brace);
  while (!lexer_.at(TokenKind::right_brace)) {
    if (lexer_.at(TokenKind::end)) {
      source_.fail(brace.text, "the gate body that starts here has no '}'");
    }
    const std::string_view place = lexer_.current().text;
    definition.body.push_back(parse_body_step(definition));
    add_to_work(definition, definition.body.back(), place);
  }
  lexer_.advance();

  Callable callable;
  callable.parameters = definition.parameters.size();
  callable.qubits = definition.qubits.size();
  callable.declared = name.text;
  if (is_written_definition(definition, version_, source_)) {
    callable.gate = find_gate(name.text)->kind;
  } else {
    callable.kind = Callable::Kind::definition;
    callable.definition = &definitions_.emplace_back(std::move(definition));
  }
  callables_[name.text] = callable;
}

BodyStep Parser::parse_body_step(const GateDefinition& definition) {
  const Token word = lexer_.expect(TokenKind::identifier);
  BodyStep step;
  const Callable* callee = find_callable(word.text);
  if (word.text == definition.name) {
    source_.fail(word.text,
                 fmt::format("gate {} is used in its own definition", quoted(word.text)));
  } else if (callee != nullptr) {
    step.callee = *callee;
    note_use(*callee, word);
    step.angles = parse_body_angles(definition);
    parse_body_operands(definition, step, word.text);
    check_counts(word, *callee, step.angles.size(), step.qubits.size());
  } else {
    switch (find_keyword(word.text, version_)) {
      case Keyword::barrier:
        step.kind = BodyStep::Kind::barrier;
        parse_body_operands(definition, step, word.text);
        break;
      case Keyword::global_phase:
        step.kind = BodyStep::Kind::global_phase;
        step.angles = parse_body_angles(definition);
        if (step.angles.size() != 1) {
          source_.fail(word.text, fmt::format("gate 'gphase' takes 1 parameter, found {}",
                                              step.angles.size()));
        }
        break;
      case Keyword::none:
        fail_unknown_gate(word);
      case Keyword::unsupported:
        fail_unknown_statement(word);
      default:
        source_.fail(word.text,
                     fmt::format("{} is not allowed in a gate definition", quoted(word.text)));
    }
  }
  lexer_.expect(TokenKind::semicolon);
  return step;
}

std::vector<Expression> Parser::parse_body_angles(const GateDefinition& definition) {
  std::vector<Expression> angles;
  if (!lexer_.accept(TokenKind::left_parenthesis)) return angles;
  if (lexer_.accept(TokenKind::right_parenthesis)) return angles;
  const ExpressionScope scope{version_, &definition.parameters, {}};
  do {
    Expression& expression = angles.emplace_back();
    const std::string_view place = lexer_.current().text;
    parse_expression(lexer_, scope, expression);
    if (!expression.uses_parameters() && expression.size() > 1) {
      Value constant = expression.evaluate({}, source_);
      expression.clear();
      expression.push_constant(std::move(constant), place);
    }
  } while (lexer_.accept(TokenKind::comma));
  lexer_.expect(TokenKind::right_parenthesis);
  return angles;
}

void Parser::parse_body_operands(const GateDefinition& definition, BodyStep& step,
                                 std::string_view place) {
  qubits_.clear();
  do {
    const Token name = lexer_.expect(TokenKind::identifier);
    const auto formal = definition.qubits.find(name.text);
    if (formal == definition.qubits.end()) {
      source_.fail(name.text, fmt::format("{} is no qubit of gate {}", quoted(name.text),
                                          quoted(definition.name)));
    }
    if (lexer_.at(TokenKind::left_bracket)) {
      source_.fail(lexer_.current().text, "a qubit of a gate definition has no index");
    }
    qubits_.push_back(formal->second);
  } while (lexer_.accept(TokenKind::comma));
  if (step.kind == BodyStep::Kind::barrier) {
    std::sort(qubits_.begin(), qubits_.end());
    qubits_.erase(std::unique(qubits_.begin(), qubits_.end()), qubits_.end());
  }
  step.qubits.assign(qubits_.begin(), qubits_.end());
  std::sort(qubits_.begin(), qubits_.end());
  const auto twice = std::adjacent_find(qubits_.begin(), qubits_.end());
  if (twice != qubits_.end()) {
    const auto named = std::find_if(definition.qubits.begin(), definition.qubits.end(),
                                    [&](const auto& entry) { return entry.second == *twice; });
    source_.fail(place, fmt::format("qubit {} is used twice in one {}", quoted(named->first),
                                    quoted(place)));
  }
}

/// Counts the step, and everything that the callee does, towards the cost of one expansion. Even
/// empty definitions cost time to expand: n levels that each call the one below twice, 2^n calls.
void Parser::add_to_work(GateDefinition& definition, const BodyStep& step,
                         std::string_view place) const {
  std::uint64_t work = 1 + step.qubits.size() / 8;
  for (const Expression& expression : step.angles) work += expression.size();
  if (step.callee.kind == Callable::Kind::definition && step.kind == BodyStep::Kind::call) {
    work += step.callee.definition->work;
    definition.nesting = std::max(definition.nesting, step.callee.definition->nesting + 1);
  }
  if (definition.nesting > deepest_definition) {
    source_.fail(place,
                 fmt::format("gate definitions are nested more than {} deep", deepest_definition));
  }
  // Saturated just above the limit, so that a definition nobody calls does no harm.
  definition.work = std::min(definition.work + work, CircuitBuilder::largest_work + 1);
}

/// `opaque name(parameters) qubits;`. Nothing is known about the gate but its name, also where the
/// table has one of that name (but for those of the include files, which would be defined twice).
/// The file may then not use that gate of the table: no file could tell the two apart.
void Parser::parse_opaque() {
  lexer_.advance();
  const Token name = lexer_.expect(TokenKind::identifier);
  check_new_gate_name(name);
  Callable callable;
  callable.kind = Callable::Kind::opaque;
  callable.declared = name.text;
  callable.parameters = parse_formal_parameters().size();
  callable.qubits = parse_formal_names().size();
  lexer_.expect(TokenKind::semicolon);
  if (const Gate* row = find_gate(name.text); row != nullptr && row->name == name.text) {
    hide_gate(row->kind, name);
  }
  callables_[name.text] = callable;
}

void Parser::hide_gate(GateKind kind, const Token& name) {
  const auto row = static_cast<std::size_t>(kind);
  if (is_library_gate(kind, version_)) {
    source_.fail(name.text, fmt::format("{} is a standard gate and cannot be declared opaque",
                                        quoted(name.text)));
  }
  if (!first_use_[row].empty()) {
    source_.fail(
        name.text,
        fmt::format("gate {} is declared opaque after its use by the standard gate {} in "
                    "line {}",
                    quoted(name.text), quoted(first_use_[row]), source_.line_of(first_use_[row])));
  }
  hidden_by_[row] = name.text;
}

}  // namespace quartz::qasm
