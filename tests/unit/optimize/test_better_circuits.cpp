#include "optimize/annealing/better_circuits.hpp"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "gate_set_circuits.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "small_table.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::classes;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

using Chains = std::vector<std::unique_ptr<AnnealingChain>>;

}  // namespace

TEST_CASE("the best circuits of all threads are collected while they run", "[annealing]") {
  const auto table = small_table(load_gate_set("nam"), 3);
  Random random(44);
  INFO("seed 44");
  const Circuit first = random_circuit_in(load_gate_set("nam"), random, 4, 60);
  const Circuit second = random_circuit_in(load_gate_set("nam"), random, 4, 40);
  AnnealingLabels labels(table->alphabet());
  const auto first_gates = labels.intern(first.operations).gates;
  const Angle first_phase = labels.phase();
  const auto second_gates = labels.intern(second.operations).gates;

  // Two threads, with a chain for each circuit, and none for a third one without gates.
  std::vector<Chains> threads(2);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    for (const auto& gates : {first_gates, second_gates}) {
      threads[i].push_back(
          std::make_unique<AnnealingChain>(*table, labels, rewrite::WireLists(gates, 4), 50 + i));
    }
    threads[i].push_back(nullptr);
  }

  std::vector<std::vector<std::uint64_t>> collected;
  BetterCircuits better(
      3, {},
      [&](const AnnealingChain::Best* found, std::size_t circuit) {
        REQUIRE((found == nullptr) == (circuit == 2));
        circuit::DerivedGates gates = circuit::DerivedGates::unchanged({});
        if (found != nullptr) gates.gates = labels.operations(found->gates);
        if (found != nullptr) gates.phase = Angle::pi_times(Rational(found->totals.phase, 8));
        return gates;
      },
      [&](std::vector<circuit::DerivedGates> circuits) {
        REQUIRE(circuits.size() == 3);
        collected.push_back({circuits[0].gates.size(), circuits[1].gates.size()});
        Circuit found = make_circuit(4, std::move(circuits[0].gates));
        found.global_phase = first_phase + circuits[0].phase;
        CHECK(unitary_distance(first, found) < 1e-8);
        CHECK(circuits[2].gates.empty());
      });

  better.collect(0, threads[0]);
  REQUIRE(collected.size() == 1);
  CHECK(collected[0] == std::vector<std::uint64_t>{first_gates.size(), second_gates.size()});
  better.collect(1, threads[1]);
  CHECK(collected.size() == 1);  // nothing is better

  threads[0][0]->run(4000, 0.4);
  threads[1][1]->run(4000, 0.4);
  better.collect(1, threads[1]);
  better.collect(0, threads[0]);
  REQUIRE(collected.size() == 3);
  CHECK(collected[1][0] == first_gates.size());
  CHECK(collected[1][1] == threads[1][1]->best_value());
  CHECK(collected[1][1] < second_gates.size());
  // The best circuits of different threads are joined.
  CHECK(collected[2][0] == threads[0][0]->best_value());
  CHECK(collected[2][0] < first_gates.size());
  CHECK(collected[2][1] == collected[1][1]);
}

TEST_CASE("another thread leads only with a circuit that is clearly better", "[annealing]") {
  const auto table = small_table(load_gate_set("nam"), 3);
  Random random(45);
  INFO("seed 45");
  const Circuit circuit = random_circuit_in(load_gate_set("nam"), random, 20, 1500);
  AnnealingLabels labels(table->alphabet());
  const auto gates = labels.intern(circuit.operations).gates;
  std::vector<Chains> threads(2);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i].push_back(
        std::make_unique<AnnealingChain>(*table, labels, rewrite::WireLists(gates, 20), 60 + i));
  }
  std::vector<std::uint64_t> collected;
  bool follows = true;
  BetterCircuits better(
      1, [&] { return follows; },
      [&](const AnnealingChain::Best* found, std::size_t) {
        return circuit::DerivedGates::unchanged(labels.operations(found->gates));
      },
      [&](std::vector<circuit::DerivedGates> circuits) {
        collected.push_back(circuits[0].gates.size());
      });
  threads[0][0]->run(5000, 0);
  better.collect(0, threads[0]);
  const std::uint64_t first = threads[0][0]->best_value();
  const double enough = (1 - BetterCircuits::kLead) * static_cast<double>(first);
  AnnealingChain& other = *threads[1][0];
  while (other.best_value() >= first) other.run(1, 0);
  REQUIRE(static_cast<double>(other.best_value()) >= enough);
  better.collect(1, threads[1]);
  CHECK(collected.size() == 1);
  while (static_cast<double>(other.best_value()) >= enough) other.run(100, 0);
  better.collect(1, threads[1]);
  REQUIRE(collected.size() == 2);
  CHECK(collected.back() == other.best_value());
  // It leads from now on.
  const std::uint64_t before = other.best_value();
  while (other.best_value() == before) other.run(1, 0);
  better.collect(1, threads[1]);
  CHECK(collected.size() == 3);

  const std::uint64_t value = 100'000;
  CHECK(better.thread_at_end(0, std::vector{value - 400, value}) == 1);
  CHECK(better.thread_at_end(0, std::vector{value - 600, value}) == 0);
  follows = false;
  CHECK(better.thread_at_end(0, std::vector{value - 1, value}) == 0);
  CHECK(better.thread_at_end(0, std::vector{value, value}) == 0);
  AnnealingChain& first_again = *threads[0][0];
  while (first_again.best_value() >= other.best_value()) first_again.run(100, 0);
  better.collect(0, threads[0]);
  CHECK(collected.size() == 4);
}
