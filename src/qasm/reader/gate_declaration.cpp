// Declarations of gates: definitions and opaque declarations.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "algebra/expression_symbol.hpp"
#include "circuit/exact_matrix.hpp"
#include "qasm/gates/gate_names.hpp"
#include "qasm/gates/library.hpp"
#include "qasm/reader/executor.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz::qasm {
namespace {

/// Limit for definitions that call other definitions, because expanding recurses into each of them.
constexpr unsigned kMaxDefinitionNesting = 256;
/// A definition with a longer body is not compared with a custom gate, because exact matrices take
/// time; it then keeps its own meaning.
constexpr std::size_t kMaxComparedBody = 1000;

/// Returns whether the angles of a gate are linear in its parameters, so that those of a call can
/// take their place.
bool is_linear(const DeclaredGate& gate) {
  const auto is_linear_angle = [](const Angle& angle) {
    return std::ranges::none_of(angle.symbols(), [](const std::string& symbol) {
      return algebra::expression_of_symbol(symbol).has_value();
    });
  };
  return is_linear_angle(gate.global_phase) &&
         std::ranges::all_of(gate.operations, [&](const Operation& operation) {
           return std::ranges::all_of(operation.angles, is_linear_angle);
         });
}

}  // namespace

void Executor::check_new_gate_name(const Token& name, bool is_definition) const {
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

NameNumbers Executor::numbers_of(std::span<const Token> names) const {
  NameNumbers numbers;
  for (const Token& name : names) {
    if (!numbers.emplace(name.text, static_cast<std::uint32_t>(numbers.size())).second) {
      source_.fail(name.text, fmt::format("{} appears twice in one list", in_quotes(name.text)));
    }
  }
  return numbers;
}

/// Defines a gate, which overrides a gate of the table.
void Executor::execute(const syntax::GateDefinition& declaration) {
  const Token& name = declaration.name;
  check_new_gate_name(name, true);
  GateDefinition definition;
  definition.name = name.text;
  definition.parameters = numbers_of(declaration.parameters);
  definition.qubits = numbers_of(declaration.qubits);
  append_body(definition, declaration.body);

  Callable callable;
  callable.parameters = definition.parameters.size();
  callable.qubits = definition.qubits.size();
  callable.declared = name.text;
  if (is_written_definition(definition, language_.number, source_, names_.defined.of_gate_set)) {
    callable.gate = gate_of_written_name(name.text, names_.defined.of_gate_set)->kind;
  } else if (const auto custom = custom_gate_of(definition, name.text)) {
    callable.gate = *custom;
  } else if (is_written_definition_in_turns(definition, language_.number,
                                            names_.defined.of_gate_set)) {
    callable.gate = gate_of_written_name(name.text, names_.defined.of_gate_set)->kind;
    callable.in_turns = true;
    std::vector<GateKind>& gates = circuit_.gates_in_turns;
    gates.insert(std::upper_bound(gates.begin(), gates.end(), callable.gate), callable.gate);
  } else {
    callable.kind = Callable::Kind::definition;
    keep_declaration(definition, name.text);
    callable.definition = &names_.defined.of_program.emplace_back(std::move(definition));
  }
  names_.gates[name.text] = callable;
}

void Executor::keep_declaration(GateDefinition& definition, std::string_view place) {
  if (calls_ == GateCalls::expanded) return;
  DeclaredGate declared;
  declared.name = name_in_circuit(definition.name);
  declared.qubits = static_cast<std::uint32_t>(definition.qubits.size());
  std::vector<Value> values;
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
    declared.parameters.push_back(formal_parameter(i));
    values.push_back({Angle::symbol(declared.parameters.back()), false});
  }
  Circuit body;
  CircuitBuilder builder(source_, budget_, body);
  builder.keep_calls();
  try {
    builder.append_body(definition, values, place);
  } catch (const InputError&) {
    return;  // not linear in its parameters, or too large: the calls are expanded
  }
  declared.operations = std::move(body.operations);
  declared.global_phase = std::move(body.global_phase);
  if (!is_linear(declared)) return;
  definition.kept_as = declared.name;
  circuit_.declared_gates.push_back(std::move(declared));
}

