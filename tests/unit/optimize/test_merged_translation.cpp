#include "optimize/passes/merged_translation.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "journal/history_writer.hpp"
#include "multiples_of_pi.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/runs/one_qubit_runs.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/optimize/optimize.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"
#include "target/translation.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

const Cost kTotal = CostKind::total;

std::optional<circuit::DerivedCircuit> merged_translation(const Circuit& circuit,
                                                          const GateSet& set) {
  const PassContext context{set, kTotal};
  return translated_with_merged_runs(circuit, context, size_of_translation(circuit, context));
}

/// Returns a plain translation after which the runs are merged.
Circuit merged_after_translation(const Circuit& circuit, const GateSet& set) {
  Circuit result = translate(circuit, set);
  RunWords words(set, scalar_gate_cost_in_blocks(kTotal, set));
  std::optional<circuit::DerivedGates> merged =
      merge_one_qubit_runs(result.operations, result.qubit_count(), words, RunHistory::none);
  if (!merged) return result;
  result.operations = std::move(merged->gates);
  return result;
}

/// Gates that programs are written in, on up to three qubits.
const std::vector<GateKind> kGates{h,  x, y,  s,  sdg, t,  tdg,  rx,  ry,
                                   rz, p, u3, cx, cz,  cp, swap, rzz, ccx};

}  // namespace

TEST_CASE("a translation with merged runs has the same unitary, for every set", "[passes]") {
  for (const char* name : {"ibm_heron", "ibm_eagle", "rigetti", "google", "quantinuum", "iqm",
                           "nam", "ibm_heron_fractional"}) {
    const GateSet set = load_gate_set(name);
    Random random(95);
    for (int round = 0; round < 30; ++round) {
      const Circuit circuit = random_circuit(random, kGates, 4, 5 + below(random, 40), 12);
      const std::optional<circuit::DerivedCircuit> found = merged_translation(circuit, set);
      INFO("gate set " << name << ", seed 95, round " << round);
      REQUIRE(found.has_value());
      CHECK(unitary_distance(circuit, found->circuit) < 1e-8);
      CHECK(target::is_translated(found->circuit, set));
      const Circuit plain = translate(circuit, set);
      CHECK(count_gates(found->circuit).total <= count_gates(plain).total);
      CHECK(count_gates(found->circuit).two_qubit <= count_gates(plain).two_qubit);
      CHECK(count_gates(found->circuit).t <= count_gates(plain).t);
    }
  }
}

TEST_CASE("the counts of a plain translation are those of translate(), with directions",
          "[passes]") {
  const std::vector<GateKind> in_clifford_t{h, x, y, s, sdg, t, tdg, cx, cz, swap, ccx};
  for (const char* name : {"ibm_heron", "ibm_eagle", "rigetti", "nam", "clifford_t"}) {
    const GateSet set = load_gate_set(name);
    const Cost weighted({GateWeights("durations", {}, 1.5, Combination::critical_path),
                         CostKind::t_depth, GateWeights("errors", {{cz, {{0, 1}}, 3}}, 0.5)});
    CouplingMap forward(true);
    for (Qubit a = 0; a < 4; ++a) {
      for (Qubit b = a + 1; b < 4; ++b) forward.add(a, b);
    }
    Random random(96);
    const std::array<const CouplingMap*, 2> maps{nullptr, &forward};
    for (const CouplingMap* const map : maps) {
      const Circuit circuit =
          random_circuit(random, in_clifford_t, 4, 1000 + below(random, 1000), 12);
      Circuit plain = translate(circuit, set);
      if (map != nullptr) plain = fix_gate_directions(plain, set, *map);
      const PassContext context{.set = set, .cost = weighted, .coupling = map};
      const std::optional<CircuitCounts> counts = counts_of_plain_translation(circuit, context);
      INFO("gate set " << name << ", seed 96, " << (map == nullptr ? "any pairs" : "directed"));
      REQUIRE(counts.has_value());
      CHECK(counts->operations == plain.operations.size());
      CHECK(counts->cost == cost_of(plain, weighted));
      for (const CostName& cost : cost_names()) {
        CHECK(counts->named.at(static_cast<std::size_t>(cost.kind)) ==
              Objective(cost.kind).units_of(plain));
      }
      std::map<GateKind, std::uint64_t> kinds;
      for (const Operation& operation : plain.operations) ++kinds[operation.gate];
      CHECK(counts->gates == kinds);
    }
  }
}

