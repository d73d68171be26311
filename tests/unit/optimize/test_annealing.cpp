#include "optimize/annealing/annealing_chain.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "gate_set_circuits.hpp"
#include "optimize/annealing/annealer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/cost.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::classes;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

std::shared_ptr<const ClassTable> table_of(const char* set, bool symbolic = false,
                                           unsigned two_qubit_weight = 1) {
  ClassTableOptions options;
  options.two_qubit_weight = two_qubit_weight;
  options.cost = 3;
  options.threads = 2;
  options.symbolic = symbolic;
  return build_class_table(load_gate_set(set), options);
}

Circuit best_of(AnnealingChain& chain, const AnnealingLabels& labels, std::uint32_t qubits) {
  const AnnealingChain::Best best = chain.best();
  Circuit circuit = make_circuit(qubits, labels.operations(best.gates));
  circuit.global_phase = labels.phase() + Angle::pi_times(Rational(best.totals.phase, 8));
  return circuit;
}

}  // namespace

TEST_CASE("annealing preserves the unitary, and its running cost equals a recount", "[annealing]") {
  for (const char* name : {"nam", "ibm", "ibm_heron", "clifford_t", "rigetti"}) {
    const GateSet set = load_gate_set(name);
    const bool symbolic = !set.alphabet.expressions.empty();
    const auto table = table_of(name, symbolic);
    Random random(23);
    for (int round = 0; round < 4; ++round) {
      Circuit circuit = random_circuit_in(set, random, 5, 60);
      for (int i = 0; symbolic && i < 5; ++i) {
        circuit.operations.insert(
            circuit.operations.begin() + below(random, circuit.operations.size()),
            make_operation(GateKind::rz, {below(random, 5)},
                           {Angle::pi_times(Rational(1 + i % 2, 7 - i % 2))}));
      }
      AnnealingLabels labels(table->alphabet());
      const std::vector<PlainGate> gates = labels.intern(circuit.operations).gates;
      AnnealingChain chain(*table, labels, WireLists(gates, 5), 23);
      INFO("gate set " << name << ", seed 23, round " << round);
      chain.run(3000, 0.5);
      chain.run(3000, 0);
      CHECK(unitary_distance(circuit, best_of(chain, labels, 5)) < 1e-8);
      CHECK(chain.best_value() == chain.best().gates.size());
      CHECK(chain.totals().value == chain.circuit().gates().size());
      CHECK(chain.best_value() < gates.size());
      CHECK(chain.counts().refuted == 0);
      // One class in 2^19 or more shares its tag with another one, and its windows may be tried
      // many times.
      CHECK(chain.counts().strayed * 200 < chain.counts().moves);
    }
  }
}

TEST_CASE("windows have no more qubits than the class table", "[annealing]") {
  const GateSet set = load_gate_set("nam");
  for (const unsigned qubits : {1U, 2U}) {
    INFO("a table for " << qubits << " qubits");
    ClassTableOptions options;
    options.qubits = qubits;
    options.cost = 3;
    const auto table = build_class_table(set, options);
    Random random(5);
    const Circuit circuit = random_circuit_in(set, random, 5, 60);
    AnnealingLabels labels(table->alphabet());
    AnnealingChain chain(*table, labels, WireLists(labels.intern(circuit.operations).gates, 5), 23);
    chain.run(3000, 0.5);
    chain.run(3000, 0);
    CHECK(unitary_distance(circuit, best_of(chain, labels, 5)) < 1e-8);
    CHECK(chain.best_value() < 60);
  }
}

TEST_CASE("gates whose operands can be exchanged have a letter for all their orders",
          "[annealing]") {
  const GateSet set = parse_gate_set(
      R"({"format": "quartz-gate-set", "version": 1, "name": "few",
          "gates": [{"gate": "ccz"}, {"gate": "swap"}, {"gate": "h"}],
          "alphabet": {"parameters": 1, "expressions": ["p0"]}})",
      "few.json");
  ClassTableOptions options;
  options.cost = 2;
  const auto table = build_class_table(set, options);
  AnnealingLabels labels(table->alphabet());
  const Operation ccz = make_operation(GateKind::ccz, {0, 1, 2});
  const AnnealingLabel& label = labels[labels.intern({&ccz, 1}).gates[0].label];
  std::vector<std::size_t> order{0, 1, 2};
  do {
    CHECK(label.letter[order[0] + 4 * order[1] + 16 * order[2]] >= 0);
  } while (std::ranges::next_permutation(order).found);
}

