#include "optimize/annealing/cnot_rz_block.hpp"

#include <catch2/catch.hpp>

#include "gate_set_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

/// Returns a circuit of CNOTs and of gates on single qubits that the gate set has for CNOT+Rz
/// blocks.
Circuit random_block(const char* set, Random& random, std::uint32_t qubits, int gates) {
  Circuit circuit = make_circuit(qubits, {});
  const bool has_rz = std::string_view(set) != "clifford_t";
  for (int i = 0; i < gates; ++i) {
    const Qubit qubit = below(random, qubits);
    const Qubit other = (qubit + 1 + below(random, qubits - 1)) % qubits;
    const std::uint32_t choice = below(random, 8);
    if (choice < 4) {
      circuit.operations.push_back(make_operation(GateKind::cx, {qubit, other}));
    } else if (choice == 4) {
      circuit.operations.push_back(make_operation(GateKind::x, {qubit}));
    } else if (!has_rz) {
      circuit.operations.push_back(make_operation(choice < 7 ? GateKind::t : GateKind::s, {qubit}));
    } else {
      const Rational angle = choice == 7 ? Rational(below(random, 2) == 0 ? 1 : -1, 5)
                                         : Rational(1 + below(random, 7), 4);
      circuit.operations.push_back(make_operation(GateKind::rz, {qubit}, {Angle::pi_times(angle)}));
    }
  }
  return circuit;
}

CnotRzWindow block_at(const WireLists& circuit, const AnnealingLabels& labels, GateIndex start) {
  CnotRzWindow block;
  grow_window(
      circuit, start, kMaxBlockGates,
      [&](const WiredGate& gate) { return fits_cnot_rz_block(labels[gate.label]); }, block);
  return block;
}

}  // namespace

TEST_CASE("a replacement for a CNOT+Rz block preserves its unitary", "[cnot_rz_block]") {
  for (const char* name : {"nam", "ibm", "clifford_t"}) {
    const GateSet set = load_gate_set(name);
    ClassTableOptions options;
    options.cost = 1;
    options.symbolic = std::string_view(name) != "clifford_t";
    const auto table = build_class_table(set, options);
    Random random(41);
    FastRandom choices(41);
    int rewritten = 0;
    for (int round = 0; round < 80; ++round) {
      INFO("gate set " << name << ", seed 41, round " << round);
      const std::uint32_t qubits = 2 + below(random, 6);
      const Circuit circuit = random_block(name, random, qubits, 30);
      AnnealingLabels labels(table->alphabet());
      WireLists lists(labels.intern(circuit.operations).gates, qubits);
      CnotRzSynthesis synthesis(labels);
      REQUIRE(synthesis.is_possible());
      const CnotRzWindow block =
          block_at(lists, labels, below(random, static_cast<std::uint32_t>(lists.places())));
      const CnotRzSynthesis::Replacement* replacement =
          synthesis.rewrite(lists, block, nullptr, choices);
      if (replacement == nullptr) continue;
      ++rewritten;
      REQUIRE(synthesis.is_confirmed(lists, block, *replacement));
      lists.replace({block.gates.data(), block.gates.size()},
                    {block.wires.data(), block.wires.size()}, replacement->gates);
      Circuit result = make_circuit(qubits, labels.operations(lists.gates()));
      result.global_phase = labels.phase() + Angle::pi_times(Rational(replacement->phase, 8));
      CHECK(unitary_distance(circuit, result) < 1e-8);
    }
    CHECK(rewritten > 20);
  }
}

TEST_CASE("the replacement for a CNOT+Rz block respects the coupling map", "[cnot_rz_block]") {
  ClassTableOptions options;
  options.cost = 1;
  options.symbolic = true;
  const auto table = build_class_table(load_gate_set("nam"), options);
  Random random(44);
  FastRandom choices(44);
  int rewritten = 0;
  for (int round = 0; round < 200; ++round) {
    INFO("seed 44, round " << round);
    CouplingMap map;
    for (Qubit qubit = 1; qubit < 6; ++qubit) map.add(qubit, below(random, qubit));
    Circuit circuit = random_block("nam", random, 6, 60);
    std::erase_if(circuit.operations, [&](const Operation& operation) {
      return uncoupled_pair(operation, map).has_value();
    });
    AnnealingLabels labels(table->alphabet());
    const WireLists lists(labels.intern(circuit.operations).gates, 6);
    if (lists.places() == 0) continue;
    CnotRzSynthesis synthesis(labels);
    const CnotRzWindow block = block_at(lists, labels, 0);
    const CnotRzSynthesis::Replacement* found = synthesis.rewrite(lists, block, &map, choices);
    if (found == nullptr) continue;
    ++rewritten;
    CHECK(synthesis.is_confirmed(lists, block, *found));
    CHECK_FALSE(uncoupled_gate(make_circuit(6, labels.operations(found->gates)), map));
  }
  CHECK(rewritten > 20);
}

TEST_CASE("a wrong replacement for a CNOT+Rz block is not confirmed", "[cnot_rz_block]") {
  const GateSet set = load_gate_set("nam");
  ClassTableOptions options;
  options.cost = 1;
  options.symbolic = true;
  const auto table = build_class_table(set, options);
  Random random(43);
  FastRandom choices(43);
  int checked = 0;
  for (int round = 0; round < 60; ++round) {
    INFO("seed 43, round " << round);
    const Circuit circuit = random_block("nam", random, 5, 25);
    AnnealingLabels labels(table->alphabet());
    const WireLists lists(labels.intern(circuit.operations).gates, 5);
    CnotRzSynthesis synthesis(labels);
    const CnotRzWindow block = block_at(lists, labels, 0);
    const CnotRzSynthesis::Replacement* found = synthesis.rewrite(lists, block, nullptr, choices);
    if (found == nullptr || found->gates.empty()) continue;
    ++checked;
    CnotRzSynthesis::Replacement wrong = *found;
    wrong.phase = (wrong.phase + 1) & 15;
    CHECK_FALSE(synthesis.is_confirmed(lists, block, wrong));
    wrong = *found;
    wrong.gates.erase(wrong.gates.begin() +
                      below(random, static_cast<std::uint32_t>(wrong.gates.size())));
    CHECK_FALSE(synthesis.is_confirmed(lists, block, wrong));
  }
  CHECK(checked > 10);
}

TEST_CASE("a gate set without CNOTs has no CNOT+Rz blocks", "[cnot_rz_block]") {
  ClassTableOptions options;
  options.cost = 1;
  const auto table = build_class_table(load_gate_set("ibm_heron"), options);
  const AnnealingLabels labels(table->alphabet());
  CHECK_FALSE(CnotRzSynthesis(labels).is_possible());
}