std::string Executor::name_in_circuit(std::string_view name) const {
  const auto is_of_table = [&](std::string_view each) {
    return find_gate(each, names_.defined.of_gate_set) != nullptr ||
           gate_of_written_name(each, names_.defined.of_gate_set) != nullptr;
  };
  const auto is_of_language = [](std::string_view each) {
    return is_library_name(each, 2) || is_library_name(each, 3) || is_reserved(each, 2) ||
           is_reserved(each, 3) ||
           std::ranges::find(vendor_gates(), each, &VendorGate::name) != vendor_gates().end();
  };
  const auto is_declared = [&](std::string_view each) {
    return std::ranges::find(circuit_.declared_gates, each, &DeclaredGate::name) !=
               circuit_.declared_gates.end() ||
           (each != name && names_.find_gate(each) != nullptr);
  };
  std::string chosen(name);
  while (is_of_table(chosen) || is_of_language(chosen) || is_declared(chosen)) {
    chosen += "_declared";
  }
  return chosen;
}

std::optional<GateKind> Executor::custom_gate_of(const GateDefinition& definition,
                                                 std::string_view place) {
  const Gate* const row = gate_of_written_name(definition.name, names_.defined.of_gate_set);
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
    if (body.operations.size() > kMaxComparedBody ||
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

void Executor::append_body(GateDefinition& definition, const syntax::Block& body) {
  for (const syntax::Statement& statement : body.statements) {
    if (const auto* const loop = syntax::node_of<syntax::For>(statement)) {
      append_gate_loop(definition, *loop);
      continue;
    }
    const auto* const call = syntax::node_of<syntax::Call>(statement);
    if (call != nullptr) {
      definition.body.push_back(body_call(definition, *call));
    } else {
      const auto& operation = std::get<syntax::SetOperation>(statement.node);
      definition.body.push_back(body_barrier(definition, operation));
    }
    const Token& word = call == nullptr ? std::get<syntax::SetOperation>(statement.node).word
                        : call->modifiers.empty() ? call->name
                                                  : call->modifiers[0].word;
    add_to_work(definition, definition.body.back(), word.text);
  }
  if (body.error != nullptr) std::rethrow_exception(body.error);
}

/// Unrolls a loop over constants.
void Executor::append_gate_loop(GateDefinition& definition, const syntax::For& loop) {
  enter_block(loop.word);
  const Token& name = loop.name;
  check_loop_variable(loop);
  if (definition.parameters.contains(name.text) || definition.qubits.contains(name.text)) {
    source_.fail(name.text, fmt::format("the variable of the loop has the name of a parameter or a "
                                        "qubit of gate {}",
                                        in_quotes(definition.name)));
  }
  for (const std::int64_t value : loop_values(loop, body_scope(definition))) {
    names_.enter_scope();
    declare_constant(name, variable_in_loop(loop, value).value);
    append_body(definition, loop.body);
    names_.leave_scope();
    charge_again(loop.body.text, loop.word);
  }
  --execution_.nesting;
}

BodyStep Executor::body_call(const GateDefinition& definition, const syntax::Call& call) {
  const Token& word = call.name;
  BodyStep step;
  if (!call.modifiers.empty()) {
    step.modifiers = modifiers_of(call.modifiers, body_scope(definition));
    step.callee = find_modified(word);
  } else if (word.text == definition.name) {
    source_.fail(word.text,
                 fmt::format("gate {} is used in its own definition", in_quotes(word.text)));
  } else if (const Callable* const callee = names_.find_gate(word.text)) {
    step.callee = *callee;
  } else if (find_keyword(word.text, language_.number) == Keyword::global_phase) {
    step.callee = global_phase_call();
  } else {
    fail_unknown_gate(word);
  }
  note_use(step.callee, word);
  step.angles = body_angles(definition, call.arguments, step.callee.in_turns);
  step.qubits = body_qubits(definition, call.operands);
  if (step.callee.qubits + control_count(step.modifiers) != 0 && call.operands.empty()) {
    fail_found(call.next, describe(TokenKind::identifier));
  }
  check_distinct_in_body(definition, {step.qubits.data(), step.qubits.size()}, word.text);
  check_counts(word, step.callee, step.angles.size(), step.qubits.size(), step.modifiers);
  return step;
}

BodyStep Executor::body_barrier(const GateDefinition& definition,
                                const syntax::SetOperation& operation) {
  BodyStep step;
  step.kind = BodyStep::Kind::barrier;
  step.qubits = body_qubits(definition, operation.qubits);
  if (operation.qubits.empty()) {
    step.qubits.resize(definition.qubits.size());
    std::iota(step.qubits.begin(), step.qubits.end(), Qubit{0});
  }
  std::sort(step.qubits.begin(), step.qubits.end());
  step.qubits.erase(std::unique(step.qubits.begin(), step.qubits.end()), step.qubits.end());
  return step;
}

/// Constants are known in a gate definition, free parameters are not.
ExpressionScope Executor::body_scope(const GateDefinition& definition) const {
  return {language_.number, &definition.parameters,
          [this](std::string_view name) { return known_value(name, true); }};
}

std::vector<Expression> Executor::body_angles(const GateDefinition& definition,
                                              std::span<const syntax::Expression> arguments,
                                              bool in_turns) {
  std::vector<Expression> angles;
  if (arguments.empty()) return angles;
  const ExpressionScope scope = body_scope(definition);
  for (const syntax::Expression& argument : arguments) {
    Expression& expression = angles.emplace_back();
    const std::string_view place = argument.first.text;
    resolve(argument, scope, source_, expression);
    if (in_turns) expression.turns_to_radians(place);
    expression.fold_constant(source_, place);
  }
  return angles;
}

boost::container::small_vector<std::uint32_t, 3> Executor::body_qubits(
    const GateDefinition& definition, std::span<const syntax::Reference> operands) const {
  boost::container::small_vector<std::uint32_t, 3> qubits;
  for (const syntax::Reference& operand : operands) {
    const auto formal = definition.qubits.find(operand.name);
    if (formal == definition.qubits.end()) {
      source_.fail(operand.name, fmt::format("{} is not a qubit of gate {}",
                                             in_quotes(operand.name), in_quotes(definition.name)));
    }
    qubits.push_back(formal->second);
  }
  return qubits;
}

void Executor::check_distinct_in_body(const GateDefinition& definition,
                                      std::span<const std::uint32_t> qubits,
                                      std::string_view place) const {
  std::vector<std::uint32_t> sorted(qubits.begin(), qubits.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return;
  const auto named = std::find_if(definition.qubits.begin(), definition.qubits.end(),
                                  [&](const auto& entry) { return entry.second == *twice; });
  source_.fail(place, fmt::format("qubit {} is used twice in one {}", in_quotes(named->first),
                                  in_quotes(place)));
}

/// Adds the step, and everything that the callee does, to the cost of one expansion. Even empty
/// definitions take time to expand: n levels, each of which calls the level below twice, make 2^n
/// calls.
void Executor::add_to_work(GateDefinition& definition, const BodyStep& step,
                           std::string_view place) const {
  std::uint64_t work = 1 + step.qubits.size() / 8;
  for (const Expression& expression : step.angles) work += expression.size();
  if (step.callee.kind == Callable::Kind::definition && step.kind == BodyStep::Kind::call) {
    work += step.callee.definition->work;
    definition.nesting = std::max(definition.nesting, step.callee.definition->nesting + 1);
  }
  if (definition.nesting > kMaxDefinitionNesting) {
    source_.fail(
        place, fmt::format("gate definitions are nested more than {} deep", kMaxDefinitionNesting));
  }
  // The sum saturates just above the limit, so that an oversized definition that is never called is
  // not an error.
  definition.work = std::min(definition.work + work, WorkBudget::kMaxWork + 1);
}

/// Declares a gate of which only the name is known, even if the table has a gate of that name
/// (except for those of the include files, which would be defined twice). The file must not use
/// that gate of the table as well, because no output file could distinguish the two.
void Executor::execute(const syntax::Opaque& opaque) {
  const Token& name = opaque.name;
  check_new_gate_name(name, false);
  Callable callable;
  callable.kind = Callable::Kind::opaque;
  callable.declared = name.text;
  if (std::ranges::find(circuit_.declared_gates, name.text, &DeclaredGate::name) !=
      circuit_.declared_gates.end()) {
    source_.fail(name.text,
                 fmt::format("the gate {} has the name that another gate is given in the "
                             "output",
                             in_quotes(name.text)));
  }
  callable.parameters = numbers_of(opaque.parameters).size();
  callable.qubits = numbers_of(opaque.qubits).size();
  if (const Gate* row = gate_of_written_name(name.text, names_.defined.of_gate_set);
      row != nullptr) {
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
