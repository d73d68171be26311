#include <catch2/catch.hpp>

#include "base/device_error.hpp"
#include "device_chains.hpp"
#include "gate_set_circuits.hpp"
#include "optimize/annealing/device/device_sweeps.hpp"
#include "optimize/requirements.hpp"
#include "optimize/window_device/chain_devices.hpp"
#include "optimize/window_device/chain_table.hpp"
#include "quartz/base/errors.hpp"
#include "unitary_distance.hpp"
#include "window_chains/backend/emulated_chains.hpp"
#include "window_chains/backend/host_chain.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;
using namespace quartz::window_chains;

namespace {

std::vector<Circuit> two_random_circuits(const GateSet& set, std::uint64_t seed,
                                         std::uint32_t qubits, std::size_t size) {
  Random random(seed);
  std::vector<Circuit> circuits;
  for (int i = 0; i < 2; ++i) circuits.push_back(random_circuit_in(set, random, qubits, size));
  return circuits;
}

/// Whole circuits from which chains start.
struct Chains {
  Chains(const GateSet& set, std::uint64_t seed, std::uint32_t qubits, std::size_t size)
      : Chains(set, seed, two_random_circuits(set, seed, qubits, size), 40) {}
  Chains(const GateSet& set, std::uint64_t seed, const std::vector<Circuit>& given,
         std::uint32_t moves_per_gate)
      : classes(table_for_chains(set)), labels(classes->alphabet()), table(chain_table(*classes)) {
    REQUIRE(table);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::uint32_t qubits = given[i].qubit_count();
      const auto gates = labels.intern(given[i].operations).gates;
      circuits.push_back(make_circuit(qubits, labels.operations(gates)));
      ChainSlice& slice = slices.emplace_back();
      for (std::uint32_t wire = 0; wire < qubits; ++wire) {
        slice.wires.push_back(static_cast<Wire>(wire));
      }
      for (std::uint32_t gate = 0; gate < gates.size(); ++gate) slice.gates.push_back(gate);
      add_start(round.starts, labels, gates, slice);
      round.schedules.push_back(cooling_stages(i == 0 ? 1.0 : 0.6, 0.2, 4, moves_per_gate));
    }
    round.chains = 8;
    round.seed = seed;
    known = chain_labels(labels, classes->alphabet().letters.size());
  }

  [[nodiscard]] std::vector<ChainEnd> ends(const ChainBackend& backend) const {
    return backend.make(*table, 0)->run(round, known);
  }

  std::shared_ptr<const ClassTable> classes;
  AnnealingLabels labels;
  std::optional<HostTable> table;
  std::vector<Circuit> circuits;
  std::vector<ChainSlice> slices;
  ChainRound round;
  ChainLabels known;
};

constexpr const char* kSets[] = {"nam", "ibm", "ibm_heron", "clifford_t", "rigetti"};

}  // namespace

TEST_CASE("every chain leads to an equal circuit, which the host finds again", "[window_chains]") {
  for (const char* name : kSets) {
    Chains chains(load_gate_set(name), 11, 4, 40);
    SliceReplay replay(*chains.table, *chains.classes, chains.labels, false);
    const std::vector<ChainEnd> ends = chains.ends(chain_backend("emulator"));
    REQUIRE(ends.size() == 8);
    for (std::uint32_t i = 0; i < ends.size(); ++i) {
      INFO("gate set " << name << ", chain " << i);
      const std::uint32_t start = chains.round.circuit_of(i);
      CHECK(ends[i].best_value < chains.circuits[start].operations.size());
      CHECK(ends[i].replaced > 20);
      CHECK(ends[i].strayed * 200 < ends[i].moves);
      const auto found = replay.run(chains.slices[start], chains.round, chains.known, i, ends[i]);
      REQUIRE(found);
      CHECK(found->totals.value == ends[i].best_value);
      CHECK(found->gates.size() == ends[i].best_value);
      Circuit after = make_circuit(4, chains.labels.operations(found->gates));
      after.global_phase = Angle::pi_times(Rational(found->totals.phase, 8));
      CHECK(unitary_distance(chains.circuits[start], after) < 1e-8);
    }
  }
}

