#include "cli/opt/opt_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "cli/memory.hpp"
#include "cli/output/report.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the number of gates of each kind, by name.
std::map<std::string, std::uint64_t> gates_by_kind(const Circuit& circuit) {
  // Counting by number before by name is faster for large circuits.
  std::array<std::uint64_t, std::size_t{1} << 8 * sizeof(GateKind)> of_kind{};
  for (const Operation& operation : circuit.operations) {
    if (operation.kind == OperationKind::gate) ++of_kind[static_cast<std::size_t>(operation.gate)];
  }
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i < of_kind.size(); ++i) {
    if (of_kind[i] != 0) counts.emplace(gate(static_cast<GateKind>(i)).name, of_kind[i]);
  }
  return counts;
}

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

/// Returns the number of optimization boundaries of each kind, by name.
std::map<std::string, std::uint64_t> boundaries_by_kind(const Circuit& circuit) {
  std::map<std::string, std::uint64_t> counts;
  for (const Operation& operation : circuit.operations) {
    if (operation.is_boundary()) ++counts[kind_of_boundary(operation)];
  }
  return counts;
}

/// Returns the figures of the circuit as read. Weights are defined for the target's gates only: if
/// translation changed the gates, there are no weighted sums, even if a file gives all other gates
/// a default weight.
std::vector<Figure> input_figures(const OptReport& report) {
  std::vector<Figure> figures = figures_of(report.input, report.result.cost);
  if (gates_by_kind(report.input) == gates_by_kind(report.result.translated)) return figures;
  for (Figure& figure : figures) {
    if (find_cost(figure.name) == nullptr) figure.value = std::nullopt;
  }
  return figures;
}

/// Returns the named costs with underscores, the objectives of the cost by name under "cost", and
/// the gates by kind.
Json figures_in_json(const Circuit& circuit, const std::vector<Figure>& figures, const Cost& cost) {
  Json json;
  Json own;
  for (const Objective& objective : cost.objectives()) own[std::string(objective.name())] = nullptr;
  for (const Figure& figure : figures) {
    const Json value = figure_json(figure.value);
    if (own.contains(figure.name)) own[figure.name] = value;
    if (find_cost(figure.name) == nullptr) continue;
    std::string key = figure.name;
    std::replace(key.begin(), key.end(), '-', '_');
    json[key] = value;
  }
  json["cost"] = own;
  json["gates"] = gates_by_kind(circuit);
  return json;
}

Json passes_in_json(const std::vector<OptimizePass>& passes) {
  Json list = Json::array();
  for (const OptimizePass& pass : passes) {
    list.push_back({{"pass", pass.name},
                    {"runs", pass.runs},
                    {"runs_that_paid", pass.runs_that_paid},
                    {"gates_removed", pass.gates_removed},
                    {"seconds", pass.seconds}});
  }
  return list;
}

/// Returns whether the rewrite replaced one circuit by another. Other rewrites have no circuits to
/// show.
bool has_sides(const Rewrite& rewrite) {
  return rewrite.kind == RewriteKind::rule || rewrite.kind == RewriteKind::window;
}

/// Returns the circuit in the syntax of OpenQASM, on qubits q0, q1, ...: "rz(pi/4) q0; cx q0,q1".
std::string circuit_text(std::span<const Operation> circuit) {
  std::string text;
  for (const Operation& operation : circuit) {
    if (!text.empty()) text += "; ";
    text += gate(operation.gate).name;
    for (std::size_t i = 0; i < operation.angles.size(); ++i) {
      text += (i == 0 ? "(" : ",") + operation.angles[i].to_string();
    }
    if (!operation.angles.empty()) text += ")";
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      text += (i == 0 ? " q" : ",q") + std::to_string(operation.qubits[i]);
    }
  }
  return text;
}

Json rewrites_in_json(const std::vector<RewriteGain>& gains) {
  Json list = Json::array();
  for (const RewriteGain& gain : gains) {
    Json row = {{"pass", gain.rewrite.pass}, {"kind", to_string(gain.rewrite.kind)}};
    if (has_sides(gain.rewrite)) {
      row["left"] = circuit_text(gain.rewrite.left);
      row["right"] = circuit_text(gain.rewrite.right);
      row["phase"] = gain.rewrite.phase.to_string();
    }
    row["uses"] = gain.uses;
    row["gates_removed"] = gain.gates_removed;
    list.push_back(std::move(row));
  }
  return list;
}

/// Describes a rewrite up to a global phase.
std::string rewrite_text(const Rewrite& rewrite) {
  if (rewrite.kind == RewriteKind::parity) return "CNOT+Rz blocks resynthesized";
  if (rewrite.kind == RewriteKind::rotations) return "rotations moved and merged";
  const auto side = [](std::span<const Operation> circuit) {
    return circuit.empty() ? std::string("nothing") : circuit_text(circuit);
  };
  return side(rewrite.left) + " -> " + side(rewrite.right);
}

