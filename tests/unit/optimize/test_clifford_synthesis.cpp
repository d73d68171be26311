#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "optimize/clifford_synthesis/clifford_synthesis.hpp"
#include "optimize/clifford_synthesis/coupled_tree.hpp"
#include "optimize/clifford_synthesis/edge_steps.hpp"
#include "optimize/gate_blocks/gate_blocks.hpp"
#include "optimize/pauli/bit_transpose.hpp"
#include "optimize/state/segments.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

/// Returns random gates on some qubits: h, x, rz by quarter turns of up to two full turns, and cx.
std::vector<Operation> random_clifford(FastRandom& random, std::uint32_t qubits, std::size_t size) {
  std::vector<Operation> gates;
  while (gates.size() < size) {
    const Qubit first = random.below(qubits);
    const Qubit second = random.below(qubits);
    const std::uint32_t kind = random.below(6);
    if (kind == 0) {
      gates.push_back(make_operation(h, {first}));
    } else if (kind == 1) {
      gates.push_back(make_operation(x, {first}));
    } else if (kind == 2) {
      const auto quarters = static_cast<std::int64_t>(random.below(8));
      gates.push_back(make_operation(rz, {first}, {Angle::pi_times(Rational(quarters, 2))}));
    } else if (first != second) {
      gates.push_back(make_operation(cx, {first, second}));
    }
  }
  return gates;
}

/// Returns a circuit in which every pair of qubits has had several gates, so that it is close to a
/// random Clifford operator.
Circuit scrambled(FastRandom& random, std::uint32_t qubits) {
  const std::size_t size = std::size_t{4} * qubits * qubits + 8;
  return make_circuit(qubits, random_clifford(random, qubits, size));
}

OptimizeOptions clifford_options(std::uint64_t steps) {
  OptimizeOptions options;
  options.cost = Cost({CostKind::two_qubit, CostKind::total});
  options.search = "cliffords";
  options.steps = steps;
  return options;
}

std::size_t two_qubit_gates(const Circuit& circuit) {
  return static_cast<std::size_t>(std::ranges::count_if(
      circuit.operations, [](const Operation& gate) { return gate.qubits.size() == 2; }));
}

/// Returns random gates of which those on two qubits are on the pairs of a coupling map.
Circuit scrambled_on(FastRandom& random, std::uint32_t qubits, const CouplingMap& coupling) {
  std::vector<Operation> gates;
  while (gates.size() < std::size_t{12} * qubits * qubits) {
    for (const Operation& gate : random_clifford(random, qubits, 50)) {
      if (gate.qubits.size() == 1 || coupling.contains(gate.qubits[0], gate.qubits[1])) {
        gates.push_back(gate);
      }
    }
  }
  return make_circuit(qubits, std::move(gates));
}

/// Returns the pairs of a grid whose rows follow each other.
CouplingMap grid(std::uint32_t rows, std::uint32_t columns) {
  CouplingMap coupling;
  for (Qubit qubit = 0; qubit < rows * columns; ++qubit) {
    if (qubit % columns + 1 < columns) coupling.add(qubit, qubit + 1);
    if (qubit + columns < rows * columns) coupling.add(qubit, qubit + columns);
  }
  return coupling;
}

}  // namespace

TEST_CASE("bit matrices of any size are transposed") {
  FastRandom random(5);
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {64, 64}, {3, 130}, {65, 63}, {200, 129}}) {
    const std::size_t stride = columns / 64 + 2;
    std::vector<std::uint64_t> bits(rows * stride);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        bits[row * stride + column / 64] |= std::uint64_t{random.below(2)} << (column % 64);
      }
    }
    const std::size_t other = (rows + 63) / 64;
    std::vector<std::uint64_t> result(columns * other, ~std::uint64_t{0});
    transpose({bits.data(), stride, rows}, {result.data(), other, columns});
    bool is_transposed = true;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        is_transposed = is_transposed && (bits[row * stride + column / 64] >> (column % 64) & 1U) ==
                                             (result[column * other + row / 64] >> (row % 64) & 1U);
      }
    }
    CHECK(is_transposed);
    for (const std::uint64_t word : result) CHECK((other > 1 || rows == 64 || word >> rows == 0));
  }
}

