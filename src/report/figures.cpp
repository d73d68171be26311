#include "report/figures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::report {
namespace {

/// Smaller circuits are counted in less time than a thread is worth.
constexpr std::size_t kOperationsOfThread = 50'000;

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

bool has_t_gates(const CircuitFigures& figures) {
  return std::ranges::any_of(std::array{GateKind::t, GateKind::tdg}, [&](GateKind kind) {
    return figures.gates.contains(std::string(gate(kind).name));
  });
}

bool is_about_t_gates(const Objective& objective) {
  return objective.named() != nullptr &&
         (objective.named()->kind == CostKind::t || objective.named()->kind == CostKind::t_depth);
}

/// Returns whether reports give the figure only where it is minimized.
bool is_optional(const Figure& figure) {
  const CostName* const named = find_cost(figure.name);
  return named == nullptr || named->count == nullptr;
}

/// Inserts the T depth behind the figures that reports always give, unless it is an objective.
void add_t_depth(std::vector<Figure>& costs, std::uint64_t t_depth) {
  const std::string name(cost_name(CostKind::t_depth).name);
  if (std::ranges::find(costs, name, &Figure::name) != costs.end()) return;
  costs.insert(std::ranges::find_if(costs, is_optional), {name, static_cast<double>(t_depth)});
}

/// Counts the operations of each kind, for which the circuit is read once.
void count_kinds(const Circuit& circuit, CircuitFigures& figures) {
  // Counting by number before by name is faster for large circuits.
  std::vector<std::uint64_t> of_kind(gate_count());
  for (const Operation& operation : circuit.operations) {
    if (operation.kind == OperationKind::gate) ++of_kind[static_cast<std::size_t>(operation.gate)];
    if (operation.kind == OperationKind::measure) ++figures.measurements;
    if (operation.is_boundary()) ++figures.boundaries[kind_of_boundary(operation)];
  }
  for (std::size_t i = 0; i < of_kind.size(); ++i) {
    if (of_kind[i] == 0) continue;
    figures.gates[std::string(gate(static_cast<GateKind>(i)).name)] += of_kind[i];
  }
}

/// Sets the costs and the T depth, for which the circuit is read once.
void count_costs(const Circuit& circuit, const Cost& cost, CircuitFigures& figures) {
  std::vector<Objective> objectives{CostKind::t_depth};
  const auto add = [&](const Objective& objective) {
    objectives.push_back(objective);
    figures.costs.push_back({std::string(objective.name()), 0});
  };
  for (const CostName& row : cost_names()) {
    if (row.count != nullptr) add(row.kind);
  }
  for (const Objective& objective : cost.objectives()) {
    const bool is_given = objective.named() != nullptr && objective.named()->count != nullptr;
    if (is_given) continue;
    if (objective.covers(circuit)) {
      add(objective);
    } else {
      figures.costs.push_back({std::string(objective.name()), std::nullopt});
    }
  }
  const std::vector<std::uint64_t> units = units_of(objectives, circuit);
  figures.t_depth = units.front();
  std::size_t next = 1;
  for (Figure& figure : figures.costs) {
    if (!figure.value) continue;
    figure.value = objectives[next].value(units[next]);
    ++next;
  }
}

/// Replaces the figures of a translation with merged runs by those of one without. Both have the
/// same qubits and measurements.
void count_plain_translation(const SuperoptimizeResult& result, CircuitFigures& figures) {
  const CircuitCounts& counts = *result.plain_translation;
  const std::span<const Objective> objectives = result.cost.objectives();
  for (Figure& figure : figures.costs) {
    if (const CostName* const named = find_cost(figure.name)) {
      figure.value = static_cast<double>(counts.named.at(static_cast<std::size_t>(named->kind)));
      continue;
    }
    const auto objective = std::ranges::find(objectives, figure.name, &Objective::name);
    ensure(objective != objectives.end(), "figures are those of costs");
    const auto index = static_cast<std::size_t>(objective - objectives.begin());
    figure.value = objective->value(counts.cost.units.at(index));
  }
  figures.t_depth = counts.named.at(static_cast<std::size_t>(CostKind::t_depth));
  figures.gates.clear();
  for (const auto& [kind, count] : counts.gates) {
    figures.gates[std::string(gate(kind).name)] += count;
  }
}

ShownFigures shown_figures_of(const RunFigures& figures, const Cost& cost) {
  ShownFigures shown;
  shown.t_depth = std::ranges::any_of(cost.objectives(), is_about_t_gates) ||
                  has_t_gates(figures.translated) || has_t_gates(figures.result);
  shown.sizes = figures.input.qubits != figures.result.qubits ||
                figures.input.measurements != figures.result.measurements;
  return shown;
}

}  // namespace

CircuitFigures figures_of(const Circuit& circuit, const Cost& cost) {
  CircuitFigures figures;
  if (!circuit.declared_gates.empty()) {
    figures = figures_of(with_expanded_calls(circuit), cost);
    CircuitFigures with_calls;
    count_kinds(circuit, with_calls);
    figures.boundaries = std::move(with_calls.boundaries);
  } else {
    count_costs(circuit, cost, figures);
    count_kinds(circuit, figures);
    figures.qubits = circuit.qubit_count();
  }
  return figures;
}

RunFigures run_figures(const RunReport& report, unsigned threads) {
  const SuperoptimizeResult& result = report.result;
  RunFigures figures;
  // A circuit of a million gates takes a tenth of a second.
  std::vector<std::pair<const Circuit*, CircuitFigures*>> circuits{
      {&report.input, &figures.input}, {&result.circuit, &figures.result}};
  const TranslationPlace place = result.translation_place;
  if (place == TranslationPlace::translated) {
    circuits.emplace_back(&result.translated, &figures.translated);
  }
  const bool are_large = std::ranges::any_of(circuits, [](const auto& each) {
    return each.first->operations.size() >= kOperationsOfThread;
  });
  parallel_for(are_large ? threads : 1, circuits.size(), 1,
               [&](unsigned, std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   *circuits.at(i).second = figures_of(*circuits.at(i).first, result.cost);
                 }
               });
  if (place != TranslationPlace::translated) {
    figures.translated = place == TranslationPlace::input ? figures.input : figures.result;
  }
  if (result.plain_translation) count_plain_translation(result, figures.translated);
  if (figures.input.gates != figures.translated.gates) {
    for (Figure& figure : figures.input.costs) {
      if (find_cost(figure.name) == nullptr) figure.value = std::nullopt;
    }
  }
  figures.shown = shown_figures_of(figures, result.cost);
  return figures;
}

std::vector<Figure> shown_figures(const CircuitFigures& figures, const ShownFigures& shown) {
  std::vector<Figure> all = figures.costs;
  if (shown.t_depth) add_t_depth(all, figures.t_depth);
  if (shown.sizes) {
    all.push_back({"qubits", static_cast<double>(figures.qubits), true});
    all.push_back({"measurements", static_cast<double>(figures.measurements), true});
  }
  return all;
}

std::vector<Figure> objectives_of(const CircuitFigures& figures, const Cost& cost) {
  std::vector<Figure> objectives;
  for (const Objective& objective : cost.objectives()) {
    const auto figure = std::ranges::find(figures.costs, objective.name(), &Figure::name);
    ensure(figure != figures.costs.end(), "every objective is a figure");
    objectives.push_back(*figure);
  }
  return objectives;
}

}  // namespace quartz::report