/// Returns a table of the rewrites that saved most in each pass, and the number of further
/// rewrites.
std::string list_of_rewrites(const std::vector<RewriteGain>& gains) {
  constexpr std::ptrdiff_t kMaxRows = 10;
  std::string text = "uses  gates removed  rewrites that led to the result\n";
  const auto add = [&](const RewriteGain& gain, std::string_view pass, const std::string& what) {
    text += fmt::format("{:>4}  {:>13}  {}: {}\n", gain.uses, gain.gates_removed, pass, what);
  };
  for (auto first = gains.begin(); first != gains.end();) {
    const std::string_view pass = first->rewrite.pass;
    const auto last = std::find_if(
        first, gains.end(), [&](const RewriteGain& gain) { return gain.rewrite.pass != pass; });
    const auto shown = first + std::min(kMaxRows, last - first);
    for (auto gain = first; gain != shown; ++gain) add(*gain, pass, rewrite_text(gain->rewrite));
    RewriteGain others;
    for (auto gain = shown; gain != last; ++gain) {
      others.uses += gain->uses;
      others.gates_removed += gain->gates_removed;
    }
    if (shown != last) add(others, pass, fmt::format("{} others", last - shown));
    first = last;
  }
  return text;
}

/// Returns the outcome of the check, which is only omitted with --no-check.
std::string check_text(const ResultCheck& check) {
  return check.verified ? check.text : check.text + " (--no-check)";
}

/// Returns the size of the journal divided by the number of its rewrites, if it has any.
std::optional<double> journal_bytes_per_rewrite(const SuperoptimizeResult& result) {
  if (result.journal_rewrites == 0) return std::nullopt;
  return static_cast<double>(result.journal.size()) / static_cast<double>(result.journal_rewrites);
}

Json journal_in_json(const OptReport& report) {
  if (!report.has_journal) return nullptr;
  return {{"rewrites", report.result.journal_rewrites},
          {"bytes", report.result.journal.size()},
          {"bytes_per_rewrite", figure_json(journal_bytes_per_rewrite(report.result))}};
}

/// Describes the size of the journal.
std::string journal_text(const SuperoptimizeResult& result) {
  std::string text = fmt::format("journal: {} rewrites in {} bytes", result.journal_rewrites,
                                 result.journal.size());
  if (const std::optional<double> bytes = journal_bytes_per_rewrite(result)) {
    text += fmt::format(", {:.1f} for each", *bytes);
  }
  return text + "\n";
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f}", seconds); }