TEST_CASE("Gates of the bundled sets have a letter on all operands", "[annealing]") {
  for (const char* name : {"nam", "ibm_heron", "clifford_t"}) {
    INFO(name);
    const auto table = table_of(name, name != std::string("clifford_t"));
    AnnealingLabels labels(table->alphabet());
    const bool is_symbolic = table->alphabet().symbolic != 0;
    if (is_symbolic) {
      const Operation rotation = make_operation(GateKind::rz, {0}, {Angle::pi_times({1, 7})});
      CHECK(labels.intern({&rotation, 1}).gates.size() == 1);
      CHECK(labels.symbols() == 2);
    }
    const auto symbol = static_cast<unsigned>(labels.symbols() - 1);
    for (unsigned letter = 0; letter < table->alphabet().letters.size(); ++letter) {
      const auto& row = labels[labels.label_of(letter, symbol)].letter;
      CHECK(std::ranges::any_of(row, [](int each) { return each >= 0; }));
    }
  }
}

TEST_CASE("Gates with an idle operand are left alone", "[annealing]") {
  // A table has one letter for all orders of operands with the same unitary.
  const GateSet set = parse_gate_set(
      R"({"format": "quartz-gate-set", "version": 1, "name": "idle",
          "gates": [{"gate": "h"}, {"gate": "cx"}, {"gate": "gate g u,v { ry(pi/4) v; }"}],
          "alphabet": {"parameters": 0, "expressions": []}})",
      "idle.json");
  ClassTableOptions options;
  options.cost = 2;
  const auto table = build_class_table(set, options);
  const GateKind idle = set.entries.back().gate;
  std::vector<Operation> operations;
  for (std::uint32_t i = 0; i < 30; ++i) {
    operations.push_back(make_operation(idle, {i % 3, (i + 1 + i % 2) % 3}));
    operations.push_back(make_operation(GateKind::h, {i % 3}));
    operations.push_back(make_operation(GateKind::h, {i % 3}));
  }
  const Circuit circuit = make_circuit(3, std::move(operations));
  AnnealingLabels labels(table->alphabet());
  const std::vector<PlainGate> gates = labels.intern(circuit.operations).gates;
  CHECK(std::ranges::all_of(labels[gates[0].label].letter, [](int letter) { return letter < 0; }));
  AnnealingChain chain(*table, labels, WireLists(gates, 3), 23);
  chain.run(3000, 0.5);
  chain.run(3000, 0);
  CHECK(unitary_distance(circuit, best_of(chain, labels, 3)) < 1e-8);
  CHECK(chain.best_value() == 30);
}

TEST_CASE("wrong entries in the table are caught by the confirmation", "[annealing]") {
  const GateSet set = load_gate_set("nam");
  const auto sound = table_of("nam");
  // Every fourth class gets other last letters and a lower cost.
  ClassTable::Contents contents = sound->contents();
  auto words =
      std::make_shared<std::vector<std::uint64_t>>(contents.words.begin(), contents.words.end());
  const std::size_t letters = contents.alphabet.letters.size();
  for (std::size_t i = 0; i < words->size(); i += 4) {
    std::uint64_t& word = (*words)[i];
    if (word == 0) continue;
    const std::uint64_t cost = word >> letters & 31U;
    word ^= 0x15;
    if (cost > 2) word -= std::uint64_t{1} << letters;
  }
  contents.words = *words;
  contents.owner = words;
  const ClassTable damaged(std::move(contents), kTableSeed);
  Random random(29);
  const Circuit circuit = random_circuit_in(set, random, 4, 60);
  AnnealingLabels labels(damaged.alphabet());
  AnnealingChain chain(damaged, labels, WireLists(labels.intern(circuit.operations).gates, 4), 29);
  chain.run(5000, 0.5);
  CHECK(chain.counts().strayed + chain.counts().refuted > 100);
  CHECK(unitary_distance(circuit, best_of(chain, labels, 4)) < 1e-8);
}

