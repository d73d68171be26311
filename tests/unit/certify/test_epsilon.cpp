#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "certify/simulation/instruments.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/qasm/qasm.hpp"

using namespace quartz;

namespace {

Circuit program(const std::string& text) {
  return parse_qasm("OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[3] c; " + text);
}

EquivalenceReport compare(const Circuit& left, const Circuit& right, double epsilon) {
  EquivalenceOptions options;
  options.epsilon = epsilon;
  options.seconds = 20;
  return check_equivalence(left, right, options);
}

}  // namespace

TEST_CASE("circuits may differ by epsilon", "[epsilon]") {
  const Circuit left = program("h q[0]; cx q[0], q[1]; rz(0.3) q[1]; cx q[1], q[2]; h q[2];");
  const Circuit right =
      program("h q[0]; cx q[0], q[1]; rz(0.300002) q[1]; cx q[1], q[2]; h q[2]; gphase(0.7);");
  CHECK(compare(left, right, 0).verdict == EquivalenceVerdict::not_equal);

  // The operator norm of the difference is 1e-6.
  const EquivalenceReport report = compare(left, right, 1e-5);
  CHECK(report.verdict == EquivalenceVerdict::within_epsilon);
  CHECK(report.distance.value() >= 1e-6);
  CHECK(report.distance.value() <= 1.001e-6);
  CHECK(compare(left, right, 1e-7).verdict == EquivalenceVerdict::not_equal);
  // Between the two, nothing is claimed.
  CHECK(compare(left, right, 5e-7).verdict == EquivalenceVerdict::undecided);

  // Equal circuits are equal, whatever is permitted.
  CHECK(compare(left, left, 0.1).verdict == EquivalenceVerdict::equal);
  CHECK(compare(left, program("x q[0];"), 1e-3).verdict == EquivalenceVerdict::not_equal);
}

TEST_CASE("circuits on seven qubits may differ by epsilon", "[epsilon]") {
  // Small rotations of all qubits differ in every column, so that the Frobenius norm of the
  // difference is eleven times its operator norm.
  const auto rotated = [](double more) {
    std::string text = "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[7];";
    for (int i = 0; i < 7; ++i) {
      const std::string qubit = "q[" + std::to_string(i) + "]";
      text += "ry(" + std::to_string(0.3 * i) + ") " + qubit + "; cx " + qubit + ",q[" +
              std::to_string((i + 1) % 7) + "]; rz(" + std::to_string(0.5 + more) + ") " + qubit +
              ";";
    }
    return parse_qasm(text);
  };
  const EquivalenceReport report = compare(rotated(0), rotated(1e-4), 4e-4);
  CHECK(report.verdict == EquivalenceVerdict::within_epsilon);
  // Seven rotations differ by half of the angle each.
  CHECK(report.distance.value() <= 3.6e-4);
}

TEST_CASE("a step with a free parameter is exact, whatever is permitted", "[epsilon]") {
  const auto with_parameter = [](const std::string& gates) {
    return parse_qasm("OPENQASM 3.0; include \"stdgates.inc\"; input float[64] theta; qubit[2] q;" +
                      gates);
  };
  const Circuit left = with_parameter("rx(theta) q[0]; ry(0.7) q[0]; cx q[0], q[1]; ry(0.7) q[1];");
  const Circuit right = with_parameter(
      "rx(theta) q[0]; rz(-pi/2) q[0]; rx(0.7) q[0]; rz(pi/2) q[0]; cx q[0], q[1];"
      "rz(-pi/2) q[1]; rx(0.7) q[1]; rz(pi/2) q[1];");
  const EquivalenceReport exact = compare(left, right, 0);
  const EquivalenceReport within = compare(left, right, 1e-3);
  CHECK(exact.verdict == EquivalenceVerdict::equal);
  CHECK(within.verdict == EquivalenceVerdict::equal);
}

TEST_CASE("circuits with measurements may differ by epsilon", "[epsilon]") {
  const auto measured = [](const std::string& angle) {
    return program("ry(" + angle + ") q[0]; c[0] = measure q[0]; if (c[0]) { rx(" + angle +
                   ") q[1]; } reset q[2]; cx q[1], q[2]; c[1] = measure q[2];");
  };
  CHECK(compare(measured("0.4"), measured("0.400001"), 1e-4).verdict ==
        EquivalenceVerdict::within_epsilon);
  CHECK(compare(measured("0.4"), measured("0.5"), 1e-4).verdict == EquivalenceVerdict::not_equal);
}

TEST_CASE("what the branches prove equal is equal, whatever is permitted", "[epsilon]") {
  // The counter is 0 or 8, so that the gates of all other cases are never executed.
  const auto cases = [](int left_out) {
    std::string text =
        "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[3]; creg c[20]; h q[0]; measure q[0] -> "
        "c[3];";
    for (int i = 0; i < 20; ++i) {
      if (i == left_out) continue;
      text += fmt::format("if (c == {0}) x q[{1}]; if (c == {0}) t q[{1}];", i, i % 3);
    }
    return parse_qasm(text);
  };
  for (const double epsilon : {0.0, 1e-12, 1e-3}) {
    CAPTURE(epsilon);
    CHECK(compare(cases(-1), cases(11), epsilon).verdict == EquivalenceVerdict::equal_up_to_phase);
    const EquivalenceVerdict other = compare(cases(-1), cases(8), epsilon).verdict;
    CHECK((other == EquivalenceVerdict::not_equal || other == EquivalenceVerdict::undecided));
  }
}

