#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <vector>

#include "certify/replay/reduced_window.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;

namespace {

/// Gates as the replay knows them, with their operands.
class Window {
 public:
  Window(OperationTable& table, const std::vector<Operation>& gates) {
    for (const Operation& gate : gates) {
      std::vector<std::uint8_t>& operands = operands_.emplace_back();
      for (const Qubit qubit : gate.qubits) operands.push_back(static_cast<std::uint8_t>(qubit));
      Operation bare = gate;
      bare.qubits.clear();
      gates_.push_back({table.code_of(bare), operands});
    }
  }
  [[nodiscard]] ReducedWindow::Gates gates() const { return gates_; }

 private:
  std::deque<std::vector<std::uint8_t>> operands_;
  std::vector<ReplayedCircuit::WindowOperation> gates_;
};

Circuit circuit_of(const OperationTable& table, ReducedWindow::Gates gates, std::size_t wires) {
  std::vector<Operation> operations;
  for (const auto& gate : gates) {
    Operation& operation = operations.emplace_back(table[gate.code]);
    operation.qubits.assign(gate.operands.begin(), gate.operands.end());
  }
  return make_circuit(static_cast<std::uint32_t>(wires), std::move(operations));
}

}  // namespace

TEST_CASE("reduced windows are equal exactly if the windows are", "[replay]") {
  Random random(82);
  const std::vector<GateKind> kinds = {GateKind::h, GateKind::t, GateKind::cx, GateKind::x};
  std::size_t shorter = 0;
  for (int round = 0; round < 2000; ++round) {
    OperationTable table;
    const std::uint32_t wires = 2 + below(random, 2);
    const auto part = [&](std::size_t size) {
      return random_circuit(random, kinds, wires, below(random, size)).operations;
    };
    std::vector<Operation> left = part(4);
    std::vector<Operation> right = left;
    const std::vector<Operation> end = part(4);
    for (std::vector<Operation>* each : {&left, &right}) {
      const std::vector<Operation> middle = part(3);
      each->insert(each->end(), middle.begin(), middle.end());
      each->insert(each->end(), end.begin(), end.end());
    }
    const Window first(table, left);
    const Window second(table, right);
    ReducedWindow window;
    window.reduce(first.gates(), second.gates());
    INFO("seed 82, round " << round);
    CHECK(window.left().size() + right.size() == window.right().size() + left.size());
    if (window.left().size() < left.size()) ++shorter;
    const bool is_equal =
        unitary_distance(make_circuit(wires, left), make_circuit(wires, right)) < 1e-9;
    const std::size_t own_wires = std::max<std::size_t>(window.wires(), 1);
    const bool is_reduced_equal =
        unitary_distance(circuit_of(table, window.left(), own_wires),
                         circuit_of(table, window.right(), own_wires)) < 1e-9;
    CHECK(is_equal == is_reduced_equal);
  }
  CHECK(shorter > 1000);
}
