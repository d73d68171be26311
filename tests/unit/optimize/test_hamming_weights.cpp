#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "optimize/hamming_weights/angle_families.hpp"
#include "optimize/hamming_weights/bit_sums.hpp"
#include "optimize/hamming_weights/weight_circuit.hpp"
#include "optimize/measured_ancillas/ancilla_writer.hpp"
#include "outcomes.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using optimizer::WeightCircuit;

namespace {

constexpr double kRotation = 40;

std::optional<WeightCircuit> with_weights(const Circuit& circuit, std::uint32_t ancillas) {
  return optimizer::with_weights(circuit,
                                 {.ancillas = ancillas, .rotation = kRotation, .negligible = 0},
                                 Budget::of_ticks(1000));
}

Operation z_rotation(Qubit qubit, const Angle& angle) {
  return make_operation(GateKind::rz, {qubit}, {angle});
}

Angle tenths(std::int64_t numerator) { return Angle::radians(Rational(numerator, 10)); }

/// Rotations by few angles between Clifford gates.
Circuit random_rotations(test::Random& random, std::uint32_t qubits, std::size_t size) {
  const std::vector<Angle> angles{tenths(1),
                                  tenths(-1),
                                  tenths(2),
                                  tenths(3),
                                  tenths(1) + Angle::pi_times(Rational(1, 4)),
                                  Angle::pi_times(Rational(1, 8)),
                                  Angle::pi_times(Rational(-1, 16)),
                                  Angle::pi_times(Rational(1, 4))};
  using enum GateKind;
  Circuit circuit = test::random_circuit(random, {h, x, rz, rz, rz, rz, cx}, qubits, size);
  for (Operation& operation : circuit.operations) {
    if (operation.gate != rz) continue;
    operation.angles[0] = angles[test::below(random, static_cast<std::uint32_t>(angles.size()))];
  }
  return circuit;
}

/// Returns a layer of rotations by the same angle.
Circuit equal_rotations(std::uint32_t qubits, const Angle& angle) {
  std::vector<Operation> gates;
  for (Qubit qubit = 0; qubit < qubits; ++qubit) gates.push_back(z_rotation(qubit, angle));
  return make_circuit(qubits, gates);
}

/// Returns the circuit to which the steps lead from the rotations in groups.
std::vector<Operation> replayed(const WeightCircuit& made) {
  std::vector<Operation> operations = made.grouped.operations;
  for (const optimizer::AncillaStep& step : made.steps) {
    const auto first = operations.begin() + static_cast<std::ptrdiff_t>(step.position);
    const auto last = first + static_cast<std::ptrdiff_t>(step.before.size());
    REQUIRE(std::vector<Operation>(first, last) == step.before);
    operations.insert(operations.erase(first, last), step.after.begin(), step.after.end());
  }
  return operations;
}

std::size_t count_resets(const Circuit& circuit) {
  return static_cast<std::size_t>(
      std::ranges::count(circuit.operations, OperationKind::reset, &Operation::kind));
}

}  // namespace

TEST_CASE("Angles are multiples of a base by powers of 2, signs and multiples of pi/4") {
  const Angle quarter = Angle::pi_times(Rational(1, 4));
  const std::vector<Angle> angles{tenths(2),
                                  tenths(1),
                                  -tenths(4) + quarter,
                                  Angle::pi_times(Rational(1, 3)),
                                  quarter,
                                  Angle::pi_times(Rational(3, 8)),
                                  Angle::pi_times(Rational(1, 16))};
  const optimizer::AngleFamilies families = optimizer::angle_families(angles);
  REQUIRE(families.angles[0]);
  REQUIRE(families.angles[1]);
  REQUIRE(families.angles[2]);
  CHECK(families.angles[0]->family == families.angles[1]->family);
  CHECK(families.angles[2]->family == families.angles[1]->family);
  CHECK(families.angles[1]->doublings == 0);
  CHECK(families.angles[0]->doublings == 1);
  CHECK(families.angles[2]->doublings == 2);
  CHECK(!families.angles[4]);
  CHECK(families.angles[5]->family == families.angles[6]->family);
  CHECK(families.angles[5]->family != families.angles[3]->family);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    if (!families.angles[i]) continue;
    const optimizer::FamilyAngle& place = *families.angles[i];
    const Angle multiple = optimizer::doubled(families.bases[place.family], place.doublings);
    const Angle rest = angles[i] - (place.is_negative ? -multiple : multiple);
    CHECK((rest - quarter * Rational(place.eighths)).reduced_modulo(Rational(2)).is_zero());
  }
}

TEST_CASE("Rotations by one angle become those of the bits of their number") {
  for (const std::uint32_t qubits : {3U, 4U, 7U, 8U, 20U}) {
    const auto made = with_weights(equal_rotations(qubits, tenths(1)), qubits);
    REQUIRE(made);
    const auto bits = static_cast<std::size_t>(std::bit_width(qubits));
    CHECK(made->rotations <= bits + 1);
    CHECK(made->adders >= qubits - made->rotations);
    CHECK(made->adders < qubits);
    CHECK(made->ancillas == made->adders);
    CHECK(made->t ==
          kRotation * static_cast<double>(made->rotations) + 4 * static_cast<double>(made->adders));
  }
}

