#include "qasm/gate_definition.hpp"

#include <algorithm>

#include "qasm/library.hpp"
#include "quartz/errors.hpp"

namespace quartz::qasm {
namespace {

/// The step's angles with the definition's parameters filled in.
std::vector<Angle> angles_of(const BodyStep& step, std::span<const Value> parameters,
                             const Source& source) {
  std::vector<Angle> angles;
  for (const Expression& expression : step.angles) {
    angles.push_back(expression.evaluate(parameters, source).angle);
  }
  return angles;
}

bool is_global_phase(const BodyStep& step, const Angle& phase, std::span<const Value> parameters,
                     const Source& source) {
  return step.kind == BodyStep::Kind::call && step.modifiers.empty() &&
         step.callee.kind == Callable::Kind::global_phase &&
         angles_of(step, parameters, source) == std::vector{phase};
}

bool is_same_step(const BodyStep& step, const Operation& operation,
                  std::span<const Value> parameters, const Source& source) {
  return step.kind == BodyStep::Kind::call && step.modifiers.empty() &&
         step.callee.kind == Callable::Kind::table_gate && !step.callee.ignores_parameters &&
         step.callee.gate == operation.gate &&
         std::equal(step.qubits.begin(), step.qubits.end(), operation.qubits.begin(),
                    operation.qubits.end()) &&
         angles_of(step, parameters, source) == operation.angles;
}

}  // namespace

bool is_written_definition(const GateDefinition& definition, unsigned language_version,
                           const Source& source) {
  const Gate* row = find_gate(definition.name);
  if (row == nullptr || is_library_gate(row->kind, language_version) ||
      row->name != definition.name || row->qubits != definition.qubits.size() ||
      row->parameters.size() != definition.parameters.size()) {
    return false;
  }
  const Decomposition* const definition_of_row = definition_of(row->kind);
  if (definition_of_row == nullptr) return false;
  const Decomposition& expected = *definition_of_row;
  const std::size_t phases = language_version >= 3 && !expected.phase.is_zero() ? 1 : 0;
  if (definition.body.size() != phases + expected.operations.size()) return false;

  std::vector<Value> parameters;
  for (const std::string_view name : row->parameters) {
    parameters.push_back({Angle::symbol(std::string(name)), false});
  }
  try {
    if (phases == 1 && !is_global_phase(definition.body[0], expected.phase, parameters, source)) {
      return false;
    }
    for (std::size_t i = 0; i < expected.operations.size(); ++i) {
      if (!is_same_step(definition.body[phases + i], expected.operations[i], parameters, source)) {
        return false;
      }
    }
  } catch (const InputError&) {
    return false;  // not linear in its parameters: none of ours
  }
  return true;
}

}  // namespace quartz::qasm