TEST_CASE("the distance of instruments is that of the closest isometries", "[epsilon]") {
  const auto distance = [](const std::string& left, const std::string& right) {
    const auto compared = [&](double epsilon) {
      return certify::compare_instruments(program(left), program(right), epsilon, {});
    };
    double low = 0;
    double high = 0.5;
    while (high - low > 1e-5) {
      const double middle = (low + high) / 2;
      (compared(middle).outcome == certify::Outcome::equal ? high : low) = middle;
    }
    if (low > 0) CHECK(compared(0.99 * low).outcome == certify::Outcome::different);
    return high;
  };
  // Gates between two measurements of a qubit whose first outcome is not kept: rz has no effect,
  // and ry(a) is rx(a), up to phases between outcomes.
  const std::string start = "ry(0.9) q[0]; cx q[0], q[1]; measure q[0]; ";
  CHECK(distance(start + "ry(0.2) q[0]; c[0] = measure q[0];",
                 start + "rz(0.4) q[0]; rx(0.2) q[0]; c[0] = measure q[0];") < 1e-4);
  // A phase between outcomes has no meaning, so that a rotation by 0.1 + d of the measured qubit is
  // |1 - e^{i d / 2}| away: the isometries differ by the rotation by d.
  CHECK(distance(start + "ry(0.2) q[0]; c[0] = measure q[0];",
                 start + "rx(0.3) q[0]; c[0] = measure q[0];") ==
        Approx(2 * std::sin(0.1 / 4)).margin(2e-5));
  // What a reset discards takes any unitary with it: of two qubits in the same reset only the
  // state of the third matters.
  const std::string entangled = "h q[0]; cx q[0], q[1]; cx q[1], q[2]; ";
  CHECK(distance(entangled + "reset q[0]; reset q[1];",
                 entangled + "ry(0.7) q[0]; cx q[0], q[1]; rz(1) q[1]; reset q[1]; reset q[0];") <
        1e-4);
  CHECK(distance(entangled + "reset q[0]; rx(0.05) q[0]; rx(0.1) q[2];",
                 entangled + "ry(0.7) q[0]; reset q[0]; rx(0.05) q[0]; rx(0.12) q[2];") ==
        Approx(2 * std::sin(0.02 / 4)).margin(2e-5));
}

TEST_CASE("circuits with measurements and ancillas may differ by epsilon", "[epsilon]") {
  const auto with_ancilla = [](const std::string& angle) {
    return parse_qasm(
        "OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[3] c; qubit a; bit m;"
        "ry(0.4) q[0]; c[0] = measure q[0]; h a; cz a, q[1]; m = measure a; if (m) { reset a; }"
        "if (c[0]) { rx(" +
        angle + ") q[1]; } reset q[2];");
  };
  const Circuit left = program(
      "ry(0.4) q[0]; c[0] = measure q[0]; measure q[1]; if (c[0]) { rx(0.4) q[1]; } reset q[2];");
  EquivalenceOptions options;
  options.ancillas = true;
  CHECK(check_equivalence(left, with_ancilla("0.4"), options).verdict ==
        EquivalenceVerdict::equal_up_to_phase);
  CHECK(check_equivalence(left, with_ancilla("0.41"), options).verdict ==
        EquivalenceVerdict::not_equal);
  options.epsilon = 0.01;
  CHECK(check_equivalence(left, with_ancilla("0.41"), options).verdict ==
        EquivalenceVerdict::within_epsilon);
}

TEST_CASE("nothing is permitted where a loop repeats it", "[epsilon]") {
  const auto loop = [](const std::string& angle) {
    return program("for int i in [0:2] { c[0] = measure q[0]; } while (c[0]) { rx(" + angle +
                   ") q[0]; c[0] = measure q[0]; }");
  };
  CHECK(compare(loop("0.4"), loop("0.4"), 1e-3).verdict != EquivalenceVerdict::not_equal);
  CHECK(compare(loop("0.4"), loop("0.400001"), 1e-3).verdict == EquivalenceVerdict::undecided);
}

TEST_CASE("many qubits are compared within epsilon by random states", "[epsilon]") {
  const auto chain = [](const std::string& angle) {
    std::string text = "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[14]; ";
    for (int k = 0; k + 1 < 14; ++k) {
      const std::string here = "q[" + std::to_string(k) + "]";
      const std::string next = "q[" + std::to_string(k + 1) + "]";
      text += "ry(0.3) " + here + "; cx " + here + "," + next + "; rx(0.2) " + next + ";";
    }
    return parse_qasm(text + "rz(" + angle + ") q[7]; h q[7]; cx q[0],q[7];");
  };
  const EquivalenceReport report = compare(chain("0.1"), chain("0.1000001"), 1e-3);
  CHECK(report.verdict == EquivalenceVerdict::within_epsilon);
  CHECK(report.distance.value() >= 5e-8);
}

TEST_CASE("epsilon is a number from 0 to 1", "[epsilon]") {
  const Circuit circuit = program("h q[0];");
  CHECK_THROWS_AS(compare(circuit, circuit, -1e-9), UsageError);
  CHECK_THROWS_AS(compare(circuit, circuit, 1.5), UsageError);
}