TEST_CASE("Three rotations whose axes have a constant product become one") {
  // Heisenberg's XX + YY + ZZ.
  const Circuit circuit = parse_qasm(R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[2];
      rxx(0.1) q[0],q[1]; ryy(0.1) q[0],q[1]; rzz(0.1) q[0],q[1];)");
  const auto made = with_weights(translate(circuit, load_gate_set("nam")), 1);
  REQUIRE(made);
  CHECK(made->rotations == 1);
  CHECK(made->adders == 1);
}

TEST_CASE("Weights do what the rotations do, for every outcome") {
  test::Random random(1);
  std::size_t adders = 0;
  for (int i = 0; i < 60; ++i) {
    const Circuit circuit = random_rotations(random, 2 + test::below(random, 4), 40);
    const auto made = with_weights(circuit, 1 + test::below(random, 4));
    if (!made || made->adders > 6) continue;
    adders += made->adders;
    const test::AncillaDistance distance = test::ancilla_distance(circuit, made->circuit, random);
    CHECK(distance.infidelity < 1e-9);
    CHECK(distance.bias < 1e-9);
    CHECK(distance.outcomes >= std::size_t{1} << made->adders);
  }
  CHECK(adders > 60);
}

TEST_CASE("Ancillas are used again for rotations that are left") {
  const Circuit circuit = equal_rotations(8, tenths(1));
  test::Random random(2);
  std::size_t rotations = 8;
  for (const std::uint32_t ancillas : {1U, 2U, 4U, 7U}) {
    const auto made = with_weights(circuit, ancillas);
    REQUIRE(made);
    CHECK(made->ancillas <= ancillas);
    CHECK(made->rotations <= rotations);
    CHECK((count_resets(made->circuit) > 0) == (made->adders > made->ancillas));
    rotations = made->rotations;
    if (made->adders > 6) continue;
    CHECK(test::ancilla_distance(circuit, made->circuit, random).infidelity < 1e-9);
  }
  CHECK(rotations == 4);
}

TEST_CASE("The steps lead from the rotations in groups to the weights, and each is proved") {
  test::Random random(3);
  std::size_t steps = 0;
  for (int i = 0; i < 20; ++i) {
    const Circuit circuit = random_rotations(random, 2 + test::below(random, 4), 40);
    const auto made = with_weights(circuit, 1 + test::below(random, 6));
    if (!made) continue;
    CHECK(replayed(*made) == made->circuit.operations);
    CHECK(check_equivalence(circuit, made->grouped).verdict <=
          EquivalenceVerdict::equal_up_to_phase);
    steps += made->steps.size();
  }
  CHECK(steps > 20);
}

TEST_CASE("Measurements and conditions stay between groups of rotations") {
  const Circuit circuit = parse_qasm(R"(OPENQASM 2.0; include "qelib1.inc";
      qreg q[3]; creg c[1];
      rz(0.1) q[0]; rz(0.1) q[1]; rz(0.1) q[2]; measure q[0] -> c[0]; if (c == 1) x q[1];
      h q[1]; rz(0.1) q[0]; rz(0.1) q[1]; rz(0.1) q[2];)");
  const auto made = with_weights(circuit, 4);
  REQUIRE(made);
  CHECK(made->adders == 2);
  CHECK(made->ancillas == 1);
  CHECK(replayed(*made) == made->circuit.operations);
}

TEST_CASE("Different rotations, and few of them, get no ancillas") {
  CHECK(!with_weights(equal_rotations(2, tenths(1)), 4));
  CHECK(!with_weights(equal_rotations(5, Angle::pi_times(Rational(1, 4))), 4));
  CHECK(!with_weights(make_circuit(3, {z_rotation(0, tenths(1)), z_rotation(1, tenths(3)),
                                       z_rotation(2, tenths(5))}),
                      4));
}

TEST_CASE("The correction of a product is its phase, by pairs of bits and by sums") {
  test::Random random(4);
  constexpr std::uint32_t kQubits = 8;
  std::size_t by_sums = 0;
  for (int i = 0; i < 40; ++i) {
    const auto form = [&] {
      return optimizer::LinearForm(kQubits, 1 + test::below(random, (1U << kQubits) - 1));
    };
    const optimizer::BitProduct product{form(), form(), test::below(random, 2) != 0,
                                        test::below(random, 2) != 0};
    std::vector<Operation> gates;
    optimizer::append_correction({kQubits, 0, 0}, product, gates);
    for (Operation& gate : gates) {
      REQUIRE(gate.conditions().size() == 1);
      gate.classical = nullptr;
    }
    by_sums += std::ranges::count(gates, GateKind::cx, &Operation::gate) > 0 ? 1 : 0;
    Complex sign = 0;
    for (std::size_t x = 0; x < (std::size_t{1} << kQubits); ++x) {
      std::vector<Complex> state(std::size_t{1} << kQubits);
      state[x] = 1;
      for (const Operation& gate : gates) apply_gate(gate, state);
      const optimizer::LinearForm bits(kQubits, x);
      const bool f = ((product.f & bits).count() % 2 != 0) != product.negates_f;
      const bool g = ((product.g & bits).count() % 2 != 0) != product.negates_g;
      const Complex expected = f && g ? -1 : 1;
      if (x == 0) sign = state[0] / expected;
      CHECK(std::abs(state[x] - sign * expected) < 1e-12);
    }
  }
  CHECK(by_sums > 5);
  CHECK(by_sums < 35);
}
