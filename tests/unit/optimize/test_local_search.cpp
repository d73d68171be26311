#include <catch2/catch.hpp>

#include <sstream>

#include "gate_set_circuits.hpp"
#include "journal/history_writer.hpp"
#include "optimize/derived_search.hpp"
#include "optimize/local_optimality/shifted_segments.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/classes/class_table.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"
#include "small_table.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

Circuit circuit_of(const Circuit& before, LocalSearchResult& result) {
  Circuit after = make_circuit(before.qubit_count(), std::move(result.gates.gates));
  after.global_phase = before.global_phase + result.gates.phase;
  return after;
}

LocalSearchLimits limits_with(std::uint64_t ticks, std::uint64_t moves_per_gate, unsigned threads) {
  LocalSearchLimits limits;
  limits.budget = Budget::of_ticks(ticks);
  limits.threads = threads;
  limits.seed = 5;
  limits.moves_per_gate = moves_per_gate;
  limits.record_history = true;
  return limits;
}

}  // namespace

TEST_CASE("a local search replaces windows until none is too expensive", "[local]") {
  const GateSet set = load_gate_set("clifford_t");
  const auto table = small_table(set, 4);
  Random random(41);
  const Circuit circuit = random_circuit_in(set, random, 5, 3'000);
  LocalSearchResult first =
      search_shifted_segments(*table, circuit.operations, 5, limits_with(1'000'000, 0, 1));
  CHECK(first.is_complete);
  CHECK(first.optimality.gates == first.gates.gates.size());
  CHECK(first.optimality.in_windows == first.optimality.gates);
  CHECK(first.optimality.in_segments == 0);
  const std::vector<Operation> gates = first.gates.gates;
  CHECK(gates.size() < 2'600);
  std::ostringstream journal;
  (void)journal::write_journal(journal, circuit, first.gates.derivation.history());
  const ReplayReport report = replay(circuit, circuit_of(circuit, first), journal.str());
  CHECK(report.is_certified);
  CHECK(report.phase.is_zero());

  // Blocks are cut elsewhere, and yet there is no window to replace.
  LocalSearchLimits limits = limits_with(1'000'000, 0, 1);
  const LocalSearchResult second = search_shifted_segments(*table, gates, 5, limits);
  CHECK(second.is_complete);
  CHECK(gates.size() - second.gates.gates.size() <= gates.size() / 200);
}

TEST_CASE("segments are annealed once their windows are optimal", "[local]") {
  const GateSet set = load_gate_set("nam");
  const auto table = small_table(set, 4);
  Random random(42);
  const Circuit circuit = random_circuit_in(set, random, 4, 1'200);
  LocalSearchResult windows =
      search_shifted_segments(*table, circuit.operations, 4, limits_with(1'000'000, 0, 1));
  LocalSearchResult annealed =
      search_shifted_segments(*table, circuit.operations, 4, limits_with(3'000'000, 60, 1));
  CHECK(annealed.gates.gates.size() < windows.gates.gates.size());
  CHECK(annealed.optimality.in_windows == annealed.optimality.gates);
  std::ostringstream journal;
  (void)journal::write_journal(journal, circuit, annealed.gates.derivation.history());
  CHECK(replay(circuit, circuit_of(circuit, annealed), journal.str()).is_certified);
}

TEST_CASE("a local search depends on the seed and the ticks, and not on the time", "[local]") {
  const GateSet set = load_gate_set("clifford_t");
  const auto table = small_table(set, 4);
  Random random(43);
  const Circuit circuit = random_circuit_in(set, random, 4, 2'000);
  const auto searched = [&] {
    return search_shifted_segments(*table, circuit.operations, 4, limits_with(20'000, 10, 2))
        .gates.gates;
  };
  const std::vector<Operation> first = searched();
  CHECK(first == searched());
}

TEST_CASE("rounds in stretches, for those who want better circuits early, find the same",
          "[local]") {
  const GateSet set = load_gate_set("clifford_t");
  const auto table = small_table(set, 4);
  Random random(45);
  const Circuit circuit = random_circuit_in(set, random, 4, 6'000);
  LocalSearchLimits limits = limits_with(1'000'000, 0, 1);
  LocalSearchResult rounds = search_shifted_segments(*table, circuit.operations, 4, limits);
  limits.budget = Budget();
  limits.on_better = [](const circuit::DerivedGates&) {};
  LocalSearchResult stretches = search_shifted_segments(*table, circuit.operations, 4, limits);
  CHECK(rounds.gates.gates == stretches.gates.gates);
  CHECK(rounds.gates.phase == stretches.gates.phase);
  std::ostringstream journal;
  (void)journal::write_journal(journal, circuit, stretches.gates.derivation.history());
  CHECK(replay(circuit, circuit_of(circuit, stretches), journal.str()).is_certified);
}

TEST_CASE("a local search leaves a list that is optimal as it is", "[local]") {
  using enum GateKind;
  const GateSet set = load_gate_set("clifford_t");
  const auto table = small_table(set, 4);
  const std::vector<Operation> gates{make_operation(h, {0}), make_operation(t, {0}),
                                     make_operation(h, {0})};
  const LocalSearchResult result =
      search_shifted_segments(*table, gates, 1, limits_with(1'000, 10, 1));
  CHECK(result.gates.gates == gates);
  CHECK(result.gates.derivation.history() == nullptr);
  CHECK(result.is_complete);
}

TEST_CASE("the local search says how much of the circuit is locally optimal", "[local]") {
  const GateSet set = load_gate_set("clifford_t");
  Random random(44);
  Circuit circuit = random_circuit_in(set, random, 5, 1'000);
  circuit.operations.insert(circuit.operations.begin() + 500, reset(2));
  OptimizeOptions options;
  options.search = "local";
  options.steps = 200'000;
  options.threads = 1;
  options.table_memory = std::uint64_t{1} << 26U;
  SearchListener listener;
  listener.records = true;
  const RuleSet rules;
  const SearchResult result = search(circuit, set, rules, options, listener);
  REQUIRE(result.report.local_optimality);
  CHECK(result.report.local_optimality->gates == result.best.circuit.operations.size());
  CHECK(count_gates(result.best.circuit).total < 900);
  CHECK(result.report.local_optimality->in_windows == result.report.local_optimality->gates);
  CHECK(result.report.local_optimality->moves_per_gate > 0);
  CHECK(check_equivalence(circuit, result.best.circuit).verdict == EquivalenceVerdict::equal);
}
