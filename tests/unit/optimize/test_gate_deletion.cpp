#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "derived_circuit.hpp"
#include "gate_set_circuits.hpp"
#include "optimize/instantiation/gate_deletion.hpp"
#include "optimize/instantiation/generic_template.hpp"
#include "optimize/instantiation/instantiate.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/windows/narrow_window.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_unitaries.hpp"
#include "two_qubit_then_total.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

Eigen::Matrix4cd unitary_of_gate(GateKind kind, std::vector<Angle> angles = {}) {
  const Operation gate = make_operation(kind, {0, 1}, std::move(angles));
  return two_qubit_unitary(std::span(&gate, 1), 0, 1);
}

TemplateChoice random_choice(const CircuitTemplate& circuit, Random& random) {
  TemplateChoice choice;
  for (std::size_t k = 0; k < circuit.one_qubit_gates(); ++k) {
    choice.one_qubit_gates.push_back(quaternion_of(random_unitary<2>(random)));
  }
  for (const TemplateGate& gate : circuit.gates) {
    choice.turns.push_back(gate.generator ? uniform(random) : 0);
  }
  return choice;
}

/// Returns a circuit of blocks on neighbouring qubits of a chain: CNOTs with one-qubit gates by any
/// angles between them.
Circuit chain_of_cnots(const std::vector<Qubit>& controls, Random& random) {
  std::vector<Operation> operations;
  const auto turn = [&](Qubit qubit) {
    for (const GateKind kind : {GateKind::rz, GateKind::ry, GateKind::rz}) {
      const auto angle = static_cast<std::int64_t>(below(random, 6283));
      operations.push_back(make_operation(kind, {qubit}, {Angle::radians(Rational(angle, 1000))}));
    }
  };
  for (const Qubit control : controls) {
    turn(control);
    turn(control + 1);
    operations.push_back(make_operation(GateKind::cx, {control, control + 1}));
  }
  return make_circuit(3, std::move(operations));
}

std::size_t two_qubit_gates(std::span<const Operation> gates) {
  return static_cast<std::size_t>(std::ranges::count_if(
      gates, [](const Operation& operation) { return operation.qubits.size() == 2; }));
}

/// Deletes gates of a circuit in the set, without a limit, and checks the result.
std::size_t gates_left(const Circuit& circuit, const GateSet& set, Exactness exactness) {
  GateDeletion deletion(set, two_qubit_then_total, {.exactness = exactness, .seed = 1});
  REQUIRE(deletion.available());
  circuit::DerivedGates result = deletion.delete_gates(circuit.operations, Budget());
  const Circuit after = with_gates(circuit, result);
  CHECK(unitary_distance(circuit, after) < 1e-11);
  CHECK(std::ranges::all_of(after.operations,
                            [&](const Operation& gate) { return set.contains(gate); }));
  CHECK(result.derivation.is_numeric() == (after.operations != circuit.operations));
  CHECK((result.derivation.history() != nullptr) == result.derivation.is_numeric());
  return two_qubit_gates(after.operations);
}

}  // namespace

