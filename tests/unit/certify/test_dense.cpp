#include <catch2/catch.hpp>

#include "certify/problem/instance.hpp"
#include "certify/simulation/dense.hpp"
#include "certify/simulation/state_vector.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;

TEST_CASE("Kernels of all gates agree with the matrices of the gate table") {
  const std::uint64_t seed = 3;
  INFO("seed " << seed);
  Random random(seed);
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    const Operation operation = random_gate(random, {row.kind}, 6, 9);
    std::vector<Complex> expected = random_state(64, random);
    std::vector<Complex> state = expected;
    apply_gate(operation, expected);
    run(make_kernels({Step{operation, {}}}, {}), state);
    for (std::size_t i = 0; i < state.size(); ++i) {
      CHECK(std::abs(state[i] - expected[i]) < 1e-12);
    }
  }
}

TEST_CASE("Dense unitaries and random states give the same verdict") {
  const std::uint64_t seed = 11;
  INFO("seed " << seed);
  Random random(seed);
  const std::vector<GateKind> kinds = kinds_up_to(3);
  for (int round = 0; round < 40; ++round) {
    INFO("round " << round);
    const Circuit circuit = random_circuit(random, kinds, 4, 10, 5);
    const Circuit rewritten = with_inverse_pair(circuit, random, kinds, 5);
    Circuit damaged = rewritten;
    damaged.operations[below(random, damaged.operations.size())] = make_operation(ccz, {0, 1, 3});
    for (const bool is_equal : {true, false}) {
      const Problem problem =
          std::get<Problem>(pose_problem(circuit, is_equal ? rewritten : damaged));
      const Comparison by_columns = compare_dense_unitaries(problem, {});
      const Comparison by_states = compare_random_states(problem, {}, 1);
      CHECK(by_columns.outcome == by_states.outcome);
      CHECK(by_columns.outcome == (is_equal ? Outcome::equal : Outcome::different));
      if (by_columns.outcome == Outcome::equal) {
        CHECK(*by_columns.phase == Approx(*by_states.phase).margin(1e-9));
      }
    }
  }
}

TEST_CASE("Opaque matrices are unitary and depend on name, angles and seed") {
  const Operation two = opaque("a", {0, 1});
  const std::vector<Complex> matrix = matrix_of(two, {}, 5);
  REQUIRE(matrix.size() == 16);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      Complex sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += matrix[i * 4 + k] * std::conj(matrix[j * 4 + k]);
      CHECK(std::abs(sum - Complex(i == j ? 1 : 0)) < 1e-12);
    }
  }
  CHECK(matrix == matrix_of(opaque("a", {3, 1}), {}, 5));
  CHECK_FALSE(matrix == matrix_of(two, {}, 6));
  CHECK_FALSE(matrix == matrix_of(opaque("b", {0, 1}), {}, 5));
  CHECK_FALSE(matrix == matrix_of(opaque("a", {0, 1}, {Angle::pi_times(1)}), {}, 5));
}

TEST_CASE("Random states that cannot finish in time are not started") {
  Circuit circuit = make_circuit(24, {});
  for (Qubit i = 0; i < 24; ++i) {
    circuit.operations.push_back(make_operation(h, {i}));
    circuit.operations.push_back(make_operation(cx, {i, (i + 1) % 24}));
  }
  Circuit other = circuit;
  other.operations.push_back(make_operation(t, {0}));
  const Problem problem = std::get<Problem>(pose_problem(circuit, other));
  Budget budget;
  budget.deadline = Budget::Clock::now() + std::chrono::milliseconds(100);
  const Comparison comparison = compare_random_states(problem, budget, 1);
  CHECK(comparison.outcome == Outcome::unknown);
  CHECK(comparison.reason == "too many qubits and gates for the time left");
}

TEST_CASE("Drawing a random state respects the deadline") {
  Random random(5);
  Budget spent;
  spent.deadline = Budget::Clock::now();
  CHECK_THROWS_AS(random_state(1, random, spent), OutOfBudget);
  double norm = 0;
  for (const Complex& amplitude : random_state(64, random)) norm += std::norm(amplitude);
  CHECK(norm == Approx(1));
}