TEST_CASE("the images of a tableau are those by multiplication of Pauli operators") {
  FastRandom random(6);
  for (const std::uint32_t qubits : {1U, 2U, 31U, 64U, 70U, 130U}) {
    CAPTURE(qubits);
    const PauliRows paulis(qubits);
    const auto row = [&] { return std::vector<std::uint64_t>(paulis.row_words()); };
    const auto is_equal = [](const CliffordTableau& tableau, std::uint32_t qubit, std::size_t axis,
                             const std::vector<std::uint64_t>& expected) {
      return std::ranges::equal(tableau.image(qubit, axis), expected);
    };
    std::vector<CliffordGate> gates;
    for (std::uint32_t i = 0; i < 12 * qubits; ++i) {
      const auto kind = static_cast<CliffordKind>(random.below(4));
      CliffordGate gate{kind, random.below(qubits)};
      if (kind == CliffordKind::s) gate.quarters = 1 + random.below(3);
      if (kind == CliffordKind::cx) gate.second = random.below(qubits);
      if (kind != CliffordKind::cx || gate.first != gate.second) gates.push_back(gate);
    }
    // G before a product U turns the images into U (G P G^dagger) U^dagger: products of those of U.
    const CliffordTableau now(gates, qubits);
    for (const CliffordKind kind : {CliffordKind::h, CliffordKind::s, CliffordKind::x}) {
      const std::uint32_t qubit = random.below(qubits);
      std::vector<CliffordGate> more{{kind, qubit, 0, 1}};
      more.insert(more.end(), gates.begin(), gates.end());
      const CliffordTableau next(more, qubits);
      std::vector<std::uint64_t> x = row();
      std::vector<std::uint64_t> z = row();
      std::ranges::copy(now.image(qubit, 0), x.begin());
      std::ranges::copy(now.image(qubit, 1), z.begin());
      if (kind == CliffordKind::h) {
        std::swap(x, z);
      } else if (kind == CliffordKind::x) {
        paulis.phase(PauliRows::Row(z)) = (paulis.phase(PauliRows::ConstRow(z)) + 2) % 4;
      } else {
        // S X S^dagger = Y = i X Z.
        paulis.multiply(x, z);
        paulis.phase(PauliRows::Row(x)) = (paulis.phase(PauliRows::ConstRow(x)) + 1) % 4;
      }
      CHECK(is_equal(next, qubit, 0, x));
      CHECK(is_equal(next, qubit, 1, z));
    }
    if (qubits < 2) continue;
    std::vector<CliffordGate> more{{CliffordKind::cx, 0, qubits - 1}};
    more.insert(more.end(), gates.begin(), gates.end());
    const CliffordTableau next(more, qubits);
    std::vector<std::uint64_t> x = row();
    std::ranges::copy(now.image(0, 0), x.begin());
    paulis.multiply(x, now.image(qubits - 1, 0));
    CHECK(is_equal(next, 0, 0, x));
    CHECK(is_equal(next, qubits - 1, 0,
                   {now.image(qubits - 1, 0).begin(), now.image(qubits - 1, 0).end()}));
  }
}

