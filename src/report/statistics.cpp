#include "quartz/report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "quartz/base/errors.hpp"
#include "report/figures.hpp"
#include "report/run_text.hpp"

namespace quartz {
namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// Returns counts as integers, and null for a missing figure.
Json to_json(const std::optional<double>& value) {
  if (!value) return nullptr;
  if (*value == std::floor(*value)) return static_cast<std::uint64_t>(*value);
  return *value;
}

/// Returns the named costs with underscores, the numbers of qubits and of measurements, the
/// objectives of the cost by name under "cost", and the gates by kind.
Json figures_in_json(const CircuitFigures& figures, const Cost& cost) {
  Json json;
  Json own;
  for (const Objective& objective : cost.objectives()) own[std::string(objective.name())] = nullptr;
  for (const Figure& figure : figures.costs) {
    const Json value = to_json(figure.value);
    if (own.contains(figure.name)) own[figure.name] = value;
    if (find_cost(figure.name) == nullptr) continue;
    std::string key = figure.name;
    std::replace(key.begin(), key.end(), '-', '_');
    json[key] = value;
  }
  json["t_depth"] = figures.t_depth;
  json["qubits"] = figures.qubits;
  json["measurements"] = figures.measurements;
  json["cost"] = own;
  json["gates"] = figures.gates;
  return json;
}

Json passes_in_json(const std::vector<OptimizePass>& passes) {
  Json list = Json::array();
  for (const OptimizePass& pass : passes) {
    list.push_back({{"pass", pass.name},
                    {"description", pass.description},
                    {"runs", pass.runs},
                    {"runs_that_paid", pass.runs_that_paid},
                    {"gates_removed", pass.gates_removed},
                    {"seconds", pass.seconds},
                    {"processor_seconds", pass.processor_seconds}});
  }
  return list;
}

Json rewrites_in_json(const std::vector<RewriteGain>& gains) {
  Json list = Json::array();
  for (const RewriteGain& gain : gains) {
    Json row = {{"pass", gain.rewrite.pass},
                {"kind", to_string(gain.rewrite.kind)},
                {"description", description_of(gain.rewrite.kind)}};
    if (has_sides(gain.rewrite)) {
      row["left"] = circuit_text(gain.rewrite.left);
      row["right"] = circuit_text(gain.rewrite.right);
      row["phase"] = gain.rewrite.phase.to_readable_string();
    }
    row["uses"] = gain.uses;
    row["gates_removed"] = gain.gates_removed;
    list.push_back(std::move(row));
  }
  return list;
}

Json journal_in_json(const RunReport& report) {
  if (!report.has_journal) return nullptr;
  return {{"rewrites", report.result.journal_rewrites},
          {"bytes", report.result.journal.size()},
          {"bytes_per_rewrite", to_json(journal_bytes_per_rewrite(report.result))}};
}

/// Returns the objectives of the best circuit found, by name, if it could not be certified.
Json uncertified_in_json(const SuperoptimizeResult& result) {
  if (!result.uncertified_cost) return nullptr;
  return result.cost.describe(*result.uncertified_cost);
}

/// Returns the number of ancillas, of gadgets and of measurements, and the cost without them; null
/// if the result has no ancillas.
Json ancillas_in_json(const SuperoptimizeResult& result) {
  if (result.ancillas == 0) return nullptr;
  return {
      {"qubits", result.ancillas},
      {"gadgets", result.gadgets},
      {"toffolis", result.measured_toffolis},
      {"adders", result.adders},
      {"parallel_rotations", result.parity_ancillas},
      {"cost_without",
       result.without_ancillas ? Json(result.cost.describe(*result.without_ancillas)) : Json()}};
}

/// Returns what an undecided check lacked; null if that is nothing, or if it decided.
Json shortage_in_json(const ResultCheck& check) {
  const bool is_undecided = check.verified == false;
  if (!is_undecided || check.report.shortage == Shortage::none) return nullptr;
  return std::string(to_string(check.report.shortage));
}

/// Returns how sure the verdict is; null if the check did not decide.
Json check_in_json(const ResultCheck& check) {
  if (check.verified != true) return nullptr;
  return {{"distance", check.report.distance ? Json(*check.report.distance) : Json()},
          {"log2_failure", check.report.log2_failure ? Json(*check.report.log2_failure) : Json()}};
}

/// Returns what is needed to repeat the run (docs/formats/stats.md).
Json record_in_json(const RunRecord& record) {
  Json tables = Json::array();
  for (const ClassTableSummary& table : record.class_tables) {
    tables.push_back({{"gate_set", table.gate_set},
                      {"cost", table.cost},
                      {"two_qubit_weight", table.two_qubit_weight},
                      {"symbolic", table.symbolic}});
  }
  Json json = {{"version", QUARTZ_VERSION},
               {"reproducible", record.is_reproducible()},
               {"gate_set_digest", record.gate_set_digest}};
  for (const auto& [name, value] : record.options) {
    json[std::string(name)] = std::visit([](const auto& each) { return Json(each); }, value);
  }
  json["threads"] = record.threads;
  json["coupling"] = record.has_coupling;
  json["rules"] = {
      {"rules", record.rules}, {"gates", record.rule_gates}, {"qubits", record.rule_qubits}};
  json["class_tables"] = tables;
  return json;
}

Json products_in_json(const std::optional<ProductCounts>& products) {
  if (!products) return nullptr;
  return {{"before", products->before}, {"after", products->after}};
}

Json device_annealing_in_json(const std::optional<DeviceAnnealing>& device) {
  if (!device) return nullptr;
  return {{"devices", device->devices},     {"chains", device->chains},
          {"sweeps", device->sweeps},       {"moves", device->moves},
          {"confirmed", device->confirmed}, {"refuted", device->refuted}};
}

Json repetitions_in_json(const std::optional<RepetitionCounts>& repetitions) {
  if (!repetitions) return nullptr;
  return {{"fragments", repetitions->fragments},
          {"copies", repetitions->copies},
          {"gates", repetitions->gates}};
}

Json local_optimality_in_json(const std::optional<LocalOptimality>& optimality) {
  if (!optimality) return nullptr;
  return {{"gates", optimality->gates},
          {"in_windows", optimality->in_windows},
          {"in_segments", optimality->in_segments},
          {"gates_of_segment", optimality->gates_of_segment},
          {"moves_per_gate", optimality->moves_per_gate}};
}

Json shown_in_json(const ShownFigures& shown) {
  return {{"t_depth", shown.t_depth}, {"sizes", shown.sizes}};
}

/// Returns all statistics.
Json to_json(const RunReport& report, const RunFigures& figures) {
  const SuperoptimizeResult& result = report.result;
  Json stages;
  for (const auto& [name, seconds] : report.stages) stages[name] = seconds;
  return {
      {"input", figures_in_json(figures.input, result.cost)},
      {"before", figures_in_json(figures.translated, result.cost)},
      {"after", figures_in_json(figures.result, result.cost)},
      {"shown_figures", shown_in_json(figures.shown)},
      {"boundaries", figures.result.boundaries},
      {"cost", report.result.cost.name()},
      {"gate_set", report.gate_set},
      {"global_phase", result.circuit.global_phase.to_readable_string()},
      {"seconds", result.seconds},
      {"seconds_before", to_json(result.seconds_before)},
      {"stage_seconds", stages},
      {"passes", passes_in_json(result.passes)},
      {"rewrites", rewrites_in_json(result.gains)},
      {"peak_memory_bytes", report.peak_memory_bytes ? Json(*report.peak_memory_bytes) : Json()},
      {"circuits_popped", result.circuits_popped},
      {"annealing_moves", result.annealing_moves},
      {"device_annealing", device_annealing_in_json(result.device_annealing)},
      {"products", products_in_json(result.products)},
      {"repetitions", repetitions_in_json(result.repetitions)},
      {"local_optimality", local_optimality_in_json(result.local_optimality)},
      {"numeric", result.numeric},
      {"approximated_rotations", result.approximated_rotations},
      {"ancillas", ancillas_in_json(result)},
      {"stop_reason", stop_reason_of(report)},
      {"assumed", to_string(result.assumptions)},
      {"known_states",
       {{"gates_removed", result.known_states.gates_removed},
        {"gates_replaced", result.known_states.gates_replaced}}},
      {"checked", result.check.text},
      {"uncertified", uncertified_in_json(result)},
      {"check", check_in_json(result.check)},
      {"check_lacked", shortage_in_json(result.check)},
      {"verified", result.check.verified ? Json(*result.check.verified) : Json(nullptr)},
      {"written", report.written},
      {"journal", journal_in_json(report)},
      {"replay", record_in_json(result.run_record)},
  };
}

}  // namespace

std::string statistics_of(const RunReport& report, const RunFigures& figures) {
  return to_json(report, figures).dump(2) + "\n";
}

}  // namespace report

std::string statistics_of(const RunReport& run) {
  return report::statistics_of(run, report::run_figures(run, run.result.threads));
}

}  // namespace quartz