/// Returns a table of one or more lists of counts, with a row for each name in any of them.
template <typename... Counts>
Table table_of_counts(std::vector<std::string> header, const Counts&... counts) {
  std::map<std::string, std::vector<std::string>> rows;
  (
      [&] {
        for (const auto& [name, count] : counts) rows[name] = {name};
      }(),
      ...);
  Table table{std::move(header), {}};
  for (auto& [name, row] : rows) {
    const auto add = [&row = row, &name = name](const std::map<std::string, std::uint64_t>& from) {
      const auto found = from.find(name);
      row.push_back(std::to_string(found == from.end() ? 0 : found->second));
    };
    (add(counts), ...);
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Returns the objectives of the best circuit found, by name, if it could not be certified.
Json uncertified_in_json(const SuperoptimizeResult& result) {
  if (!result.uncertified_cost) return nullptr;
  return result.cost.describe(*result.uncertified_cost);
}

/// Returns why the search ended.
std::string_view stop_reason_of(const OptReport& report) {
  const StopReason reason = report.result.stop_reason;
  const bool is_limit = report.reached_memory_limit && reason == StopReason::interrupted;
  return is_limit ? "memory limit" : to_string(reason);
}

std::string resumed_text(const SuperoptimizeResult& result) {
  if (!result.seconds_before) return "";
  return fmt::format(" after {:.2f} s of the checkpoint", *result.seconds_before);
}

}  // namespace

Json figure_json(const std::optional<double>& figure) {
  if (!figure) return nullptr;
  if (*figure == std::floor(*figure)) return static_cast<std::uint64_t>(*figure);
  return *figure;
}

std::vector<CostChange> cost_changes_of(const OptReport& report) {
  const Cost& cost = report.result.cost;
  const std::vector<Figure> before = figures_of(report.result.translated, cost);
  const std::vector<Figure> after = figures_of(report.result.circuit, cost);
  std::vector<CostChange> changes;
  for (const Objective& objective : cost.objectives()) {
    const auto figure = std::ranges::find(after, objective.name(), &Figure::name);
    ensure(figure != after.end(), "every objective is a figure");
    const auto i = static_cast<std::size_t>(figure - after.begin());
    changes.push_back({figure->name, before[i].value, figure->value});
  }
  return changes;
}

std::string summary_of(const OptReport& report) {
  const SuperoptimizeResult& result = report.result;
  const std::vector<Figure> input = input_figures(report);
  const std::vector<Figure> translated = figures_of(report.result.translated, report.result.cost);
  const std::vector<Figure> after = figures_of(result.circuit, report.result.cost);
  return format_table(input == translated ? before_after_table(input, after)
                                          : translated_after_table(input, translated, after)) +
         growth_notes(input, translated, after, report.result.cost.name()) +
         fmt::format("time     {:.2f} s{}, stopped: {}\n", result.seconds, resumed_text(result),
                     stop_reason_of(report)) +
         fmt::format("rewrites {}\n",
                     result.numeric ? "some in double precision, within 1e-12" : "all exact") +
         fmt::format("phase    {}\n", qasm_expression(result.circuit.global_phase)) +
         (result.edges.any() ? fmt::format("assumed  {}\n", to_string(result.edges)) : "") +
         fmt::format("checked  {}\n", check_text(result.check));
}

std::string explanation_of(const OptReport& report) {
  const SuperoptimizeResult& result = report.result;
  std::string text =
      "\n" + format_table(table_of_counts(
                 {"gates by kind", "input", "translated", "result"}, gates_by_kind(report.input),
                 gates_by_kind(report.result.translated), gates_by_kind(result.circuit)));
  if (const auto boundaries = boundaries_by_kind(result.circuit); !boundaries.empty()) {
    text += "\n" + format_table(table_of_counts({"never crossed", "number"}, boundaries));
  }
  Table passes{{"pass", "runs", "that paid", "gates removed", "seconds"}, {}};
  for (const OptimizePass& pass : result.passes) {
    passes.rows.push_back({fmt::format("{}: {}", pass.name, pass.description),
                           std::to_string(pass.runs), std::to_string(pass.runs_that_paid),
                           std::to_string(pass.gates_removed), seconds_text(pass.seconds)});
  }
  text += "\n" + format_table(passes);
  if (!result.gains.empty()) text += "\n" + list_of_rewrites(result.gains);
  text += fmt::format("annealing moves: {}, circuits examined by backtracking: {}\n",
                      result.annealing_moves, result.circuits_popped);
  if (report.has_journal) text += journal_text(result);
  Table times{{"stage", "seconds"}, {}};
  for (const auto& [name, seconds] : report.stages) {
    times.rows.push_back({name, seconds_text(seconds)});
  }
  return text + "\n" + format_table(times);
}

/// What is needed to repeat the run (docs/formats/stats.md).
Json replay_in_json(const ReplayRecord& replay) {
  Json tables = Json::array();
  for (const ClassTableSummary& table : replay.class_tables) {
    tables.push_back({{"gate_set", table.gate_set},
                      {"cost", table.cost},
                      {"two_qubit_weight", table.two_qubit_weight},
                      {"symbolic", table.symbolic}});
  }
  const auto row =
      std::ranges::find(exactness_names(), replay.exactness, &ExactnessName::exactness);
  return {
      {"version", QUARTZ_VERSION},
      {"reproducible", replay.is_reproducible()},
      {"gate_set_digest", replay.gate_set_digest},
      {"search", replay.search},
      {"exactness", row->name},
      {"seed", replay.seed},
      {"threads", replay.threads},
      {"steps", replay.steps},
      {"time", replay.seconds},
      {"coupling", replay.has_coupling},
      {"rules",
       {{"rules", replay.rules}, {"gates", replay.rule_gates}, {"qubits", replay.rule_qubits}}},
      {"class_tables", tables},
  };
}

std::string stats_of(const OptReport& report) {
  const SuperoptimizeResult& result = report.result;
  Json stages;
  for (const auto& [name, seconds] : report.stages) stages[name] = seconds;
  const Json stats = {
      {"input", figures_in_json(report.input, input_figures(report), report.result.cost)},
      {"before", figures_in_json(report.result.translated,
                                 figures_of(report.result.translated, report.result.cost),
                                 report.result.cost)},
      {"after", figures_in_json(result.circuit, figures_of(result.circuit, report.result.cost),
                                report.result.cost)},
      {"boundaries", boundaries_by_kind(result.circuit)},
      {"cost", report.result.cost.name()},
      {"gate_set", report.gate_set},
      {"global_phase", result.circuit.global_phase.to_string()},
      {"seconds", result.seconds},
      {"seconds_before", figure_json(result.seconds_before)},
      {"stage_seconds", stages},
      {"passes", passes_in_json(result.passes)},
      {"rewrites", rewrites_in_json(result.gains)},
      {"peak_memory_bytes", peak_memory_bytes()},
      {"circuits_popped", result.circuits_popped},
      {"annealing_moves", result.annealing_moves},
      {"numeric", result.numeric},
      {"stop_reason", stop_reason_of(report)},
      {"assumed", to_string(result.edges)},
      {"checked", check_text(result.check)},
      {"uncertified", uncertified_in_json(result)},
      {"verified", result.check.verified ? Json(*result.check.verified) : Json(nullptr)},
      {"written", report.written},
      {"journal", journal_in_json(report)},
      {"replay", replay_in_json(result.replay)},
  };
  return stats.dump(2) + "\n";
}

}  // namespace quartz::cli