TEST_CASE("annealing with a number of steps is reproducible", "[annealing]") {
  const GateSet set = load_gate_set("nam");
  const auto table = table_of("nam");
  Random random(31);
  // large enough for focused sweeps
  const Circuit first = random_circuit_in(set, random, 5, 200);
  const Circuit second = random_circuit_in(set, random, 3, 20);
  const std::vector<std::span<const Operation>> circuits{first.operations, {}, second.operations};
  AnnealingLimits limits;
  limits.budget = Budget::of_ticks(200000);
  limits.threads = 2;
  limits.seed = 5;
  const AnnealingResult a = anneal(*table, circuits, 5, limits);
  const AnnealingResult b = anneal(*table, circuits, 5, limits);
  REQUIRE(a.circuits.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(a.circuits[i].gates == b.circuits[i].gates);
    CHECK(a.circuits[i].phase == b.circuits[i].phase);
    Circuit result = make_circuit(5, a.circuits[i].gates);
    result.global_phase = a.circuits[i].phase;
    const Circuit given = make_circuit(5, {circuits[i].begin(), circuits[i].end()});
    CHECK(unitary_distance(given, result) < 1e-8);
  }
  CHECK(a.circuits[0].gates.size() < first.operations.size());
}

TEST_CASE("a focused sweep preserves the unitary and stays near its focus", "[annealing]") {
  const GateSet set = load_gate_set("nam");
  const auto table = table_of("nam", true);
  Random random(33);
  // There are two circuits side by side: moves in a focus in one must not touch the other.
  for (int round = 0; round < 10; ++round) {
    INFO("seed 33, round " << round);
    Circuit circuit = random_circuit_in(set, random, 3, 60);
    const Circuit other = random_circuit_in(set, random, 3, 60);
    circuit = make_circuit(6, circuit.operations);
    for (Operation operation : other.operations) {
      for (Qubit& qubit : operation.qubits) qubit += 3;
      circuit.operations.push_back(operation);
    }
    AnnealingLabels labels(table->alphabet());
    const std::vector<PlainGate> gates = labels.intern(circuit.operations).gates;
    AnnealingChain chain(*table, labels, WireLists(gates, 6), 33 + static_cast<unsigned>(round));
    chain.settings.moves_per_gate = 0;
    const WireLists before = chain.circuit();
    const auto half = [](const WireLists& lists, bool second) {
      std::vector<PlainGate> result;
      for (const PlainGate& gate : lists.gates()) {
        if ((gate.wires[0] >= 3) == second) result.push_back(gate);
      }
      return result;
    };
    const auto same = [](const std::vector<PlainGate>& a, const std::vector<PlainGate>& b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.wires == y.wires && x.label == y.label;
      });
    };
    chain.begin_sweep(10);
    chain.run(2000, 0.5);
    CHECK(same(half(chain.circuit(), false), half(before, false)) !=
          same(half(chain.circuit(), true), half(before, true)));
    chain.end_sweep();
    for (const PlainGate& gate : chain.circuit().gates()) CHECK_FALSE(gate.marked);
    chain.settings.moves_per_gate = 16;
    const std::uint64_t cost_before = chain.totals().table_cost;
    chain.begin_sweep(30);
    chain.run(2000, 0.5);
    CHECK(unitary_distance(circuit, best_of(chain, labels, 6)) < 1e-8);
    CHECK(chain.totals().value == chain.circuit().gates().size());
    for (const PlainGate& gate : chain.best().gates) CHECK_FALSE(gate.marked);
    chain.end_sweep();
    CHECK(chain.totals().table_cost <= cost_before);
    for (const PlainGate& gate : chain.circuit().gates()) CHECK_FALSE(gate.marked);
    chain.run(2000, 0);
    CHECK(unitary_distance(circuit, best_of(chain, labels, 6)) < 1e-8);
  }
}

TEST_CASE("parity moves find a circuit that window moves do not", "[annealing]") {
  // The circuit is a multiplexer: if a then t ^= b, else t ^= c. Two Toffolis become one, with b ^
  // c.
  const GateSet set = load_gate_set("nam");
  const auto table = table_of("nam");
  Circuit circuit = make_circuit(4, {});
  const auto add_toffoli = [&](Qubit a, Qubit b, Qubit t) {
    const Circuit toffoli =
        translate(make_circuit(4, {make_operation(GateKind::ccx, {a, b, t})}), set);
    circuit.operations.insert(circuit.operations.end(), toffoli.operations.begin(),
                              toffoli.operations.end());
  };
  add_toffoli(0, 1, 3);
  circuit.operations.push_back(make_operation(GateKind::x, {0}));
  add_toffoli(0, 2, 3);
  circuit.operations.push_back(make_operation(GateKind::x, {0}));
  AnnealingLimits limits;
  limits.budget = Budget::of_ticks(400000);
  limits.seed = 3;
  const std::vector<std::span<const Operation>> circuits{circuit.operations};
  const AnnealingResult with_blocks = anneal(*table, circuits, 4, limits);
  CHECK(with_blocks.counts.blocks > 100);
  CHECK(with_blocks.circuits[0].gates.size() == 18);
  limits.record_pairs = true;
  const AnnealingResult without = anneal(*table, circuits, 4, limits);
  CHECK(without.counts.blocks == 0);
  CHECK(without.circuits[0].gates.size() > 18);
}