TEST_CASE("chains merge rotations about equal parities that are far apart", "[window_chains]") {
  using enum GateKind;
  const Angle eighth = Angle::pi_times(Rational(1, 4));
  for (const bool is_complement : {false, true}) {
    // Qubit 0 is the control of all gates between its rotations.
    std::vector<Operation> gates{make_operation(rz, {0}, {eighth})};
    if (is_complement) gates.push_back(make_operation(x, {0}));
    for (int i = 0; i < 12; ++i) {
      gates.push_back(make_operation(cx, {0, 1U + i % 2}));
      gates.push_back(make_operation(h, {1U + i % 2}));
    }
    gates.push_back(make_operation(rz, {0}, {eighth}));
    Chains chains(load_gate_set("nam"), 2, {make_circuit(3, gates)}, 0);
    // Stages without moves of windows, except for those at temperature 0.
    chains.round.schedules.front().pop_back();
    const ChainEnd end = chains.ends(chain_backend("emulator")).front();
    CHECK(end.moves == chains.round.schedules.front().size());
    CHECK(end.best_value == gates.size() - (is_complement ? 2 : 1));
    SliceReplay replay(*chains.table, *chains.classes, chains.labels, true);
    const auto found = replay.run(chains.slices[0], chains.round, chains.known, 0, end);
    REQUIRE(found);
    Circuit after = make_circuit(3, chains.labels.operations(found->gates));
    after.global_phase = Angle::pi_times(Rational(found->totals.phase, 8));
    CHECK(unitary_distance(chains.circuits[0], after) < 1e-8);
  }
}

TEST_CASE("a result of a device that the host does not find is discarded", "[window_chains]") {
  Chains chains(load_gate_set("nam"), 5, 4, 40);
  SliceReplay replay(*chains.table, *chains.classes, chains.labels, true);
  const ChainEnd end = chains.ends(chain_backend("emulator")).front();
  const auto found = [&](const ChainEnd& claimed) {
    return replay.run(chains.slices[0], chains.round, chains.known, 0, claimed).has_value();
  };
  CHECK(found(end));
  ChainEnd other = end;
  --other.best_value;
  CHECK_FALSE(found(other));
  other = end;
  ++other.best_cost;
  CHECK_FALSE(found(other));
  other = end;
  --other.best_move;
  CHECK_FALSE(found(other));
}

TEST_CASE("chains depend on their number and the seed only", "[window_chains]") {
  Chains chains(load_gate_set("nam"), 7, 5, 50);
  const std::vector<ChainEnd> ends = chains.ends(chain_backend("emulator"));
  CHECK(ends == chains.ends(chain_backend("emulator")));
  CHECK(std::ranges::adjacent_find(ends) == ends.end());
  chains.round.chains = 3;
  CHECK(chains.ends(chain_backend("emulator")) ==
        std::vector<ChainEnd>(ends.begin(), ends.begin() + 3));
  chains.round.seed = 8;
  CHECK(chains.ends(chain_backend("emulator")) !=
        std::vector<ChainEnd>(ends.begin(), ends.begin() + 3));
}

TEST_CASE("a chain keeps the links of its circuit", "[window_chains]") {
  Chains chains(load_gate_set("nam"), 9, 6, 80);
  HostChain chain(*chains.table, chains.known, chains.round, 0);
  NoObserver observer;
  (void)chain.run(observer);
  const std::span<const ChainGate> places = chain.places();
  CHECK(places.size() <= chain_capacity(80));
  std::vector<std::uint32_t> firsts(6, 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ChainGate& gate = places[i];
    for (unsigned k = 0; k < gate.size; ++k) {
      firsts[gate.wires[k]] += gate.previous[k] == kNoPlace ? 1 : 0;
      if (gate.next[k] == kNoPlace) continue;
      const ChainGate& next = places[gate.next[k]];
      CHECK(next.position > gate.position);
      const auto* const operand = std::find(next.wires, next.wires + next.size, gate.wires[k]);
      REQUIRE(operand != next.wires + next.size);
      CHECK(next.previous[operand - next.wires] == i);
    }
  }
  for (const std::uint32_t count : firsts) CHECK(count <= 1);
}

