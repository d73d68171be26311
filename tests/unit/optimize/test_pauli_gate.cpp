#include <catch2/catch.hpp>

#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

Operation on_own_qubits(GateKind kind, std::vector<Angle> angles = {}) {
  Operation operation;
  operation.gate = kind;
  for (Qubit i = 0; i < gate(kind).qubits; ++i) operation.qubits.push_back(i);
  operation.angles = std::move(angles);
  return operation;
}

}  // namespace

TEST_CASE("rotations are recognized by their matrices", "[pauli]") {
  const Angle theta = Angle::symbol("a");
  struct Case {
    GateKind kind;
    unsigned x;
    unsigned z;
  };
  for (const auto& [kind, x, z] :
       {Case{GateKind::rx, 1, 0}, Case{GateKind::ry, 1, 1}, Case{GateKind::rz, 0, 1},
        Case{GateKind::p, 0, 1}, Case{GateKind::u1, 0, 1}, Case{GateKind::rzz, 0, 3},
        Case{GateKind::rxx, 3, 0}, Case{GateKind::ryy, 3, 3}, Case{GateKind::rzx, 2, 1}}) {
    const auto rotation = as_pauli_rotation(on_own_qubits(kind, {theta}));
    INFO(gate(kind).name);
    REQUIRE(rotation.has_value());
    CHECK(rotation->axis.x == x);
    CHECK(rotation->axis.z == z);
    CHECK(rotation->angle == theta);
  }
  CHECK(as_pauli_rotation(on_own_qubits(GateKind::t))->angle == Angle::pi_times({1, 4}));
  CHECK_FALSE(as_pauli_rotation(on_own_qubits(GateKind::h)).has_value());
  CHECK_FALSE(as_pauli_rotation(on_own_qubits(GateKind::crz, {theta})).has_value());
  CHECK_FALSE(as_pauli_rotation(on_own_qubits(GateKind::cx)).has_value());
}

TEST_CASE("Clifford gates are recognized, others are not", "[pauli]") {
  using enum GateKind;
  for (const GateKind kind : {id, x, y, z, h, s, sdg, sx, sxdg, cx, cy, cz, swap, iswap, ecr}) {
    INFO(gate(kind).name);
    CHECK(as_clifford(on_own_qubits(kind)).has_value());
  }
  for (const GateKind kind : {t, tdg, ch, cs, csx}) {
    INFO(gate(kind).name);
    CHECK_FALSE(as_clifford(on_own_qubits(kind)).has_value());
  }
  CHECK(as_clifford(on_own_qubits(rz, {Angle::pi_times({1, 2})})).has_value());
  CHECK_FALSE(as_clifford(on_own_qubits(rz, {Angle::pi_times({1, 4})})).has_value());
  CHECK_FALSE(as_clifford(on_own_qubits(cp, {Angle::pi_times({1, 2})})).has_value());
  // Here h exchanges X and Z, and cx spreads X on its control to the target.
  CHECK(as_clifford(on_own_qubits(h))->x_images[0] == LocalPauli{0, 1, 0});
  CHECK(as_clifford(on_own_qubits(cx))->x_images[0] == LocalPauli{3, 0, 0});
  CHECK(as_clifford(on_own_qubits(cx))->z_images[1] == LocalPauli{0, 3, 0});
}