TEST_CASE("Resynthesized Clifford circuits keep to a coupling map", "[cliffords]") {
  FastRandom random(15);
  for (const char* const set : {"nam", "ibm_heron"}) {
    for (const auto& [rows, columns, most] :
         {std::array{1U, 5U, 18U}, std::array{2U, 3U, 18U}, std::array{3U, 3U, 48U}}) {
      INFO(set << ", " << rows << " rows, " << columns << " columns");
      const CouplingMap coupling = grid(rows, columns);
      const Circuit circuit =
          translate(scrambled_on(random, rows * columns, coupling), load_gate_set(set), {});
      OptimizeOptions options = clifford_options(30'000);
      options.coupling = coupling;
      const OptimizeResult result = optimize(circuit, load_gate_set(set), {}, options);
      CHECK_FALSE(uncoupled_gate(result.circuit, coupling));
      CHECK(two_qubit_gates(result.circuit) <= most);
      CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
    }
  }
}

TEST_CASE("Clifford blocks on part of a line are resynthesized on its pairs", "[cliffords]") {
  FastRandom random(16);
  const CouplingMap line = grid(1, 8);
  // Two blocks, of which the second one begins in the middle of the line.
  const Circuit part = scrambled_on(random, 4, grid(1, 4));
  std::vector<Operation> gates = part.operations;
  for (Qubit qubit = 0; qubit < 8; ++qubit) {
    gates.push_back(make_operation(rz, {qubit}, {Angle::pi_times(Rational(1, 4))}));
  }
  for (Operation gate : part.operations) {
    for (Qubit& qubit : gate.qubits) qubit += 3;
    gates.push_back(gate);
  }
  const Circuit circuit = make_circuit(8, std::move(gates));
  OptimizeOptions options = clifford_options(100'000);
  options.coupling = line;
  const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, options);
  CHECK_FALSE(uncoupled_gate(result.circuit, line));
  CHECK(two_qubit_gates(result.circuit) <= 18);
  CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
}

TEST_CASE("Resynthesized Clifford circuits keep to the directions of a coupling map",
          "[cliffords]") {
  FastRandom random(17);
  CouplingMap directed(true);
  for (const auto& [control, target] : {std::pair<Qubit, Qubit>{0, 1}, {2, 1}, {2, 3}, {4, 3}}) {
    directed.add(control, target);
  }
  for (const char* const set : {"nam", "ibm_eagle"}) {
    INFO(set);
    OptimizeOptions options = clifford_options(30'000);
    options.coupling = directed;
    const Circuit circuit = fix_gate_directions(
        translate(scrambled_on(random, 5, directed.without_direction()), load_gate_set(set), {}),
        load_gate_set(set), directed);
    const OptimizeResult result = optimize(circuit, load_gate_set(set), {}, options);
    CHECK_FALSE(uncoupled_gate(result.circuit, directed));
    CHECK(two_qubit_gates(result.circuit) <= 20);
    CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
  }
}

TEST_CASE("Large Clifford circuits are resynthesized on a coupling map", "[cliffords]") {
  FastRandom random(18);
  const CouplingMap coupling = grid(4, 4);
  OptimizeOptions options = clifford_options(100'000);
  options.coupling = coupling;
  const Circuit circuit = scrambled_on(random, 16, coupling);
  const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, options);
  CHECK_FALSE(uncoupled_gate(result.circuit, coupling));
  // A single reduction takes 168 CNOTs in the mean for random operators, and routing many more.
  CHECK(two_qubit_gates(result.circuit) <= 162);
  CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Gates between a qubit of a tree and its parent are the fewest", "[cliffords]") {
  const EdgeSteps& steps = EdgeSteps::table();
  const auto gates = [&](PairClass child, PairClass parent, PairClass result, unsigned waiting) {
    return steps.gates(node_state(child, 0), node_state(parent, 0))[node_state(result, waiting)];
  };
  using enum PairClass;
  // One gate clears a qubit without a gate of its own on the parent, if that anticommutes.
  CHECK(gates(first, full, full, 0) == 1);
  CHECK(gates(first, first, first, 0) == 1);
  // A pair of operators moves to a parent that has none as by a SWAP gate.
  CHECK(gates(full, none, full, 0) == 3);
  CHECK(gates(full, second, full, 0) == 2);
  // Two independent operators that commute do not fit on one qubit: a leaf has to wait.
  CHECK(gates(first, second, second, 0) == EdgeSteps::kNever);
  CHECK(gates(first, second, second, 1U) == 1);
  CHECK(gates(full, full, second, 1U) == 2);
}

TEST_CASE("Trees of neighbours leave gates to leaves", "[cliffords]") {
  // A star: its centre anticommutes, and the images commute on all others.
  const Neighbours star{{1, 2, 3, 4}, {0}, {0}, {0}, {0}};
  const std::vector<PairClass> classes{PairClass::full, PairClass::first, PairClass::second,
                                       PairClass::equal, PairClass::none};
  FastRandom random(19);
  const CoupledTree tree = grown_tree(0, classes, star, std::vector<bool>(5, true), random);
  CHECK(tree.order.size() == 5);
  TreePlanner planner;
  CHECK(planner.gates(tree, classes) == 3);
  // The operators on the leaves move to a root that has none of them.
  const CoupledTree other = grown_tree(4, classes, star, std::vector<bool>(5, true), random);
  CHECK(planner.gates(other, classes) == 6);
}

TEST_CASE("Resynthesized Clifford circuits are equal with the global phase", "[cliffords]") {
  const GateSet set = load_gate_set("nam");
  FastRandom random(7);
  for (std::uint32_t qubits = 1; qubits <= 7; ++qubits) {
    for (int round = 0; round < 4; ++round) {
      INFO("seed 7, " << qubits << " qubits, round " << round);
      const Circuit circuit = scrambled(random, qubits);
      const OptimizeResult result = optimize(circuit, set, {}, clifford_options(20'000));
      CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
      CHECK((qubits < 3 || two_qubit_gates(result.circuit) < two_qubit_gates(circuit) / 2));
    }
  }
}

TEST_CASE("Resynthesized Clifford circuits on many qubits are proved equal", "[cliffords]") {
  const GateSet set = load_gate_set("nam");
  FastRandom random(8);
  for (const std::uint32_t qubits : {9U, 12U, 16U}) {
    INFO("seed 8, " << qubits << " qubits");
    const Circuit circuit = scrambled(random, qubits);
    const OptimizeResult result = optimize(circuit, set, {}, clifford_options(200'000));
    CHECK(two_qubit_gates(result.circuit) < two_qubit_gates(circuit) / 2);
    CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
  }
}

TEST_CASE("Random Clifford operators take few CNOTs", "[cliffords]") {
  // Greedy synthesis of Qiskit 2.6 takes 15.4, 56 and 210 CNOTs in the mean for random operators on
  // 5, 10 and 20 qubits.
  struct Bar {
    std::uint32_t qubits;
    std::size_t most;
  };
  const auto [qubits, most] = GENERATE(Bar{5, 12}, Bar{10, 42}, Bar{20, 170});
  FastRandom random(9);
  for (int round = 0; round < 3; ++round) {
    INFO(qubits << " qubits, round " << round);
    const OptimizeResult result =
        optimize(scrambled(random, qubits), load_gate_set("nam"), {}, clifford_options(150'000));
    CHECK(two_qubit_gates(result.circuit) <= most);
  }
}

TEST_CASE("Clifford blocks are resynthesized in the gates of a device", "[cliffords]") {
  FastRandom random(10);
  const GateSet set = load_gate_set("ibm_heron");
  const Circuit circuit = translate(scrambled(random, 5), set, {});
  const OptimizeResult result = optimize(circuit, set, {}, clifford_options(20'000));
  CHECK(two_qubit_gates(result.circuit) <= 13);
  CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
}

TEST_CASE("Other gates and black boxes stay between Clifford blocks", "[cliffords]") {
  FastRandom random(11);
  const std::vector<Operation> first = random_clifford(random, 5, 100);
  const std::vector<Operation> second = random_clifford(random, 5, 100);
  const auto circuit_with = [&](const std::vector<Operation>& middle) {
    std::vector<Operation> gates = first;
    gates.insert(gates.end(), middle.begin(), middle.end());
    gates.insert(gates.end(), second.begin(), second.end());
    return classical_circuit(5, {5}, std::move(gates));
  };
  SECTION("T gates") {
    std::vector<Operation> middle;
    for (Qubit qubit = 0; qubit < 5; ++qubit) {
      middle.push_back(make_operation(rz, {qubit}, {Angle::pi_times(Rational(1, 4))}));
    }
    const Circuit circuit = circuit_with(middle);
    const OptimizeResult result =
        optimize(circuit, load_gate_set("nam"), {}, clifford_options(50'000));
    CHECK(two_qubit_gates(result.circuit) <= 24);
    CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
  }
  SECTION("measurements and a gate under a condition") {
    std::vector<Operation> middle;
    for (Qubit qubit = 0; qubit < 5; ++qubit) {
      middle.push_back(measure(qubit, qubit));
    }
    middle.push_back(conditional(make_operation(x, {2}), 0, 3));
    const Circuit circuit = circuit_with(middle);
    const OptimizeResult result =
        optimize(circuit, load_gate_set("nam"), {}, clifford_options(50'000));
    CHECK(std::ranges::count_if(result.circuit.operations, is_black_box) == 6);
    CHECK(two_qubit_gates(result.circuit) <= 24);
    const EquivalenceVerdict verdict = check_equivalence(circuit, result.circuit).verdict;
    CHECK(
        (verdict == EquivalenceVerdict::equal || verdict == EquivalenceVerdict::equal_up_to_phase));
  }
}

TEST_CASE("A budget that is spent leaves Clifford circuits as they are", "[cliffords]") {
  FastRandom random(12);
  const Circuit circuit = scrambled(random, 6);
  const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, clifford_options(1));
  CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
  CHECK_FALSE(resynthesized_clifford({}, 3, nullptr, 0, random, Budget()));
}

TEST_CASE("The default search begins with resynthesized Clifford blocks", "[cliffords]") {
  FastRandom random(13);
  const Circuit circuit = scrambled(random, 8);
  OptimizeOptions options = clifford_options(400'000);
  options.search = "auto";
  const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, options);
  CHECK(two_qubit_gates(result.circuit) <= 28);
  CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Wires run through blocks of gates in their order", "[cliffords]") {
  FastRandom random(14);
  for (int round = 0; round < 20; ++round) {
    INFO("seed 14, round " << round);
    const std::vector<Operation> gates = random_clifford(random, 6, 60);
    std::vector<bool> has_kind;
    for (const Operation& gate : gates) has_kind.push_back(gate.gate != h);
    std::vector<std::uint32_t> order;
    for (const GateBlock& block : divide_into_blocks(gates, 6, has_kind)) {
      for (const std::uint32_t gate : block.gates) {
        CHECK(has_kind[gate] == block.has_kind);
        for (const Qubit qubit : gates[gate].qubits) {
          CHECK((std::ranges::binary_search(block.qubits, qubit) || !block.has_kind));
        }
        order.push_back(gate);
      }
    }
    REQUIRE(order.size() == gates.size());
    for (Qubit wire = 0; wire < 6; ++wire) {
      std::vector<std::uint32_t> on_wire;
      for (const std::uint32_t gate : order) {
        if (std::ranges::count(gates[gate].qubits, wire) > 0) on_wire.push_back(gate);
      }
      CHECK(std::ranges::is_sorted(on_wire));
    }
  }
}
