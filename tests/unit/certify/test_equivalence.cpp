#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "multiples_of_pi.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::test;
using enum GateKind;

namespace {

EquivalenceVerdict verdict(const Circuit& left, const Circuit& right) {
  return check_equivalence(left, right).verdict;
}

EquivalenceVerdict verdict(std::uint32_t qubits, std::vector<Operation> left,
                           std::vector<Operation> right) {
  return verdict(make_circuit(qubits, std::move(left)), make_circuit(qubits, std::move(right)));
}

}  // namespace

TEST_CASE("Equal circuits are found equal, with their phase") {
  const Operation h0 = make_operation(h, {0});
  CHECK(verdict(1, {}, {}) == EquivalenceVerdict::equal);
  CHECK(verdict(1, {h0, h0}, {}) == EquivalenceVerdict::equal);
  CHECK(verdict(2, {make_operation(cx, {0, 1})},
                {make_operation(h, {1}), make_operation(cz, {1, 0}), make_operation(h, {1})}) ==
        EquivalenceVerdict::equal);

  const EquivalenceReport report =
      check_equivalence(make_circuit(1, {make_operation(rz, {0}, {pi(1, 2)})}),
                        make_circuit(1, {make_operation(s, {0})}));
  CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
  REQUIRE(report.phase.has_value());
  CHECK(*report.phase == Approx(std::numbers::pi / 4));

  // The circuits' own global phase is taken into account.
  Circuit with_phase = make_circuit(1, {make_operation(rz, {0}, {pi(1, 2)})});
  with_phase.global_phase = pi(1, 4);
  CHECK(verdict(with_phase, make_circuit(1, {make_operation(s, {0})})) ==
        EquivalenceVerdict::equal);
}

TEST_CASE("Different circuits are found different, with a witness") {
  const auto check_different = [](std::uint32_t qubits, std::vector<Operation> left,
                                  std::vector<Operation> right) {
    const EquivalenceReport report = check_equivalence(make_circuit(qubits, std::move(left)),
                                                       make_circuit(qubits, std::move(right)));
    CHECK(report.verdict == EquivalenceVerdict::not_equal);
    CHECK_FALSE(report.witness.empty());
    CHECK_FALSE(report.phase.has_value());
  };
  const Operation h0 = make_operation(h, {0});
  check_different(1, {h0}, {});
  check_different(2, {make_operation(cx, {0, 1})}, {make_operation(cx, {1, 0})});
  check_different(2, {make_operation(cz, {0, 1})}, {});
  check_different(1, {make_operation(t, {0})}, {make_operation(tdg, {0})});
  check_different(1, {make_operation(rz, {0}, {Angle::radians(Rational(1, 1000000))})}, {});
  check_different(1, {make_operation(rz, {0}, {pi(1, 4)})},
                  {make_operation(rz, {0}, {Angle::decimal("0.785397")})});
  check_different(3, {make_operation(ccx, {0, 1, 2})}, {make_operation(rccx, {0, 1, 2})});
}

TEST_CASE("A rounded angle is treated as the angle that it rounds") {
  CHECK(verdict(1, {make_operation(rz, {0}, {pi(1, 4)}), make_operation(h, {0})},
                {make_operation(rz, {0}, {Angle::decimal("0.785398163397448")}),
                 make_operation(h, {0})}) == EquivalenceVerdict::equal);
}

TEST_CASE("The numbers of qubits are compared, the names of registers are not") {
  const Circuit two = make_circuit(2, {make_operation(h, {1})});
  CHECK(verdict(two, make_circuit(3, {make_operation(h, {1})})) == EquivalenceVerdict::not_equal);
  Circuit split = two;
  split.qubit_registers = {{"a", 0, 1}, {"b", 1, 1}};
  const EquivalenceReport report = check_equivalence(two, split);
  CHECK(report.verdict == EquivalenceVerdict::equal);
  CHECK(report.notes.size() == 1);

  // Qubits are identified by number, not by name.
  const Circuit exchanged = make_circuit(2, {make_operation(h, {0})});
  CHECK(verdict(two, exchanged) == EquivalenceVerdict::not_equal);
}

TEST_CASE("Circuits with free parameters must be equal for all values") {
  const Angle a = Angle::symbol("a");
  const Angle b = Angle::symbol("b");
  CHECK(verdict(1, {make_operation(rz, {0}, {a}), make_operation(rz, {0}, {b})},
                {make_operation(rz, {0}, {a + b})}) == EquivalenceVerdict::equal);
  CHECK(verdict(1, {make_operation(rz, {0}, {a})}, {make_operation(rz, {0}, {b})}) ==
        EquivalenceVerdict::not_equal);
  const EquivalenceReport report =
      check_equivalence(make_circuit(1, {make_operation(h, {0}), make_operation(rz, {0}, {a})}),
                        make_circuit(1, {make_operation(h, {0}), make_operation(p, {0}, {a})}));
  CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
  CHECK_FALSE(report.phase.has_value());  // the phase is a/2, not a number
}

