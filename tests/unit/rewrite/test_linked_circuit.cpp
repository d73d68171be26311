#include <catch2/catch.hpp>

#include <set>

#include "random_circuits.hpp"
#include "rewrite/linked_circuit.hpp"

using namespace quartz;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

std::uint64_t hash_of(const std::vector<PackedGate>& gates, const LabelTable& labels) {
  LinkedCircuit linked;
  linked.assign(gates, labels);
  return linked.hash();
}

}  // namespace

TEST_CASE("the hash does not depend on the order in which a circuit is written", "[linked]") {
  Random random(12);
  for (int round = 0; round < 50; ++round) {
    LabelTable labels;
    const Circuit circuit = random_circuit(random, kinds_up_to(3), 5, 30);
    std::vector<PackedGate> gates = pack(circuit.operations, labels).gates;
    const std::uint64_t hash = hash_of(gates, labels);
    for (int swaps = 0; swaps < 100; ++swaps) {
      const std::size_t i = below(random, gates.size() - 1);
      if ((qubit_mask(gates[i]) & qubit_mask(gates[i + 1])) == 0) {
        std::swap(gates[i], gates[i + 1]);
      }
    }
    INFO("seed 12, round " << round);
    CHECK(hash_of(gates, labels) == hash);
  }
}

TEST_CASE("circuits that differ have different hashes", "[linked]") {
  using enum GateKind;
  const Angle quarter = Angle::pi_times({1, 4});
  const std::vector<std::vector<Operation>> circuits{
      {},
      {make_operation(h, {0})},
      {make_operation(h, {1})},
      {make_operation(x, {0})},
      {make_operation(rz, {0}, {quarter})},
      {make_operation(rz, {0}, {quarter * Rational(2)})},
      {make_operation(cx, {0, 1})},
      {make_operation(cx, {1, 0})},
      {make_operation(h, {0}), make_operation(x, {0})},
      {make_operation(x, {0}), make_operation(h, {0})},
      {make_operation(h, {0}), make_operation(x, {1})},
      {make_operation(cx, {0, 1}), make_operation(cx, {1, 2})},
      {make_operation(cx, {1, 2}), make_operation(cx, {0, 1})}};
  LabelTable labels;
  std::set<std::uint64_t> hashes;
  for (const auto& operations : circuits)
    hashes.insert(hash_of(pack(operations, labels).gates, labels));
  CHECK(hashes.size() == circuits.size());
}

TEST_CASE("the hash after a change is the hash of the changed circuit", "[linked]") {
  Random random(13);
  for (int round = 0; round < 200; ++round) {
    LabelTable labels;
    const Circuit circuit =
        random_circuit(random, {GateKind::h, GateKind::t, GateKind::cx, GateKind::ccx}, 4, 20);
    const std::vector<PackedGate> gates = pack(circuit.operations, labels).gates;
    LinkedCircuit linked;
    linked.assign(gates, labels);
    // One gate is replaced by several others on the same qubits.
    const std::size_t place = below(random, gates.size());
    std::vector<LinkedCircuit::WireChange> changes;
    std::vector<PackedGate> replacement;
    for (std::uint8_t slot = 0; slot < gates[place].size; ++slot) {
      const auto at = static_cast<std::int32_t>(place);
      changes.push_back({gates[place].qubits[slot], at, at});
    }
    for (std::size_t i = below(random, 4); i > 0; --i) {
      PackedGate added{labels.intern(GateKind::s, {}).label, {}, 1};
      added.qubits[0] = gates[place].qubits[below(random, gates[place].size)];
      replacement.push_back(added);
    }
    std::vector<PackedGate> after(gates.begin(),
                                  gates.begin() + static_cast<std::ptrdiff_t>(place));
    after.insert(after.end(), replacement.begin(), replacement.end());
    after.insert(after.end(), gates.begin() + static_cast<std::ptrdiff_t>(place) + 1, gates.end());
    INFO("seed 13, round " << round);
    CHECK(linked.hash_after(changes, replacement, labels) == hash_of(after, labels));
  }
}