TEST_CASE("a template is instantiated as any circuit of its form", "[gate deletion]") {
  Random random(20261123);
  Eigen::Matrix4cd zz = Eigen::Matrix4cd::Zero();
  zz.diagonal() << 1, -1, -1, 1;
  for (const std::uint32_t qubits : {2U, 3U}) {
    for (const bool has_generator : {false, true}) {
      CircuitTemplate circuit{qubits, {}};
      for (Qubit k = 0; k < 4; ++k) {
        circuit.gates.push_back(
            {unitary_of_gate(GateKind::cz), {k % (qubits - 1), k % (qubits - 1) + 1}});
        if (has_generator) circuit.gates.back().generator = zz;
      }
      // The target is the template with other gates, written with rzz(-2t) for exp(i t ZZ).
      const TemplateChoice made = random_choice(circuit, random);
      std::vector<Qubit> all(qubits);
      for (Qubit q = 0; q < qubits; ++q) all[q] = q;
      Eigen::MatrixXcd target = Eigen::MatrixXcd::Identity(1 << qubits, 1 << qubits);
      std::size_t number = 0;
      const auto turn = [&](Qubit qubit) {
        const Eigen::Matrix2cd gate = matrix_of(made.one_qubit_gates[number++]);
        Eigen::MatrixXcd product = Eigen::MatrixXcd::Identity(1, 1);
        for (Qubit q = 0; q < qubits; ++q) {
          const Eigen::Matrix2cd factor = q == qubit ? gate : Eigen::Matrix2cd::Identity();
          Eigen::MatrixXcd larger(2 * product.rows(), 2 * product.cols());
          for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 2; ++j) {
              larger.block(i * product.rows(), j * product.cols(), product.rows(), product.cols()) =
                  factor(i, j) * product;
            }
          }
          product = larger;
        }
        target = (product * target).eval();
      };
      for (Qubit q = 0; q < qubits; ++q) turn(q);
      for (std::size_t k = 0; k < circuit.gates.size(); ++k) {
        const std::array<Qubit, 2> on = circuit.gates[k].qubits;
        std::vector<Operation> gates{make_operation(GateKind::cz, {on[0], on[1]})};
        if (has_generator) {
          const auto angle = static_cast<std::int64_t>(std::llround(-2e12 * made.turns[k]));
          gates.push_back(make_operation(GateKind::rzz, {on[0], on[1]},
                                         {Angle::radians(Rational(angle, 1'000'000'000'000))}));
        }
        target = (unitary_on(gates, all) * target).eval();
        turn(on[0]);
        turn(on[1]);
      }
      std::uint64_t iterations = 0;
      std::optional<Instantiation> found;
      for (int start = 0; start < 20 && !found; ++start) {
        found = instantiate(circuit, target, random_choice(circuit, random), {}, iterations);
      }
      REQUIRE(found);
      CHECK(found->error <= 1e-13);
      CHECK(iterations > 0);

      // One gate less is too few for a random circuit on three qubits; for two, three suffice.
      circuit.gates.pop_back();
      if (qubits == 2) continue;
      CHECK_FALSE(instantiate(circuit, target, random_choice(circuit, random), {}, iterations));
    }
  }
}

TEST_CASE("windows of three qubits are convex", "[gate deletion]") {
  const auto cx = [](Qubit control, Qubit target) {
    return make_operation(GateKind::cx, {control, target});
  };
  // The gate on qubits 2 and 3 ends the window on qubit 2, and qubit 4 may not join any more.
  const std::vector<Operation> gates = {cx(4, 5), cx(0, 1), cx(3, 4), cx(1, 2),
                                        cx(2, 3), cx(0, 1), cx(1, 2)};
  using Indices = std::vector<EditedGates::Index>;
  const EditedGates list(gates);
  const NarrowWindow window = grow_narrow_window(list, 1, 10);
  CHECK(window.gates == Indices{1, 3, 5});
  CHECK(window.qubits == std::vector<Qubit>{0, 1, 2});
  CHECK(window.anchor == 4);
  CHECK(window.two_qubit_gates == 3);
  CHECK(grow_narrow_window(list, 1, 2).gates == Indices{1, 3});
  CHECK(grow_narrow_window(list, 2, 10).gates == Indices{2, 4});

  // Gates with parameters and measurements are no part of windows.
  std::vector<Operation> others = {
      cx(0, 1), make_operation(GateKind::rz, {1}, {Angle::symbol("a")}), cx(1, 2), cx(0, 1)};
  CHECK(grow_narrow_window(EditedGates(others), 0, 10).gates == Indices{0});
  // On four qubits, the gate on qubits 2 and 3 joins, but not the one before it on qubits 3 and 4.
  CHECK(grow_narrow_window(list, 1, 10, 4).gates == Indices{1, 3, 4, 5, 6});
}

TEST_CASE("gates are deleted that the others can make up for", "[gate deletion]") {
  Random random(7);
  GateSet set = load_gate_set("rigetti_ankaa");
  // Each block of one CNOT or more takes two iswaps at least; five blocks of a chain take eight.
  const Circuit chain = translate(chain_of_cnots({0, 1, 0, 1, 0}, random), set);
  REQUIRE(two_qubit_gates(chain.operations) == 10);
  CHECK(gates_left(chain, set, Exactness::keep) == 8);

  // A chain of CNOTs that are as few as possible stays as it is.
  set = load_gate_set("ibm_heron");
  const Circuit shortest = translate(chain_of_cnots({0, 1, 0}, random), set);
  CHECK(gates_left(shortest, set, Exactness::keep) == 3);
}

