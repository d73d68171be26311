#include "quartz/circuit/cost.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "python/bindings/bindings.hpp"
#include "python/bindings/pickling.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/backend.hpp"
#include "quartz/target/cost_file.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::python {
namespace {

Cost joined_cost(const std::vector<Cost>& costs) {
  std::vector<Objective> objectives;
  for (const Cost& cost : costs) {
    objectives.insert(objectives.end(), cost.objectives().begin(), cost.objectives().end());
  }
  return Cost(std::move(objectives));
}

nb::dict values_of(const Cost& cost, const Circuit& circuit) {
  nb::dict values;
  for (const Objective& objective : cost.objectives()) {
    values[nb::str(std::string(objective.name()).c_str())] =
        objective.value(objective.units_of(circuit));
  }
  return values;
}

// The form of weights in a pickle. A weight has the kind of its operation and, for a gate, the
// name.
using WeightState = std::tuple<int, std::string, std::vector<Qubit>, double>;
using WeightsState = std::tuple<std::string, int, std::optional<double>, std::vector<WeightState>>;
/// The weights with the definitions of their custom gates, or the name of a named cost with None.
using ObjectiveState = std::pair<nb::object, nb::object>;

ObjectiveState state_of(const Objective& objective) {
  const GateWeights* const weights = objective.weights();
  if (weights == nullptr) return {nb::cast(std::string(objective.name())), nb::none()};
  std::vector<Operation> weighted;
  std::vector<WeightState> states;
  for (const GateWeight& weight : weights->weights()) {
    std::string name;
    if (weight.operation == OperationKind::gate) {
      name = gate(weight.gate).name;
      Operation operation;
      operation.gate = weight.gate;
      weighted.push_back(std::move(operation));
    }
    states.emplace_back(static_cast<int>(weight.operation), std::move(name), weight.qubits,
                        weight.weight);
  }
  return {nb::cast(WeightsState(weights->name(), static_cast<int>(weights->combination()),
                                weights->otherwise(), std::move(states))),
          gate_definitions(weighted)};
}

GateWeight weight_from(const WeightState& state, const CustomGates& defined) {
  const auto& [operation, name, qubits, number] = state;
  GateWeight weight;
  weight.operation = static_cast<OperationKind>(operation);
  weight.qubits = qubits;
  weight.weight = number;
  if (weight.operation != OperationKind::gate) return weight;
  weight.gate = gate_of_pickle(name, defined).kind;
  return weight;
}

Objective objective_from(const nb::handle& state) {
  const auto [what, definitions] = nb::cast<ObjectiveState>(state);
  if (definitions.is_none()) {
    const auto name = nb::cast<std::string>(what);
    const CostName* const known = find_cost(name);
    if (known == nullptr) throw InputError("the pickle uses the unknown cost \"" + name + "\"");
    return known->kind;
  }
  const CustomGates defined = define_gates(nb::cast<nb::tuple>(definitions));
  const auto [name, combination, otherwise, states] = nb::cast<WeightsState>(what);
  std::vector<GateWeight> weights;
  for (const WeightState& each : states) weights.push_back(weight_from(each, defined));
  return GateWeights(name, weights, otherwise, static_cast<Combination>(combination));
}

nb::tuple state_of(const Cost& cost) {
  nb::list states;
  for (const Objective& objective : cost.objectives()) states.append(state_of(objective));
  return nb::tuple(states);
}

Cost cost_from(const nb::tuple& states) {
  std::vector<Objective> objectives;
  for (const nb::handle state : states) objectives.push_back(objective_from(state));
  return Cost(std::move(objectives));
}

}  // namespace

void bind_cost(nb::module_& module) {
  nb::class_<Cost>(module, "Cost",
                   "What a search minimizes: one or more objectives, each of which breaks the ties "
                   "of those before it.")
      .def_static(
          "load",
          [](const std::string& list, const GateSet& set, const Backend* backend) {
            return load_cost(list, set, {}, backend);
          },
          nb::arg("list"), nb::arg("gate_set"), nb::arg("backend").none() = nb::none(),
          "Loads a cost by its name (``total``, ``two-qubit``, ``t``, ``depth``; with a backend "
          "also "
          "``error`` and ``duration``), from a JSON file of weights, error rates or durations "
          "(costs/README.md), or from a list of these separated by commas. Raises UsageError for "
          "an invalid list, and InputError with the place of the error for an invalid file.")
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name, const GateSet* gate_set) {
            return Cost({Objective(parse_gate_weights(text, name, custom_gates_of(gate_set)))});
          },
          nb::arg("text"), nb::kw_only(), nb::arg("name") = "<cost>",
          nb::arg("gate_set").none() = nb::none(),
          "Parses weights, error rates or durations from JSON text, which may name the custom "
          "gates of ``gate_set``.")
      .def_static("join", &joined_cost, nb::arg("costs"),
                  "Returns the cost whose objectives are those of the costs, in order. Raises "
                  "UsageError for more than four objectives.")
      .def_prop_ro("name", &Cost::name, "The names of the objectives, separated by commas.")
      .def("values", &values_of, nb::arg("circuit"),
           nb::sig("def values(self, circuit: Circuit) -> dict[str, float]"),
           "Returns the value of each objective for a circuit. Raises UsageError for a gate "
           "without a weight.")
      .def("__getstate__", [](const Cost& cost) { return state_of(cost); })
      .def("__setstate__",
           [](Cost& self, const nb::tuple& states) { new (&self) Cost(cost_from(states)); })
      .def("__repr__", [](const Cost& cost) { return "<quartz.Cost: " + cost.name() + ">"; });
}

}  // namespace quartz::python