TEST_CASE("Phases with parameters are compared exactly") {
  const Angle a = Angle::symbol("a");
  const Operation h0 = make_operation(h, {0});
  const Circuit left = make_circuit(1, {h0, make_operation(p, {0}, {a})});
  Circuit right = make_circuit(1, {h0, make_operation(rz, {0}, {a})});
  CHECK(verdict(left, right) == EquivalenceVerdict::equal_up_to_phase);
  right.global_phase = a * Rational(1, 2);
  CHECK(verdict(left, right) == EquivalenceVerdict::equal);
  right.global_phase = a * Rational(1, 2) + pi(2);
  CHECK(verdict(left, right) == EquivalenceVerdict::equal);
}

TEST_CASE("Phases are compared even if their exact sum overflows") {
  SECTION("many long decimals") {
    const Angle angle = Angle::decimal("0.912345678901234567");
    std::vector<Operation> left;
    std::vector<Operation> right;
    for (int i = 0; i < 12; ++i) {
      left.insert(left.end(), {make_operation(rz, {0}, {angle}), make_operation(h, {0})});
      right.insert(right.end(), {make_operation(p, {0}, {angle}), make_operation(h, {0})});
    }
    const EquivalenceReport report =
        check_equivalence(make_circuit(1, left), make_circuit(1, right));
    CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
    CHECK(report.method == "exact path sum");
    REQUIRE(report.phase.has_value());
    CHECK(*report.phase == Approx(std::remainder(6 * angle.value(), 2 * std::numbers::pi)));
  }
  SECTION("fractions on several qubits") {
    const Angle first = Angle::radians(Rational(1, 4'294'967'311));
    const Angle second = Angle::radians(Rational(1'000'000'000, 4'294'967'357));
    const EquivalenceReport report = check_equivalence(
        make_circuit(2, {make_operation(rz, {0}, {first}), make_operation(rz, {1}, {second})}),
        make_circuit(2, {make_operation(p, {0}, {first}), make_operation(p, {1}, {second})}));
    CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
    REQUIRE(report.phase.has_value());
    CHECK(*report.phase == Approx((first.value() + second.value()) / 2));
  }
}

TEST_CASE("Global phases that differ only by rounding are reported") {
  const Circuit left = make_circuit(1, {make_operation(h, {0})});
  Circuit right = left;
  right.global_phase = pi(1, 4) - Angle::decimal("0.785398163397448");
  const EquivalenceReport report = check_equivalence(left, right);
  CHECK(report.verdict == EquivalenceVerdict::equal);
  CHECK(report.method.find("global phases equal within") != std::string::npos);
  right.global_phase = Angle::decimal("0.00001");
  CHECK(check_equivalence(left, right).verdict == EquivalenceVerdict::equal_up_to_phase);
}

TEST_CASE("The stated distance includes the phase and is at most the tolerance") {
  const Operation h0 = make_operation(h, {0});
  const Operation r0 = make_operation(r, {0}, {Angle::decimal("1e-9"), pi(1, 4)});
  const Circuit left = make_circuit(1, {make_operation(p, {0}, {pi(1)}), h0});
  Circuit right = make_circuit(
      1, {make_operation(p, {0}, {-Angle::decimal("3.8429248177238162")}),
          make_operation(p, {0}, {Angle::decimal("3.8429248177238162") - pi(1)}), h0, r0});
  const EquivalenceReport report = check_equivalence(left, right);
  INFO(report.method);
  CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
  CHECK(*report.distance <= 1e-9);
  CHECK(*report.phase != 0);
}

TEST_CASE("The stated distance covers phases that differ a little under a condition") {
  const auto circuit = [](const Angle& phi) {
    const Operation gate = make_operation(u2, {0}, {phi, pi(33, 16)});
    return classical_circuit(1, {1}, {make_operation(h, {0}), conditional(gate, 0, 0)});
  };
  const Angle phi = pi(4, 5);
  const EquivalenceReport report =
      check_equivalence(circuit(phi), circuit(phi + Angle::decimal("1e-10")));
  INFO(report.method);
  REQUIRE(report.verdict == EquivalenceVerdict::equal);
  // The difference of the unitaries is diag(0, 1e-10) if the condition holds.
  CHECK(*report.distance >= 1e-10);
}

TEST_CASE("Distances of independent parts that add up beyond the tolerance decide nothing") {
  const auto near_identity = [](Qubit qubit, const char* angle) {
    return std::vector<Operation>{make_operation(h, {qubit}),
                                  make_operation(rx, {qubit}, {Angle::decimal(angle)}),
                                  make_operation(ry, {qubit}, {Angle::decimal("0.3")})};
  };
  std::vector<Operation> left;
  std::vector<Operation> right;
  for (Qubit qubit = 0; qubit < 4; ++qubit) {
    for (const Operation& each : near_identity(qubit, "0.7")) left.push_back(each);
    for (const Operation& each : near_identity(qubit, "0.7000000008")) right.push_back(each);
  }
  const EquivalenceReport all = check_equivalence(make_circuit(4, left), make_circuit(4, right));
  CHECK(all.verdict == EquivalenceVerdict::undecided);
  CHECK(all.witness.find("independent parts add up to") != std::string::npos);
  left.resize(3);
  right.resize(3);
  const EquivalenceReport one = check_equivalence(make_circuit(1, left), make_circuit(1, right));
  CHECK(one.verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Random circuits equal rewritten copies and differ from damaged copies") {
  const std::uint64_t seed = 20250101;
  INFO("seed " << seed);
  Random random(seed);
  const std::vector<GateKind> kinds = kinds_up_to(4);
  for (int round = 0; round < 60; ++round) {
    INFO("round " << round);
    const std::int64_t divisor = round % 2 == 0 ? 4 : 7;
    const Circuit circuit = random_circuit(random, kinds, 4, 12, divisor);
    Circuit rewritten = circuit;
    for (int i = 0; i < 4; ++i) {
      rewritten = with_inverse_pair(rewritten, random, kinds, divisor);
      rewritten = with_decomposed_gate(rewritten, random);
    }
    const EquivalenceReport report = check_equivalence(circuit, rewritten);
    INFO(report.method << ": " << report.witness);
    CHECK(report.verdict == EquivalenceVerdict::equal);

    Circuit damaged = rewritten;
    const auto place = damaged.operations.begin() + below(random, damaged.operations.size());
    damaged.operations.insert(place,
                              round % 3 == 0 ? make_operation(t, {0}) : make_operation(cx, {0, 1}));
    CHECK(check_equivalence(circuit, damaged).verdict == EquivalenceVerdict::not_equal);
  }
}

TEST_CASE("Without enough time or memory the verdict is undecided") {
  Random random(7);
  const std::vector<GateKind> kinds{h, t, cx, rx};
  const Circuit left = random_circuit(random, kinds, 20, 300, 7);
  const Circuit right = random_circuit(random, kinds, 20, 300, 7);
  EquivalenceOptions options;
  options.seconds = 0;
  const EquivalenceReport no_time = check_equivalence(left, right, options);
  CHECK(no_time.verdict == EquivalenceVerdict::undecided);
  CHECK_FALSE(no_time.witness.empty());
  CHECK(no_time.shortage == Shortage::time);
  options = {};
  options.memory_bytes = 100;
  const EquivalenceReport no_memory = check_equivalence(left, right, options);
  CHECK(no_memory.verdict == EquivalenceVerdict::undecided);
  CHECK(no_memory.shortage == Shortage::memory);
  // No limit was reached: the opaque gate is in one of the circuits only.
  const EquivalenceReport neither = check_equivalence(
      parse_qasm("OPENQASM 2.0; opaque mystery a; qreg q[1]; mystery q[0];", "left"),
      parse_qasm("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[1]; h q[0];", "right"));
  CHECK(neither.verdict == EquivalenceVerdict::undecided);
  CHECK(neither.shortage == Shortage::none);
}

TEST_CASE("independent parts are compared only as long as there is time") {
  // The parts are decided in a few microseconds each, between which the clock is looked at.
  constexpr std::uint32_t qubits = 2000;
  const auto layer = [](const std::vector<Operation>& gates) {
    Circuit circuit = make_circuit(qubits, {});
    for (Qubit qubit = 0; qubit < qubits; ++qubit) {
      for (Operation gate : gates) {
        gate.qubits = {qubit};
        circuit.operations.push_back(std::move(gate));
      }
    }
    return circuit;
  };
  const Circuit left = layer({make_operation(GateKind::s, {0}), make_operation(GateKind::h, {0})});
  const Circuit right = layer({make_operation(GateKind::t, {0}), make_operation(GateKind::t, {0}),
                               make_operation(GateKind::h, {0})});
  EquivalenceOptions options;
  options.seconds = 0;
  const EquivalenceReport none = check_equivalence(left, right, options);
  CHECK(none.verdict == EquivalenceVerdict::undecided);
  CHECK_THAT(none.witness, Catch::Contains("1 of 2000 were compared in the time"));
  options.seconds = 1000;
  CHECK(check_equivalence(left, right, options).verdict == EquivalenceVerdict::equal);
}