TEST_CASE("a translation with merged runs has no more gates than one that is merged afterwards",
          "[passes]") {
  for (const char* name : {"ibm_heron", "rigetti"}) {
    const GateSet set = load_gate_set(name);
    Random random(96);
    std::size_t at_once = 0;
    std::size_t afterwards = 0;
    for (int round = 0; round < 30; ++round) {
      const Circuit circuit = random_circuit(random, {h, rz, cx, ccx}, 3 + round % 3, 400, 12);
      const std::optional<circuit::DerivedCircuit> found = merged_translation(circuit, set);
      REQUIRE(found.has_value());
      at_once += found->circuit.operations.size();
      afterwards += merged_after_translation(circuit, set).operations.size();
    }
    INFO("gate set " << name << ", seed 96");
    CHECK(at_once <= afterwards);
  }
}

TEST_CASE("a replay of the history proves a translation with merged runs exactly", "[passes]") {
  for (const char* name : {"ibm_heron", "rigetti", "google"}) {
    const GateSet set = load_gate_set(name);
    Random random(97);
    for (int round = 0; round < 10; ++round) {
      Circuit circuit = random_circuit(random, kGates, 4, 100, 12);
      for (int i = 0; i < 10; ++i) circuit = with_inverse_pair(circuit, random, {cx, swap, ccx});
      const std::optional<circuit::DerivedCircuit> found = merged_translation(circuit, set);
      INFO("gate set " << name << ", seed 97, round " << round);
      REQUIRE(found.has_value());
      REQUIRE(found->derivation.is_recorded());
      CHECK_FALSE(found->derivation.is_numeric());
      std::ostringstream journal;
      (void)journal::write_journal(journal, circuit, found->derivation.history());
      const ReplayReport report = replay(circuit, found->circuit, journal.str());
      CHECK(report.is_certified);
      CHECK(report.phase.is_zero());
    }
  }
}

TEST_CASE("runs are not merged across measurements and conditional gates in translations",
          "[passes]") {
  const GateSet set = load_gate_set("ibm_heron");
  const Circuit circuit = classical_circuit(
      2, {1},
      {make_operation(h, {0}), measure(0, 0), make_operation(h, {0}), make_operation(h, {1}),
       make_operation(h, {1}), conditional(make_operation(h, {0}), 0, 1)});
  const std::optional<circuit::DerivedCircuit> found = merged_translation(circuit, set);
  REQUIRE(found.has_value());
  const auto of_kind = [&](auto is_of_kind) {
    return std::ranges::count_if(found->circuit.operations, is_of_kind);
  };
  // Three gates before the measurement, three behind it, and three under the condition.
  CHECK(of_kind([](const Operation& operation) {
          return operation.kind == OperationKind::measure;
        }) == 1);
  CHECK(of_kind([](const Operation& operation) { return !operation.is_boundary(); }) == 6);
  CHECK(of_kind([](const Operation& operation) { return !operation.conditions().empty(); }) == 3);
  std::ostringstream journal;
  (void)journal::write_journal(journal, circuit, found->derivation.history());
  CHECK(replay(circuit, found->circuit, journal.str()).is_certified);
}

TEST_CASE("runs are left to the plain translation if a set has no words for them", "[passes]") {
  CHECK_FALSE(
      merged_translation(make_circuit(1, {make_operation(h, {0})}), load_gate_set("clifford_t"))
          .has_value());
}

TEST_CASE("the size of a translation is known before it is made", "[passes]") {
  const GateSet set = load_gate_set("ibm_heron");
  const Circuit circuit = make_circuit(
      3, {make_operation(ccx, {0, 1, 2}), make_operation(h, {0}), make_operation(cx, {1, 2}),
          make_operation(ccx, {2, 1, 0}), make_operation(rz, {1}, {pi(1, 5)})});
  CHECK(size_of_translation(circuit, {set, kTotal}) == translate(circuit, set).operations.size());
}
