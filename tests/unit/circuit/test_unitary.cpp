#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "matrices.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/canonical.hpp"

using namespace quartz;
using namespace quartz::testing;

TEST_CASE("Gates apply in program order, qubit 0 the least significant bit") {
  // x on qubit 1, then cx from 1 to 0, maps |00> to |11>.
  const std::vector<Operation> gates = {make_operation(GateKind::x, {1}),
                                        make_operation(GateKind::cx, {1, 0})};
  const Matrix unitary = unitary_of(gates, 2);
  CHECK(std::abs(unitary[3 * 4 + 0] - 1.0) < 1e-12);
  // The circuit maps |01> (qubit 0 set) to |10>.
  CHECK(std::abs(unitary[2 * 4 + 1] - 1.0) < 1e-12);

  std::vector<Complex> state = {1, 0, 0, 0};
  apply_gate(make_operation(GateKind::x, {1}), state);
  CHECK(std::abs(state[2] - 1.0) < 1e-12);
}

TEST_CASE("The operands of a gate may be any qubits in any order") {
  const std::uint64_t seed = 3;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  // rc3x has hardly any symmetry, so every order of its operands gives a different unitary.
  // Relabelling the operands must have the same effect as relabelling the state.
  const Matrix matrix = unitary_of(symbolic_gate(gate(GateKind::rc3x)), Bindings());
  std::vector<Qubit> order = {0, 1, 2, 3, 4};
  for (int round = 0; round < 20; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    Operation operation = symbolic_gate(gate(GateKind::rc3x));
    for (std::size_t i = 0; i < 4; ++i) operation.qubits[i] = order[i];
    for (std::size_t column = 0; column < 32; ++column) {
      std::vector<Complex> state(32);
      state[column] = 1;
      apply_gate(operation, state);
      std::size_t local_column = 0;
      for (std::size_t i = 0; i < 4; ++i) local_column |= ((column >> order[i]) & 1U) << i;
      for (std::size_t local_row = 0; local_row < 16; ++local_row) {
        std::size_t row = column & (std::size_t{1} << order[4]);
        for (std::size_t i = 0; i < 4; ++i) row |= ((local_row >> i) & 1U) << order[i];
        CHECK(std::abs(state[row] - matrix[local_row * 16 + local_column]) < 1e-12);
      }
    }
  }
}

TEST_CASE("A dense unitary is refused if there is none or if it is too large") {
  Operation reset;
  reset.kind = OperationKind::reset;
  reset.qubits.push_back(0);
  CHECK_THROWS_AS(unitary_of(std::vector<Operation>{reset}, 1), UsageError);
  CHECK_THROWS_AS(unitary_of(std::vector<Operation>{}, 15), UsageError);
  CHECK_THROWS_AS(unitary_of(make_operation(GateKind::rz, {0}, {Angle::symbol("a")})), UsageError);
}

TEST_CASE("Normalizing angles changes every gate exactly by the phase it returns") {
  const std::uint64_t seed = 5;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const Gate& row : gate_table()) {
    for (int round = 0; round < 10; ++round) {
      Operation operation = symbolic_gate(row);
      for (Angle& angle : operation.angles) {
        angle = Angle::pi_times(Rational(static_cast<std::int64_t>(random() % 97) - 48, 8));
      }
      Operation normalized = operation;
      const Angle phase = normalize_angles(normalized);
      INFO(row.name);
      CHECK(distance(unitary_with_phase({normalized}, phase, row.qubits),
                     unitary_of(operation, Bindings())) < 1e-9);
      for (const Angle& angle : normalized.angles) {
        CHECK(angle.pi_part() > Rational(-2));
        CHECK(angle.pi_part() <= Rational(2));
      }
      const bool is_one =
          distance(unitary_of(normalized, Bindings()), identity(row.dimension())) < 1e-9;
      if (is_identity(normalized)) CHECK(is_one);
    }
  }
  CHECK(is_identity(make_operation(GateKind::id, {0})));
  CHECK(is_identity(make_operation(GateKind::rzz, {0, 1}, {Angle()})));
  CHECK_FALSE(is_identity(make_operation(GateKind::u2, {0}, {Angle(), Angle()})));
  CHECK_FALSE(is_identity(make_operation(GateKind::rz, {0}, {Angle::symbol("a")})));
}