TEST_CASE("a generic sequence has enough parameters for any unitary", "[gate deletion]") {
  const auto gates_for = [](std::uint32_t qubits, const TemplateGate& gate,
                            const std::vector<std::array<Qubit, 2>>& pairs) {
    std::vector<TemplateGate> gates;
    for (const std::array<Qubit, 2>& pair : pairs) {
      gates.push_back(gate);
      gates.back().qubits = pair;
    }
    return generic_sequence(qubits, gates).size();
  };
  Eigen::Matrix4cd zz = Eigen::Matrix4cd::Zero();
  zz.diagonal() << 1, -1, -1, 1;
  const TemplateGate cz{unitary_of_gate(GateKind::cz), {}};
  const TemplateGate ecr{unitary_of_gate(GateKind::ecr), {}};
  const TemplateGate iswap{unitary_of_gate(GateKind::iswap), {}};
  const TemplateGate rzz{unitary_of_gate(GateKind::rzz, {Angle::radians(1)}), {}, zz};
  CHECK(parameters_of(cz) == 4);
  CHECK(parameters_of(ecr) == 4);
  CHECK(parameters_of(iswap) == 4);
  CHECK(parameters_of(rzz) == 5);
  // The lower bounds of Shende, Markov and Bullock.
  CHECK(gates_for(2, cz, {{0, 1}}) == 3);
  CHECK(gates_for(3, cz, {{0, 1}, {1, 2}}) == 14);
  CHECK(gates_for(3, cz, {{0, 1}, {1, 2}, {0, 2}}) == 14);
  CHECK(gates_for(3, rzz, {{0, 1}, {1, 2}}) == 11);
  CHECK(gates_for(4, cz, {{0, 1}, {1, 2}, {2, 3}}) == 61);
  CHECK(gates_for(3, cz, {{0, 1}}) == 0);
  CHECK(gates_for(2, {Eigen::Matrix4cd::Identity(), {}}, {{0, 1}}) == 0);
}

TEST_CASE("a random unitary on three qubits takes 14 CNOTs from any start",
          "[gate deletion][figures]") {
  // Three unitaries, from 16 to 28 CNOTs on a line of qubits or between any of them.
  const GateSet set = load_gate_set("ibm_heron");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    std::vector<Qubit> controls;
    for (std::size_t k = 0; k < 10 + 6 * seed; ++k) {
      controls.push_back(seed % 2 == 0 ? static_cast<Qubit>(k % 2) : below(random, 2));
    }
    const Circuit circuit = translate(chain_of_cnots(controls, random), set);
    const std::size_t left = gates_left(circuit, set, Exactness::keep);
    CHECK(left == (seed > 1 ? 14 : left));
    CHECK(left <= 14);
  }
  // Angles of gates add parameters.
  Random random(9);
  const GateSet with_angles = load_gate_set("quantinuum");
  const Circuit circuit = translate(
      chain_of_cnots({0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, random), with_angles);
  CHECK(gates_left(circuit, with_angles, Exactness::keep) == 11);
}

TEST_CASE("angles of two-qubit gates are chosen if the set has them", "[gate deletion]") {
  // The first and the last gate merge across the one between them.
  const GateSet set = load_gate_set("quantinuum");
  const auto rzz = [](Qubit qubit, std::int64_t tenths) {
    return make_operation(GateKind::rzz, {qubit, qubit + 1},
                          {Angle::radians(Rational(tenths, 10))});
  };
  const Circuit circuit =
      translate(make_circuit(3, {rzz(0, 3), make_operation(GateKind::h, {2}), rzz(1, 5),
                                 make_operation(GateKind::h, {2}), rzz(0, 6)}),
                set);
  CHECK(two_qubit_gates(circuit.operations) == 3);
  CHECK(gates_left(circuit, set, Exactness::keep) == 2);
}