TEST_CASE("a table is in the memory of a device once", "[window_chains]") {
  const auto table = table_for_chains(load_gate_set("nam"));
  ChainDevices none(nullptr);
  CHECK_FALSE(none.is_available_for(*table));
  CHECK(none.with(*table) == nullptr);
  ChainDevices devices(&chain_backend("emulator"));
  CHECK(devices.is_available_for(*table));
  const ChainDevice* const device = devices.with(*table);
  REQUIRE(device != nullptr);
  CHECK(device->devices() == 1);
  CHECK(devices.with(*table) == device);
  devices.give_up();
  CHECK_FALSE(devices.is_available_for(*table));
  CHECK(devices.with(*table) == nullptr);
}

TEST_CASE("several devices work together as one, and do what one does", "[window_chains]") {
  static constexpr ChainBackend kThree = {"three emulators", [] { return 3U; },
                                          &make_emulated_chains};
  Chains chains(load_gate_set("nam"), 23, 4, 40);
  ChainDevices all(&kThree);
  ChainDevice* const group = all.with(*chains.classes);
  REQUIRE(group != nullptr);
  CHECK(group->devices() == 3);
  CHECK(group->chains() == 3 * chain_backend("emulator").make(*chains.table, 0)->chains());
  for (const std::uint32_t count : {2U, 13U}) {  // fewer than devices, and no multiple of them
    chains.round.chains = count;
    CHECK(group->run(chains.round, chains.known) == chains.ends(chain_backend("emulator")));
  }
  ChainDevices some(&kThree, 2);
  CHECK(some.with(*chains.classes)->devices() == 2);
}

TEST_CASE("a device that cannot have a table is left out", "[window_chains]") {
  static constexpr ChainBackend kLastFails = {"two emulators of three", [] { return 3U; },
                                              [](const HostTable& table, unsigned device) {
                                                if (device == 2) throw DeviceError("no memory");
                                                return make_emulated_chains(table, device);
                                              }};
  const auto table = table_for_chains(load_gate_set("nam"));
  ChainDevices devices(&kLastFails);
  REQUIRE(devices.with(*table) != nullptr);
  CHECK(devices.with(*table)->devices() == 2);
}

TEST_CASE("annealing has a device only if its options ask for one", "[window_chains]") {
  const auto device_for = [](SearchBackend backend, const char* search) {
    OptimizeOptions options;
    options.backend = backend;
    options.search = search;
    return device_for_chains(options);
  };
  CHECK(device_for(SearchBackend::cpu, "anneal") == nullptr);
  CHECK(device_for(SearchBackend::automatic, "anneal") == nullptr);
  CHECK(device_for(SearchBackend::automatic, "auto") == nullptr);
  CHECK(device_for(SearchBackend::cuda, "auto") == nullptr);
  const ChainBackend& first = chain_backends().front();
  CHECK(device_for(SearchBackend::cuda, "fold,anneal") ==
        (first.name == "cuda" ? &first : nullptr));
}

TEST_CASE("chains on a device are those of the emulator", "[window_chains][device]") {
  for (const ChainBackend& device : chain_backends()) {
    if (device.name == "emulator" || device.devices() == 0) continue;
    for (const char* name : kSets) {
      INFO("gate set " << name);
      Chains chains(load_gate_set(name), 21, 5, 60);
      chains.round.chains = 67;
      CHECK(chains.ends(device) == chains.ends(chain_backend("emulator")));
    }
  }
}
