#include <catch2/catch.hpp>
#include <sstream>

#include "device_chains.hpp"
#include "gate_set_circuits.hpp"
#include "journal/history_writer.hpp"
#include "optimize/annealing/annealer.hpp"
#include "optimize/window_device/chain_table.hpp"
#include "quartz/certify/equivalence.hpp"
#include "replayed_journal.hpp"
#include "unitary_distance.hpp"
#include "window_chains/backend/emulated_chains.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

/// A circuit with a chain on the host, and sweeps of the emulator.
struct Sweeps {
  Sweeps(const GateSet& set, std::uint64_t seed, std::uint32_t qubit_count, std::size_t size)
      : table(table_for_chains(set)),
        labels(table->alphabet()),
        qubits(qubit_count),
        on_chains(chain_table(*table)),
        device(chain_backend("emulator").make(*on_chains, 0)) {
    Random random(seed);
    const Circuit circuit = random_circuit_in(set, random, qubits, size);
    const std::vector<PlainGate> gates = labels.intern(circuit.operations).gates;
    first = make_circuit(qubits, labels.operations(gates));
    chains.push_back(
        std::make_unique<AnnealingChain>(*table, labels, WireLists(gates, qubits), seed));
    chains.push_back(nullptr);
    chains.front()->record_history();
    sweeps.emplace(*device, *on_chains, *table, labels, DeviceSweeps::Settings{true, 2, seed});
  }

  [[nodiscard]] Circuit circuit_of(const AnnealingChain::Best& found) const {
    Circuit circuit = make_circuit(qubits, labels.operations(found.gates));
    circuit.global_phase = Angle::pi_times(Rational(found.totals.phase, 8));
    return circuit;
  }

  std::shared_ptr<const ClassTable> table;
  AnnealingLabels labels;
  std::uint32_t qubits;
  std::optional<window_chains::HostTable> on_chains;
  std::unique_ptr<window_chains::ChainDevice> device;
  Circuit first;
  std::vector<std::unique_ptr<AnnealingChain>> chains;
  std::optional<DeviceSweeps> sweeps;
};

/// Anneals with the emulator.
AnnealingResult annealed(const ClassTable& table, const Circuit& circuit, std::uint64_t seed,
                         ChainDevices& devices) {
  AnnealingLimits limits;
  limits.budget = Budget::of_ticks(20'000);
  limits.threads = 1;
  limits.seed = seed;
  limits.devices = &devices;
  const std::span<const Operation> gates(circuit.operations);
  return anneal(table, {&gates, 1}, circuit.qubit_count(), limits);
}

}  // namespace

TEST_CASE("sweeps on a device lead to equal circuits, with their history", "[window_chains]") {
  for (const char* name : {"nam", "ibm", "clifford_t"}) {
    // The first circuit is one slice; the second one has several, of which each sweep anneals one.
    for (const std::size_t size : {50, 400}) {
      INFO("gate set " << name << ", " << size << " gates");
      Sweeps search(load_gate_set(name), 31, 5, size);
      AnnealingChain& chain = *search.chains.front();
      for (int i = 0; i < 4; ++i) {
        search.sweeps->run(search.chains, 20);
        const AnnealingChain::Best now = chain.current();
        CHECK(now.totals.value == now.gates.size());
        CHECK(unitary_distance(search.first, search.circuit_of(now)) < 1e-8);
        std::ostringstream journal;
        (void)journal::write_journal(journal, search.first, now.history);
        const ReplayReport report = replay(search.first, search.circuit_of(now), journal.str());
        INFO(report.fault);
        CHECK(report.is_certified);
        chain.run(100, 0.2);
      }
      CHECK(search.sweeps->counts().refuted == 0);
      CHECK(search.sweeps->counts().confirmed > 0);
      CHECK(search.sweeps->counts().sweeps == 4);
      CHECK(search.sweeps->counts().chains == search.device->chains());
      CHECK(search.sweeps->counts().moves > 0);
      CHECK(chain.best_value() < search.first.operations.size());
      const AnnealingChain::Best best = chain.best();
      CHECK(best.gates.size() == chain.best_value());
      CHECK(unitary_distance(search.first, search.circuit_of(best)) < 1e-8);
    }
  }
}

TEST_CASE("annealing with a device depends on the seed only", "[window_chains]") {
  const GateSet set = load_gate_set("nam");
  const auto table = table_for_chains(set);
  Random random(17);
  const Circuit circuit = random_circuit_in(set, random, 5, 80);
  ChainDevices devices(&chain_backend("emulator"));
  const AnnealingResult first = annealed(*table, circuit, 1, devices);
  REQUIRE(first.device);
  CHECK(first.device->sweeps > 0);
  CHECK(first.device->refuted == 0);
  Circuit after = make_circuit(5, first.circuits[0].gates);
  after.global_phase = first.circuits[0].phase;
  CHECK(unitary_distance(circuit, after) < 1e-8);
  CHECK(after.operations.size() < circuit.operations.size());
  CHECK(annealed(*table, circuit, 1, devices).circuits[0].gates == first.circuits[0].gates);
}

TEST_CASE("annealing uses several devices", "[window_chains]") {
  const GateSet set = load_gate_set("nam");
  const auto table = table_for_chains(set);
  Random random(19);
  const Circuit circuit = random_circuit_in(set, random, 5, 80);
  static constexpr window_chains::ChainBackend kThreeDevices = {
      "three emulators", [] { return 3U; }, &window_chains::make_emulated_chains};
  ChainDevices devices(&kThreeDevices);
  const AnnealingResult result = annealed(*table, circuit, 1, devices);
  REQUIRE(result.device);
  CHECK(result.device->devices == 3);
  CHECK(result.device->refuted == 0);
  Circuit after = make_circuit(5, result.circuits[0].gates);
  after.global_phase = result.circuits[0].phase;
  CHECK(unitary_distance(circuit, after) < 1e-8);
}

TEST_CASE("annealing for a coupling map or a depth stays on the host", "[window_chains]") {
  const GateSet set = load_gate_set("nam");
  const auto table = table_for_chains(set);
  Random random(18);
  const Circuit circuit = random_circuit_in(set, random, 3, 40);
  ChainDevices devices(&chain_backend("emulator"));
  const std::span<const Operation> gates(circuit.operations);
  AnnealingLimits limits;
  limits.budget = Budget::of_ticks(2'000);
  limits.devices = &devices;
  CHECK(anneal(*table, {&gates, 1}, 3, limits).device);
  limits.value = scalar_cost(Cost(CostKind::depth), set, 40);
  CHECK_FALSE(anneal(*table, {&gates, 1}, 3, limits).device);
  limits.value = {};
  CouplingMap all;
  for (const auto& [a, b] : {std::pair(0U, 1U), std::pair(0U, 2U), std::pair(1U, 2U)})
    all.add(a, b);
  limits.coupling = &all;
  CHECK_FALSE(anneal(*table, {&gates, 1}, 3, limits).device);
}
