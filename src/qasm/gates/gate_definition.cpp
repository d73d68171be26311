#include "qasm/gates/gate_definition.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "qasm/gates/gate_names.hpp"
#include "qasm/gates/library.hpp"
#include "qasm/syntax/parser.hpp"
#include "qasm/syntax/resolve.hpp"
#include "qasm/text/angle_text.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Returns the gate with the definition's name and numbers of parameters and qubits; null if there
/// is none.
const Gate* row_of_form(const GateDefinition& definition, const CustomGates& custom_gates) {
  const Gate* row = gate_of_written_name(definition.name, custom_gates);
  if (row == nullptr || row->qubits != definition.qubits.size() ||
      row->parameters.size() != definition.parameters.size()) {
    return nullptr;
  }
  return row;
}

/// Returns the bodies that the writer gives for the gate, and that it gave in earlier versions;
/// nothing if the writer does not define it. Earlier versions left the phase out in OpenQASM 2, and
/// the comment with the global phase is that of the gate with its phase.
std::vector<Decomposition> written_definitions(GateKind kind, unsigned language_version) {
  if (is_built_in_gate(kind, language_version)) return {};
  const Decomposition* const definition = is_library_gate(kind, language_version)
                                              ? definition_without_library(kind)
                                              : definition_of(kind);
  if (definition == nullptr) return {};
  if (language_version >= 3 || definition->phase.is_zero()) return {*definition};
  return {without_phase(kind, *definition), *definition};
}

/// Returns whether the body is `ctrl @ U(pi,0,pi)` on the definition's qubits, in their order.
bool is_controlled_not(const GateDefinition& definition, const Source& source) {
  if (definition.body.size() != 1 || definition.qubits.size() != 2) return false;
  const BodyStep& step = definition.body[0];
  if (step.kind != BodyStep::Kind::call || step.callee.kind != Callable::Kind::table_gate ||
      step.callee.gate != GateKind::u || step.modifiers.size() != 1 ||
      step.modifiers[0].kind != Modifier::Kind::control || step.angles.size() != 3) {
    return false;
  }
  const Angle pi = Angle::pi_times(1);
  return step.qubits[0] == 0 && step.qubits[1] == 1 &&
         step.angles[0].evaluate({}, source).angle == pi &&
         step.angles[1].evaluate({}, source).angle.is_zero() &&
         step.angles[2].evaluate({}, source).angle == pi;
}

template <typename IsSameAngle>
bool has_angles(const BodyStep& step, std::span<const Angle> angles, IsSameAngle is_same_angle) {
  return std::equal(step.angles.begin(), step.angles.end(), angles.begin(), angles.end(),
                    is_same_angle);
}

template <typename IsSameAngle>
bool is_same_step(const BodyStep& step, const Operation& operation, IsSameAngle is_same_angle) {
  return step.kind == BodyStep::Kind::call && step.modifiers.empty() &&
         step.callee.kind == Callable::Kind::table_gate && !step.callee.ignores_parameters &&
         step.callee.gate == operation.gate &&
         std::equal(step.qubits.begin(), step.qubits.end(), operation.qubits.begin(),
                    operation.qubits.end()) &&
         has_angles(step, operation.angles, is_same_angle);
}

/// Returns whether the definition has the expected body, step by step. `is_same_angle` compares an
/// expression of the definition with an angle.
template <typename IsSameAngle>
bool has_body(const GateDefinition& definition, const Decomposition& expected,
              unsigned language_version, IsSameAngle is_same_angle) {
  const std::size_t phases = language_version >= 3 && !expected.phase.is_zero() ? 1 : 0;
  if (definition.body.size() != phases + expected.operations.size()) return false;
  if (phases == 1) {
    const BodyStep& step = definition.body[0];
    if (step.kind != BodyStep::Kind::call || !step.modifiers.empty() ||
        step.callee.kind != Callable::Kind::global_phase ||
        !has_angles(step, std::span(&expected.phase, 1), is_same_angle)) {
      return false;
    }
  }
  for (std::size_t i = 0; i < expected.operations.size(); ++i) {
    if (!is_same_step(definition.body[phases + i], expected.operations[i], is_same_angle)) {
      return false;
    }
  }
  return true;
}

/// Parses the text as in a definition that has this many of the writer's parameters.
Expression expression_of(const std::string& text, std::size_t parameters,
                         unsigned language_version) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parameters; ++i) names.push_back(formal_parameter(i));
  NameNumbers numbers;
  for (std::size_t i = 0; i < parameters; ++i) {
    numbers.emplace(names[i], static_cast<std::uint32_t>(i));
  }
  const Source source(text, {});
  std::vector<std::string_view> comments;
  syntax::Parser parser(source, comments, language_version);
  Expression expression;
  resolve(parser.parse_expression(language_version), {language_version, &numbers}, source,
          expression);
  expression.fold_constant(source, {});
  return expression;
}

}  // namespace

std::string formal_parameter(std::size_t i) { return fmt::format("p{}", i); }

Decomposition written_body(GateKind kind, const Decomposition& definition, bool in_turns) {
  const Gate& row = gate(kind);
  Operation call = on_own_operands(row);
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    call.angles.push_back(Angle::symbol(formal_parameter(i)) * Rational(in_turns ? 2 : 1));
  }
  return instantiate(definition, call);
}

bool is_written_definition(const GateDefinition& definition, unsigned language_version,
                           const Source& source, const CustomGates& custom_gates) {
  const Gate* row = row_of_form(definition, custom_gates);
  if (row == nullptr) return false;
  const std::vector<Decomposition> expected = written_definitions(row->kind, language_version);
  if (expected.empty()) return false;
  std::vector<Value> parameters;
  for (std::size_t i = 0; i < row->parameters.size(); ++i) {
    parameters.push_back({Angle::symbol(formal_parameter(i)), false});
  }
  try {
    if (row->kind == GateKind::cx) return is_controlled_not(definition, source);
    return std::ranges::any_of(expected, [&](const Decomposition& body) {
      return has_body(definition, written_body(row->kind, body, false), language_version,
                      [&](const Expression& expression, const Angle& angle) {
                        return expression.evaluate(parameters, source).angle == angle;
                      });
    });
  } catch (const InputError&) {
    return false;  // not linear in its parameters, unlike every definition of the writer
  }
}

bool is_written_definition_in_turns(const GateDefinition& definition, unsigned language_version,
                                    const CustomGates& custom_gates) {
  const Gate* row = row_of_form(definition, custom_gates);
  if (row == nullptr || row->parameters.empty() || is_library_gate(row->kind, language_version) ||
      definition_of(row->kind) == nullptr) {
    return false;
  }
  const std::vector<Decomposition> expected = written_definitions(row->kind, language_version);
  return std::ranges::any_of(expected, [&](const Decomposition& body) {
    return has_body(definition, written_body(row->kind, body, true), language_version,
                    [&](const Expression& expression, const Angle& angle) {
                      std::string text;
                      append_angle(text, angle, formal_parameter_factor(true));
                      return expression ==
                             expression_of(text, row->parameters.size(), language_version);
                    });
  });
}

}  // namespace quartz::qasm