TEST_CASE("annealing that begins after its deadline ends at once", "[annealing]") {
  const GateSet set = load_gate_set("nam");
  const auto table = table_of("nam");
  Random random(37);
  const Circuit circuit = random_circuit_in(set, random, 4, 50);
  const std::vector<std::span<const Operation>> circuits{circuit.operations};
  AnnealingLimits limits;
  limits.budget = Budget::of_seconds(-1);
  limits.patience = 1'000'000;
  CHECK(anneal(*table, circuits, 4, limits).counts.moves == 0);
}

TEST_CASE("annealing returns the circuit of the least value, although table costs guide it",
          "[annealing]") {
  const auto table = table_of("nam", false, 2);
  const GateSet set = load_gate_set("nam");
  const ScalarGateCost value = [](const Operation& gate) -> std::uint64_t {
    return (gate.qubits.size() > 1 ? 1000U : 0U) + (counts_as_t(gate) ? 30U : 1U);
  };
  const auto sum_of = [&](std::span<const Operation> gates) {
    std::uint64_t sum = 0;
    for (const Operation& gate : gates) sum += value(gate);
    return sum;
  };
  Random random(43);
  for (int round = 0; round < 4; ++round) {
    const Circuit circuit = random_circuit_in(set, random, 4, 60);
    AnnealingLabels labels(table->alphabet(), value);
    AnnealingChain chain(*table, labels, WireLists(labels.intern(circuit.operations).gates, 4), 43);
    INFO("seed 43, round " << round);
    std::uint64_t before = sum_of(circuit.operations);
    for (const double temperature : {1.5, 1.0, 0.5, 0.0}) {
      chain.run(2000, temperature);
      const Circuit best = best_of(chain, labels, 4);
      CHECK(chain.best_value() == sum_of(best.operations));
      CHECK(chain.best_value() <= before);
      CHECK(chain.best_value() <= chain.totals().value);
      CHECK(unitary_distance(circuit, best) < 1e-8);
      before = chain.best_value();
    }
    CHECK(before < sum_of(circuit.operations));
  }
}

TEST_CASE("annealing ends when the circuit is empty", "[annealing]") {
  using enum GateKind;
  const auto table = table_of("nam");
  // x rz(pi) x and the inverse rotation: rotation moves suffice.
  const Circuit circuit =
      make_circuit(1, {make_operation(x, {0}), make_operation(rz, {0}, {Angle::pi_times(1)}),
                       make_operation(x, {0}), make_operation(rz, {0}, {Angle::pi_times(1)}),
                       make_operation(h, {0}), make_operation(h, {0})});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    AnnealingLabels labels(table->alphabet());
    AnnealingChain chain(*table, labels, WireLists(labels.intern(circuit.operations).gates, 1),
                         seed);
    INFO("seed " << seed);
    chain.run(2000, 0.8);
    CHECK(chain.best().gates.empty());
    CHECK(unitary_distance(circuit, best_of(chain, labels, 1)) < 1e-8);
  }
}

TEST_CASE("Annealing accepts more distinct angles than 16 bits can number", "[annealing]") {
  const auto table = table_of("nam");
  AnnealingLabels labels(table->alphabet());
  std::vector<Operation> gates;
  for (int i = 1; i <= 65536 + 8; ++i) {
    gates.push_back(make_operation(GateKind::rz, {0}, {Angle::pi_times(Rational(i, 65537 * 4))}));
  }
  const std::vector<PlainGate> interned = labels.intern(gates).gates;
  REQUIRE(interned.size() == gates.size());
  const std::vector<Operation> operations = labels.operations(interned);
  CHECK(std::equal(operations.begin(), operations.end(), gates.begin()));
}
