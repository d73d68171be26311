#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quartz/report/statistics.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "report/figures.hpp"
#include "report/headline.hpp"

using namespace quartz;

namespace {

/// Returns a circuit that would have half a million operations in native gates.
Circuit large_circuit() {
  constexpr std::size_t kGates = 10'000;
  constexpr std::uint32_t kQubits = 10;
  std::vector<Operation> gates;
  for (std::uint32_t i = 0; i < kGates; ++i) {
    gates.push_back(make_operation(
        GateKind::ccx, {i % kQubits, (i + 1 + i % 3) % kQubits, (i + 5 + i % 4) % kQubits}));
    if (i % 7 == 0) gates.push_back(make_operation(GateKind::h, {(i / 7) % kQubits}));
    if (i % 11 == 0)
      gates.push_back(make_operation(GateKind::swap, {i % kQubits, (i + 3) % kQubits}));
  }
  return make_circuit(kQubits, std::move(gates));
}

nlohmann::json statistics(const Circuit& input, const SuperoptimizeResult& result) {
  const std::string set = "ibm_heron";
  return nlohmann::json::parse(statistics_of({.input = input, .result = result, .gate_set = set}));
}

}  // namespace

TEST_CASE("Reports compare a result with the translation of which no runs were merged") {
  const Circuit input = large_circuit();
  const GateSet set = load_gate_set("ibm_heron");
  SuperoptimizeOptions options;
  options.cost = Cost({CostKind::total, GateWeights("weights", {}, 0.5), CostKind::t_depth,
                       GateWeights("durations", {}, 1.5, Combination::critical_path)});
  options.seconds = 1e-3;  // The search is left out: the translation alone takes longer.
  options.check = CheckPolicy::off;
  std::optional<double> check_seconds;
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (progress.stage == SuperoptimizeStage::check) check_seconds = progress.check_seconds;
  };
  for (const unsigned threads : {1U, 2U}) {
    INFO(threads << " threads");
    options.threads = threads;
    SuperoptimizeResult result = superoptimize(input, set, options);
    REQUIRE(result.plain_translation.has_value());
    const nlohmann::json reported = statistics(input, result);
    const report::RunFigures figures =
        report::run_figures({.input = input, .result = result, .gate_set = set.name}, 1);
    const std::string headline =
        report::headline(report::objectives_of(figures.translated, result.cost),
                         report::objectives_of(figures.result, result.cost), {});
    CHECK(headline.find("fewer") != std::string::npos);
    CHECK(headline.find("no cheaper circuit found") == std::string::npos);
    // The passes account for every gate.
    std::int64_t removed = 0;
    for (const OptimizePass& pass : result.passes) removed += pass.gates_removed;
    CHECK(removed == reported["before"]["total"].get<std::int64_t>() -
                         reported["after"]["total"].get<std::int64_t>());

    result.translated = translate(input, set);
    CHECK(cost_of_translation(result) == cost_of(result.translated, result.cost));
    CHECK(result.plain_translation->operations == result.translated.operations.size());
    CHECK(check_seconds == default_check_seconds(options.seconds, options.steps,
                                                 result.translated.operations.size()));
    result.plain_translation.reset();
    CHECK(reported["before"] == statistics(input, result)["before"]);
    CHECK(reported["after"] != reported["before"]);
  }
}
