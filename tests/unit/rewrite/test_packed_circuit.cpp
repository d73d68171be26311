#include <catch2/catch.hpp>

#include "random_circuits.hpp"
#include "rewrite/packed_circuit.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::rewrite;
using namespace quartz::test;

TEST_CASE("packing and unpacking preserve the unitary with its phase", "[packed]") {
  Random random(11);
  for (int round = 0; round < 50; ++round) {
    const Circuit circuit = random_circuit(random, kinds_up_to(3), 4, 20, 3);
    LabelTable labels;
    const PackedCircuit packed = pack(circuit.operations, labels);
    Circuit after = make_circuit(4, unpack(packed.gates, labels));
    after.global_phase = labels.phase(packed.phase);
    INFO("seed 11, round " << round);
    CHECK(unitary_distance(circuit, after) < 1e-9);
    CHECK(after.operations.size() <= circuit.operations.size());
  }
}

TEST_CASE("labels are equal for equal gates, and hashes do not depend on their order", "[packed]") {
  LabelTable first;
  LabelTable second;
  const Angle theta = Angle::symbol("theta");
  const Label a = first.intern(GateKind::rz, {theta}).label;
  const Label b = first.intern(GateKind::h, {}).label;
  const Label c = second.intern(GateKind::h, {}).label;
  const Label d = second.intern(GateKind::rz, {theta}).label;
  CHECK(a == first.intern(GateKind::rz, {theta}).label);
  CHECK(first.entry(a).hash == second.entry(d).hash);
  CHECK(first.entry(b).hash == second.entry(c).hash);
  CHECK(first.entry(a).hash != first.entry(b).hash);
}

TEST_CASE("a full turn becomes a sign, and a rotation by 0 is omitted", "[packed]") {
  LabelTable labels;
  const LabelTable::Interned turn = labels.intern(GateKind::rz, {Angle::pi_times(2)});
  CHECK(turn.identity);
  CHECK(labels.phase(turn.phase) == Angle::pi_times(1));
  CHECK(labels.intern(GateKind::p, {Angle::pi_times(2)}).phase == 0);
  CHECK_FALSE(labels.intern(GateKind::crz, {Angle::pi_times(2)}).identity);
  CHECK(labels.add_phases(turn.phase, turn.phase) == 0);
}
