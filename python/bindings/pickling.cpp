#include "python/bindings/pickling.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "python/bindings/bindings.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz::python {
namespace {

// The form of a definition in a pickle.
using TermState = std::tuple<int, int, std::string>;  // coefficient, power of sqrt(2), exponent
using EntryState = std::tuple<unsigned, unsigned, std::vector<TermState>>;
using StepState = std::tuple<std::string, std::vector<Qubit>, std::vector<std::string>>;
using BodyState = std::pair<std::vector<StepState>, std::string>;
using GateState = std::tuple<std::string, unsigned, std::vector<std::string>,
                             std::vector<EntryState>, std::vector<BodyState>>;

EntryState state_of(const MatrixEntry& entry) {
  std::vector<TermState> terms;
  for (const PhaseTerm& term : entry.terms) {
    terms.emplace_back(term.coefficient, term.sqrt2_power, term.exponent.to_string());
  }
  return {entry.row, entry.column, std::move(terms)};
}

BodyState state_of(const Decomposition& body) {
  std::vector<StepState> steps;
  for (const Operation& step : body.operations) {
    std::vector<std::string> angles;
    for (const Angle& angle : step.angles) angles.push_back(angle.to_string());
    steps.emplace_back(std::string(gate(step.gate).name),
                       std::vector<Qubit>(step.qubits.begin(), step.qubits.end()),
                       std::move(angles));
  }
  return {std::move(steps), body.phase.to_string()};
}

GateState state_of(const Gate& row) {
  std::vector<EntryState> matrix;
  for (const MatrixEntry& entry : row.matrix) matrix.push_back(state_of(entry));
  std::vector<BodyState> bodies;
  if (!row.decompositions.empty()) bodies.push_back(state_of(row.decompositions.front()));
  return {std::string(row.name), row.qubits,
          std::vector<std::string>(row.parameters.begin(), row.parameters.end()), std::move(matrix),
          std::move(bodies)};
}

MatrixEntry entry_from(const EntryState& state) {
  MatrixEntry entry{std::get<0>(state), std::get<1>(state), {}};
  for (const auto& [coefficient, power, exponent] : std::get<2>(state)) {
    entry.terms.push_back({coefficient, power, parse_angle(exponent)});
  }
  return entry;
}

/// `defined` are the custom gates that the body may call.
Decomposition body_from(const BodyState& state, const CustomGates& defined) {
  Decomposition body;
  for (const auto& [name, qubits, angles] : state.first) {
    Operation step;
    step.gate = gate_of_pickle(name, defined).kind;
    step.qubits.assign(qubits.begin(), qubits.end());
    for (const std::string& angle : angles) step.angles.push_back(parse_angle(angle));
    body.operations.push_back(std::move(step));
  }
  body.phase = parse_angle(state.second);
  return body;
}

CustomGate definition_from(const GateState& state, const CustomGates& defined) {
  CustomGate custom;
  custom.name = std::get<0>(state);
  custom.qubits = std::get<1>(state);
  custom.parameters = std::get<2>(state);
  for (const EntryState& entry : std::get<3>(state)) custom.matrix.push_back(entry_from(entry));
  if (!std::get<4>(state).empty()) custom.body = body_from(std::get<4>(state).front(), defined);
  return custom;
}

/// Adds a custom gate behind those that it consists of. The inverse of a gate that was defined is
/// not defined by itself: its row is made together with that of the gate.
void add_needed(GateKind kind, std::vector<GateKind>& needed, std::set<GateKind>& seen) {
  if (!is_custom(kind)) return;
  kind = defined_with(kind).value_or(kind);
  if (!seen.insert(kind).second) return;
  const Gate& row = gate(kind);
  if (!row.decompositions.empty()) {
    for (const Operation& step : row.decompositions.front().operations) {
      add_needed(step.gate, needed, seen);
    }
  }
  needed.push_back(kind);
}

}  // namespace

nb::tuple gate_definitions(std::span<const Operation> operations) {
  std::vector<GateKind> needed;
  std::set<GateKind> seen;
  for (const Operation& operation : operations) {
    if (operation.kind == OperationKind::gate) add_needed(operation.gate, needed, seen);
  }
  nb::list definitions;
  for (const GateKind kind : needed) definitions.append(nb::cast(state_of(gate(kind))));
  return nb::tuple(definitions);
}

CustomGates define_gates(const nb::tuple& definitions) {
  CustomGates defined;
  for (const nb::handle state : definitions) {
    (void)defined.define(definition_from(nb::cast<GateState>(state), defined));
  }
  return defined;
}

const Gate& gate_of_pickle(const std::string& name, const CustomGates& defined) {
  const Gate* const row = find_gate(name, defined);
  if (row == nullptr) throw InputError("the pickle uses the unknown gate \"" + name + "\"");
  return *row;
}

CustomGates custom_gates_of(const GateSet* gate_set) {
  return gate_set == nullptr ? CustomGates() : gate_set->custom_gates();
}

}  // namespace quartz::python
