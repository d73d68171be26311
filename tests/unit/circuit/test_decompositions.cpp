#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "matrices.hpp"
#include "quartz/circuit/gate.hpp"

using namespace quartz;
using namespace quartz::testing;

namespace {

/// Returns the gate with the angles of Decomposition::when: constants, or its parameters
/// themselves.
Operation with_angles(const Gate& row, const AngleList& when) {
  Operation operation = symbolic_gate(row);
  if (!when.empty()) operation.angles = when;
  return operation;
}

}  // namespace

TEST_CASE("Every decomposition of the gate table equals its gate, phase included") {
  const std::uint64_t seed = 11;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const Gate& row : gate_table()) {
    for (std::size_t i = 0; i < row.decompositions.size(); ++i) {
      const Decomposition& pattern = row.decompositions[i];
      INFO(row.name << ", decomposition " << i);
      if (!pattern.when.empty()) REQUIRE(pattern.when.size() == row.parameters.size());
      const Operation operation = with_angles(row, pattern.when);
      const Decomposition filled = instantiate(pattern, operation);
      for (int round = 0; round < 3; ++round) {
        const Bindings bindings = random_bindings(row, random);
        const Matrix expected = unitary_of(operation, bindings);
        CHECK(distance(unitary_with_phase(filled.operations, filled.phase, row.qubits, bindings),
                       expected) < 1e-9);
        if (row.parameters.empty()) break;
      }
    }
  }
}

TEST_CASE("The first decomposition of a gate holds for all angles") {
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    REQUIRE_FALSE(row.decompositions.empty());
    CHECK(row.decompositions.front().when.empty());
  }
}

TEST_CASE("The condition of a decomposition consists of constants or the parameters themselves") {
  for (const Gate& row : gate_table()) {
    for (const Decomposition& pattern : row.decompositions) {
      for (std::size_t i = 0; i < pattern.when.size(); ++i) {
        INFO(row.name);
        CHECK((pattern.when[i].is_pi_multiple() ||
               pattern.when[i] == Angle::symbol(std::string(row.parameters[i]))));
      }
    }
  }
}

TEST_CASE("Every gate times its inverse is the identity, phase included") {
  const std::uint64_t seed = 12;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    const Operation operation = symbolic_gate(row);
    const Decomposition inverse = inverse_of(operation);
    for (int round = 0; round < 3; ++round) {
      const Bindings bindings = random_bindings(row, random);
      const Matrix back =
          unitary_with_phase(inverse.operations, inverse.phase, row.qubits, bindings);
      CHECK(distance(product(back, unitary_of(operation, bindings)), identity(row.dimension())) <
            1e-9);
    }
  }
}

TEST_CASE("A decomposition is instantiated with the qubits and angles of an operation") {
  const Operation operation =
      make_operation(GateKind::crz, {5, 2}, {Angle::symbol("a") + Angle::pi_times(1)});
  const Decomposition filled = instantiate(gate(GateKind::crz).decompositions.front(), operation);
  const Angle half = (Angle::symbol("a") + Angle::pi_times(1)) * Rational(1, 2);
  REQUIRE(filled.operations.size() == 4);
  CHECK(filled.operations[0] == make_operation(GateKind::rz, {2}, {half}));
  CHECK(filled.operations[1] == make_operation(GateKind::cx, {5, 2}));
  CHECK(filled.operations[2] == make_operation(GateKind::rz, {2}, {-half}));
  CHECK(filled.phase.is_zero());

  const Decomposition swapped =
      instantiate(gate(GateKind::rz).decompositions.front(),
                  make_operation(GateKind::rz, {1}, {Angle::symbol("b")}));
  CHECK(swapped.phase == Angle::symbol("b") * Rational(-1, 2));
}

TEST_CASE("Angles may contain the names of the gate's own parameters") {
  // The parameters theta, phi and lambda of u3 must be replaced all at once, not one after the
  // other.
  const Operation operation = make_operation(
      GateKind::u3, {0}, {Angle::symbol("lambda"), Angle::symbol("theta"), Angle::symbol("phi")});
  const Decomposition inverse = inverse_of(operation);
  REQUIRE(inverse.operations.size() == 1);
  CHECK(inverse.operations[0].angles == std::vector<Angle>{-Angle::symbol("lambda"),
                                                           -Angle::symbol("phi"),
                                                           -Angle::symbol("theta")});
}