TEST_CASE("exactness limits what is deleted", "[gate deletion]") {
  Random random(13);
  const GateSet set = load_gate_set("rigetti_ankaa");
  const Circuit chain = translate(chain_of_cnots({0, 1, 0, 1, 0}, random), set);
  CHECK(gates_left(chain, set, Exactness::exact) == 10);
  std::vector<Operation> clifford;
  for (const Qubit control : {0U, 1U, 0U, 1U, 0U}) {
    clifford.push_back(make_operation(GateKind::t, {control}));
    clifford.push_back(make_operation(GateKind::h, {control + 1}));
    clifford.push_back(make_operation(GateKind::cx, {control, control + 1}));
  }
  const Circuit exact = translate(make_circuit(3, std::move(clifford)), set);
  CHECK(gates_left(exact, set, Exactness::keep) == two_qubit_gates(exact.operations));
  CHECK(gates_left(exact, set, Exactness::numeric) < two_qubit_gates(exact.operations));
}

TEST_CASE("deletion needs free one-qubit gates that cost little", "[gate deletion]") {
  const auto available = [](std::string_view set, const ScalarGateCost& cost) {
    return GateDeletion(load_gate_set(set), cost, {}).available();
  };
  CHECK(available("ibm_heron", two_qubit_then_total));
  CHECK_FALSE(available("clifford_t", two_qubit_then_total));
  CHECK_FALSE(available("ibm_heron", [](const Operation&) { return 1.0; }));
}

TEST_CASE("costs that count all gates, or depth, gain from deletion", "[gate deletion]") {
  // A block of three qubits takes 14 CNOTs, and annealing for these costs removes none of the 30.
  Random random(23);
  std::vector<Qubit> controls;
  for (Qubit k = 0; k < 30; ++k) controls.push_back(k % 2);
  const GateSet set = load_gate_set("ibm");
  const Circuit circuit = translate(chain_of_cnots(controls, random), set);
  for (const CostKind kind : {CostKind::total, CostKind::depth}) {
    CAPTURE(cost_name(kind).name);
    OptimizeOptions options;
    options.cost = kind;
    options.steps = 20'000;
    const OptimizeResult result = optimize(circuit, set, {}, options);
    CHECK(two_qubit_gates(result.circuit.operations) < 20);
    CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
  }
}

TEST_CASE("a deletion ends with its budget, and gives the same result again", "[gate deletion]") {
  Random random(17);
  const GateSet set = load_gate_set("rigetti_ankaa");
  const Circuit chain = translate(chain_of_cnots({0, 1, 0, 1, 0, 1}, random), set);
  const auto left = [&](std::uint64_t ticks) {
    GateDeletion deletion(set, two_qubit_then_total, {.seed = 3});
    return deletion.delete_gates(chain.operations, Budget::of_ticks(ticks)).gates;
  };
  CHECK(left(0) == chain.operations);
  CHECK(left(100'000) == left(100'000));
}

TEST_CASE("epsilon permits deletions that change the unitary a little", "[gate deletion]") {
  // Each small rotation is at a distance of 5e-4 from none, and of sqrt(8) times that in the
  // Frobenius norm on three qubits.
  const GateSet set = load_gate_set("ibm_heron");
  std::vector<Operation> operations;
  for (const Qubit qubit : {0U, 1U}) {
    operations.push_back(make_operation(GateKind::h, {1}));
    operations.push_back(
        make_operation(GateKind::rzz, {qubit, qubit + 1}, {Angle::radians(Rational(1, 1000))}));
  }
  const Circuit circuit = translate(make_circuit(3, std::move(operations)), set);
  const auto two_qubit_gates_within = [&](double epsilon) {
    GateDeletion deletion(set, two_qubit_then_total, {.epsilon = epsilon});
    circuit::DerivedGates result = deletion.delete_gates(circuit.operations, Budget());
    Circuit after = make_circuit(3, std::move(result.gates));
    after.global_phase = circuit.global_phase + result.phase;
    // The largest difference of two entries is a lower bound on the norm.
    CHECK(unitary_distance(circuit, after) <= epsilon + 1e-11);
    return two_qubit_gates(after.operations);
  };
  CHECK(two_qubit_gates_within(0) == 4);
  CHECK(two_qubit_gates_within(1e-5) == 4);
  const std::size_t some = two_qubit_gates_within(2e-3);
  CHECK(some > 0);
  CHECK(some < 4);
  CHECK(two_qubit_gates_within(0.1) == 0);
}
