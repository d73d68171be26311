#include "report/figures.hpp"

#include <algorithm>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::report {
namespace {

std::string kind_of_boundary(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::gate:
      return "conditional gate";
    case OperationKind::measure:
      return "measure";
    case OperationKind::reset:
      return "reset";
    case OperationKind::barrier:
      return "barrier";
    case OperationKind::opaque:
      return operation.classical->opaque_name;
  }
  throw InternalError("an operation of no kind");
}

bool has_t_gates(const Circuit& circuit) {
  if (!circuit.declared_gates.empty()) return has_t_gates(with_expanded_calls(circuit));
  return std::ranges::any_of(circuit.operations, [](const Operation& operation) {
    return operation.kind == OperationKind::gate &&
           (operation.gate == GateKind::t || operation.gate == GateKind::tdg);
  });
}

bool is_about_t_gates(const Objective& objective) {
  return objective.named() != nullptr &&
         (objective.named()->kind == CostKind::t || objective.named()->kind == CostKind::t_depth);
}

/// Inserts the T depth behind the figures that reports always give, unless it is an objective.
void add_t_depth(std::vector<Figure>& figures, const Circuit& circuit) {
  const std::string name(cost_name(CostKind::t_depth).name);
  if (std::ranges::find(figures, name, &Figure::name) != figures.end()) return;
  const auto is_optional = [](const Figure& figure) {
    const CostName* const named = find_cost(figure.name);
    return named == nullptr || named->count == nullptr;
  };
  figures.insert(std::ranges::find_if(figures, is_optional),
                 {name, static_cast<double>(t_depth(circuit))});
}

void add_sizes(std::vector<Figure>& figures, const Circuit& circuit) {
  figures.push_back({"qubits", static_cast<double>(circuit.qubit_count()), true});
  figures.push_back({"measurements", static_cast<double>(count_measurements(circuit)), true});
}

}  // namespace

std::vector<Figure> figures_of(const Circuit& circuit, const Cost& cost) {
  std::vector<Figure> figures;
  const GateCounts counts = count_gates(circuit);
  for (const CostName& row : cost_names()) {
    if (row.count == nullptr) continue;
    figures.push_back({std::string(row.name), static_cast<double>(counts.*row.count)});
  }
  for (const Objective& objective : cost.objectives()) {
    if (objective.named() != nullptr && objective.named()->count != nullptr) continue;
    figures.push_back({std::string(objective.name()), std::nullopt});
    if (objective.covers(circuit)) {
      figures.back().value = objective.value(objective.units_of(circuit));
    }
  }
  return figures;
}

std::vector<Figure> objectives_of(const Circuit& circuit, const Cost& cost) {
  const std::vector<Figure> figures = figures_of(circuit, cost);
  std::vector<Figure> objectives;
  for (const Objective& objective : cost.objectives()) {
    const auto figure = std::ranges::find(figures, objective.name(), &Figure::name);
    ensure(figure != figures.end(), "every objective is a figure");
    objectives.push_back(*figure);
  }
  return objectives;
}

std::vector<Figure> input_figures(const RunReport& report) {
  std::vector<Figure> figures = figures_of(report.input, report.result.cost);
  if (gates_by_kind(report.input) == gates_by_kind(report.result.translated)) return figures;
  for (Figure& figure : figures) {
    if (find_cost(figure.name) == nullptr) figure.value = std::nullopt;
  }
  return figures;
}

ShownFigures shown_figures(const RunReport& report) {
  const Circuit& result = report.result.circuit;
  ShownFigures shown;
  shown.t_depth = std::ranges::any_of(report.result.cost.objectives(), is_about_t_gates) ||
                  has_t_gates(report.result.translated) || has_t_gates(result);
  shown.sizes = report.input.qubit_count() != result.qubit_count() ||
                count_measurements(report.input) != count_measurements(result);
  return shown;
}

RunFigures run_figures(const RunReport& report) {
  const SuperoptimizeResult& result = report.result;
  RunFigures figures{input_figures(report), figures_of(result.translated, result.cost),
                     figures_of(result.circuit, result.cost)};
  const auto add = [&](void (*add_to)(std::vector<Figure>&, const Circuit&)) {
    add_to(figures.input, report.input);
    add_to(figures.translated, result.translated);
    add_to(figures.result, result.circuit);
  };
  const ShownFigures shown = shown_figures(report);
  if (shown.t_depth) add(add_t_depth);
  if (shown.sizes) add(add_sizes);
  return figures;
}

std::uint64_t t_depth(const Circuit& circuit) {
  return Objective(CostKind::t_depth).units_of(circuit);
}

std::map<std::string, std::uint64_t> gates_by_kind(const Circuit& circuit) {
  if (!circuit.declared_gates.empty()) return gates_by_kind(with_expanded_calls(circuit));
  // Counting by number before by name is faster for large circuits.
  std::vector<std::uint64_t> of_kind(gate_count());
  for (const Operation& operation : circuit.operations) {
    if (operation.kind == OperationKind::gate) ++of_kind[static_cast<std::size_t>(operation.gate)];
  }
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i < of_kind.size(); ++i) {
    if (of_kind[i] != 0) counts[std::string(gate(static_cast<GateKind>(i)).name)] += of_kind[i];
  }
  return counts;
}

std::map<std::string, std::uint64_t> boundaries_by_kind(const Circuit& circuit) {
  std::map<std::string, std::uint64_t> counts;
  for (const Operation& operation : circuit.operations) {
    if (operation.is_boundary()) ++counts[kind_of_boundary(operation)];
  }
  return counts;
}

}  // namespace quartz::report
