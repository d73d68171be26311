#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "certify/path_sum/ancilla_comparison.hpp"
#include "certify/path_sum/outcome_comparison.hpp"
#include "outcomes.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"
#include "random_circuits.hpp"

using namespace quartz;

namespace {

/// T H T on one qubit, of which the Hadamard gate is to be replaced.
const std::string kPlain =
    R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; t q[0]; h q[0]; t q[0];)";

/// The same with an ancilla: T is before the measurement, and its correction is S and X.
const std::string kGadget = R"(OPENQASM 2.0; include "qelib1.inc";
qreg q[1]; qreg a[1]; creg m[1];
h a[0];
t q[0];
cz q[0],a[0];
t a[0];
h q[0];
measure q[0] -> m[0];
if(m==1) x a[0];
if(m==1) s a[0];
if(m==1) x q[0];
cx a[0],q[0];
cx q[0],a[0];
)";

/// Two gadgets with one ancilla, which is reset in between.
const std::string kTwice = kGadget + R"(
reset a[0];
h a[0];
cz q[0],a[0];
h q[0];
measure q[0] -> m[0];
if(m==1) x a[0];
if(m==1) x q[0];
cx a[0],q[0];
cx q[0],a[0];
)";
const std::string kPlainTwice = kPlain + " h q[0];";

EquivalenceReport compared(const std::string& left, const std::string& right) {
  EquivalenceOptions options;
  options.ancillas = true;
  return check_equivalence(parse_qasm(left), parse_qasm(right), options);
}

bool is_equal(const EquivalenceReport& report) {
  return report.verdict == EquivalenceVerdict::equal_up_to_phase ||
         report.verdict == EquivalenceVerdict::equal;
}

std::string with(std::string text, const std::string& old, const std::string& other) {
  const std::size_t place = text.find(old);
  REQUIRE(place != std::string::npos);
  return text.replace(place, old.size(), other);
}

/// Returns the outcomes of the methods for circuits with ancillas, each alone.
std::vector<certify::Outcome> outcomes_of_methods(const Circuit& left, const Circuit& right) {
  const auto posed = certify::pose_problem_with_ancillas(left, right);
  const auto& problem = std::get<certify::Problem>(posed);
  Budget budget = Budget::of_seconds(10);
  budget.memory_bytes = 1e8;
  return {certify::compare_with_ancillas(problem, budget).outcome,
          certify::compare_by_outcomes(problem, budget).outcome};
}

}  // namespace

TEST_CASE("A gadget with its corrections equals a Hadamard gate") {
  CHECK(is_equal(compared(kPlain, kGadget)));
  CHECK(is_equal(compared(kPlainTwice, kTwice)));
  for (const auto& [left, right] : {std::pair(kPlain, kGadget), std::pair(kPlainTwice, kTwice)}) {
    for (const certify::Outcome outcome :
         outcomes_of_methods(parse_qasm(left), parse_qasm(right))) {
      CHECK(outcome == certify::Outcome::equal);
    }
  }
}

TEST_CASE(
    "A Toffoli gate by four T gates and a measurement is proved, and its mistakes are found") {
  const std::string toffoli =
      R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; ccz q[0],q[1],q[2];)";
  const std::string measured = R"(OPENQASM 2.0; include "qelib1.inc";
qreg q[3]; qreg a[1]; creg m[1];
h a[0]; t a[0]; cx q[0],a[0]; tdg a[0]; cx q[1],a[0]; t a[0]; cx q[0],a[0]; tdg a[0]; cx q[1],a[0];
h a[0]; s a[0]; cz a[0],q[2]; h a[0]; measure a[0] -> m[0]; if(m==1) cz q[0],q[1];
)";
  for (const certify::Outcome outcome :
       outcomes_of_methods(parse_qasm(toffoli), parse_qasm(measured))) {
    CHECK(outcome == certify::Outcome::equal);
  }
  for (const auto& [old, other] : std::vector<std::pair<std::string, std::string>>{
           {"if(m==1) cz q[0],q[1];", ""},
           {"if(m==1) cz q[0],q[1];", "cz q[0],q[1];"},
           {"if(m==1) cz q[0],q[1];", "if(m==1) cz q[0],q[2];"},
           {"h a[0]; measure", "measure"},
           {"s a[0]; cz", "sdg a[0]; cz"},
           {"cz a[0],q[2];", ""},
           {"h a[0]; t a[0];", "h a[0]; tdg a[0];"}}) {
    INFO(old << " -> " << other);
    CHECK(compared(toffoli, with(measured, old, other)).verdict == EquivalenceVerdict::not_equal);
  }
}

TEST_CASE("Many Toffoli gates are proved, each measurement by what its ancilla is part of") {
  std::string head = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[30];)";
  std::string toffolis;
  std::string measured;
  for (int i = 0; i + 2 < 30; ++i) {
    const std::array<std::string, 3> q{fmt::format("q[{}]", i), fmt::format("q[{}]", i + 1),
                                       fmt::format("q[{}]", i + 2)};
    toffolis += fmt::format("ccz {},{},{}; h {};", q[0], q[1], q[2], q[0]);
    measured += fmt::format(
        "reset a[0]; h a[0]; t a[0]; cx {0},a[0]; tdg a[0]; cx {1},a[0]; t a[0]; cx {0},a[0]; "
        "tdg a[0]; cx {1},a[0]; h a[0]; s a[0]; cz a[0],{2}; h a[0]; measure a[0] -> m[0]; "
        "if(m==1) cz {0},{1}; h {0};",
        q[0], q[1], q[2]);
  }
  const std::string right = head + "qreg a[1]; creg m[1];" + measured;
  CHECK(is_equal(compared(head + toffolis, right)));
  CHECK(outcomes_of_methods(parse_qasm(head + toffolis), parse_qasm(right)).back() ==
        certify::Outcome::equal);
  CHECK_FALSE(is_equal(
      compared(head + toffolis, with(right, "if(m==1) cz q[7],q[8];", "if(m==1) cz q[7],q[9];"))));
}

TEST_CASE("Circuits with other sizes are equal only if ancillas are permitted") {
  CHECK(check_equivalence(parse_qasm(kPlain), parse_qasm(kGadget)).verdict ==
        EquivalenceVerdict::not_equal);
  // The first circuit has no ancillas.
  CHECK_FALSE(is_equal(compared(kGadget, kPlain)));
}

TEST_CASE("A gadget with one mistake is different, by a witness") {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"if(m==1) s a[0];", ""},
      {"if(m==1) s a[0];", "if(m==1) sdg a[0];"},
      {"if(m==1) s a[0];", "s a[0];"},
      {"if(m==1) x a[0];", ""},
      {"if(m==1) x a[0];", "if(m==0) x a[0];"},
      {"if(m==1) x a[0];", "if(m==1) y a[0];"},
      {"if(m==1) x q[0];", ""},
      {"t a[0];", "tdg a[0];"},
      {"t q[0];", "tdg q[0];"},
      {"h a[0];", ""},
      {"cz q[0],a[0];", ""},
      {"h q[0];", ""},
      {"cx q[0],a[0];\n", ""},
  };
  for (const auto& [old, other] : mistakes) {
    INFO(old << " -> " << other);
    const EquivalenceReport report = compared(kPlain, with(kGadget, old, other));
    CHECK(report.verdict == EquivalenceVerdict::not_equal);
    CHECK_FALSE(report.witness.empty());
  }
}

TEST_CASE("An ancilla that is used again without a reset must be in its first state") {
  // The first gadget leaves it in |0>.
  CHECK(is_equal(compared(kPlainTwice, with(kTwice, "reset a[0];", ""))));
  const std::string dirty = with(kTwice, "reset a[0];", "x a[0];");
  CHECK_FALSE(is_equal(compared(kPlainTwice, dirty)));
  CHECK(is_equal(compared(kPlainTwice, with(kTwice, "reset a[0];", "x a[0]; reset a[0];"))));
}

TEST_CASE("An ancilla that knows something about the input is no ancilla") {
  const std::string plain = R"(OPENQASM 2.0; qreg q[1];)";
  const std::string copy = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; qreg a[1];
      cx q[0],a[0];)";
  CHECK(compared(plain, copy).verdict == EquivalenceVerdict::not_equal);
  const std::string measured = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; qreg a[1];
      creg m[1]; measure q[0] -> m[0];)";
  CHECK(compared(plain, measured).verdict == EquivalenceVerdict::not_equal);
  const std::string borrowed = copy + " t a[0]; cx q[0],a[0]; tdg q[0];";
  CHECK(is_equal(compared(plain, borrowed)));
  const std::string entangled = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; qreg a[2];
      h a[0]; cx a[0],a[1]; t a[1];)";
  CHECK(is_equal(compared(plain, entangled)));
}

TEST_CASE("Measurements of the input stay, and their bits count") {
  const std::string left = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[1];
      t q[0]; h q[0]; t q[0]; measure q[0] -> c[0]; if(c==1) h q[1];)";
  const std::string right = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; qreg a[1];
      creg c[1]; creg m[1];
      h a[0]; t q[0]; cz q[0],a[0]; t a[0]; h q[0]; measure q[0] -> m[0];
      if(m==1) x a[0]; if(m==1) s a[0]; if(m==1) x q[0]; cx a[0],q[0]; cx q[0],a[0];
      measure q[0] -> c[0]; if(c==1) h q[1];)";
  CHECK(is_equal(compared(left, right)));
  CHECK_FALSE(is_equal(compared(left, with(right, "if(c==1)", "if(m==1)"))));
  CHECK_FALSE(is_equal(compared(left, with(right, "if(c==1)", "if(c==0)"))));
  CHECK_FALSE(is_equal(compared(left, with(right, "t q[0]", "tdg q[0]"))));
  // A phase of the qubit in front of its measurement has no effect.
  CHECK(is_equal(compared(left, with(right, "t a[0]", "tdg a[0]"))));
}

TEST_CASE("The outcome of a measured qubit of the input is not discarded") {
  const std::string left = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[3];
      reset q[0]; h q[1]; cx q[1],q[2];)";
  const std::string right = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; creg m[1];
      reset q[0]; h q[0]; measure q[0] -> m[0]; h q[1]; cx q[1],q[2];)";
  CHECK_FALSE(is_equal(compared(left, right)));
  CHECK(is_equal(compared(left, with(right, "h q[1];", "if(m==1) x q[0]; h q[1];"))));
}

TEST_CASE("Conditions on wide registers of outcomes test all of their bits") {
  std::string right = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; qreg a[2]; creg m[70];
      x a[1]; measure a[1] -> m[0];)";
  for (int i = 1; i < 70; ++i) right += " measure a[0] -> m[" + std::to_string(i) + "];";
  right += " if(m==1) x q[0];";
  const std::string left = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; x q[0];)";
  CHECK(is_equal(compared(left, right)));
  CHECK_FALSE(is_equal(compared(left, with(right, "a[0] -> m[64]", "a[1] -> m[64]"))));
}

TEST_CASE("A condition that never holds makes no difference") {
  const std::string left = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[1]; h q[0];)";
  const std::string right = R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; qreg a[1];
      creg c[1]; h q[0]; if(c==1) x q[1];)";
  CHECK(compared(left, right).verdict != EquivalenceVerdict::not_equal);
}

TEST_CASE("Random changes of gadgets are found equal only if simulation agrees") {
  test::Random random(5);
  const Circuit plain = parse_qasm(kPlainTwice);
  const Circuit gadget = parse_qasm(kTwice);
  std::size_t different = 0;
  for (int i = 0; i < 150; ++i) {
    Circuit changed = gadget;
    auto& operations = changed.operations;
    const std::size_t place = test::below(random, operations.size());
    switch (test::below(random, 3)) {
      case 0:
        operations.erase(operations.begin() + static_cast<std::ptrdiff_t>(place));
        break;
      case 1:
        std::swap(operations[place], operations[test::below(random, operations.size())]);
        break;
      default: {
        using enum GateKind;
        const Operation added = test::random_gate(random, {x, z, s, t, h}, 2, 4);
        operations.insert(operations.begin() + static_cast<std::ptrdiff_t>(place), added);
      }
    }
    EquivalenceOptions options;
    options.ancillas = true;
    const EquivalenceReport report = check_equivalence(plain, changed, options);
    double infidelity = 0;
    for (int state = 0; state < 3; ++state) {
      infidelity = std::max(infidelity, test::ancilla_distance(plain, changed, random).infidelity);
    }
    INFO(write_qasm(changed) << report.witness);
    if (is_equal(report)) CHECK(infidelity < 1e-9);
    if (report.verdict == EquivalenceVerdict::not_equal) CHECK(infidelity > 1e-9);
    different += infidelity > 1e-9 ? 1 : 0;
  }
  CHECK(different > 50);
}

TEST_CASE(
    "Circuits with ancillas are compared within a distance by the operators of all outcomes") {
  const std::string head =
      R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; qreg a[1]; creg m[1];)";
  const auto gadget = [&](double angle) {
    return head + fmt::format(R"(h a[0]; rz({}) q[0]; cz q[0],a[0]; t a[0]; h q[0];
        measure q[0] -> m[0]; if(m==1) x a[0]; if(m==1) s a[0]; if(m==1) x q[0];
        cx a[0],q[0]; cx q[0],a[0];)",
                              angle);
  };
  const auto verdict = [&](double angle, double epsilon) {
    EquivalenceOptions options;
    options.ancillas = true;
    options.epsilon = epsilon;
    return check_equivalence(parse_qasm(kPlain), parse_qasm(gadget(angle)), options);
  };
  constexpr double kEighthTurn = 0.78539816339744830962;
  for (const double error : {1e-1, 1e-3, 1e-5}) {
    // The distance of a rotation whose angle is wrong by that.
    const double distance = 2 * std::sin(error / 4);
    const EquivalenceReport within = verdict(kEighthTurn + error, 1.01 * distance);
    CHECK(within.verdict == EquivalenceVerdict::within_epsilon);
    REQUIRE(within.distance);
    CHECK(*within.distance >= distance - 1e-12);
    CHECK(*within.distance <= 1.01 * distance);
    CHECK(verdict(kEighthTurn + error, 0.99 * distance).verdict == EquivalenceVerdict::undecided);
  }
}

TEST_CASE("The distance of circuits with ancillas is not below that of a random state") {
  test::Random random(9);
  std::size_t within = 0;
  for (int i = 0; i < 60; ++i) {
    using enum GateKind;
    const Circuit left = test::random_circuit(random, {h, rz, cx, t}, 2, 8);
    // The same gates, some of them with another angle, and an ancilla that is measured twice.
    Circuit right = make_circuit(3, left.operations);
    for (Operation& operation : right.operations) {
      if (operation.gate == rz) operation.angles[0] += Angle::radians(Rational(1, 100));
    }
    const auto in_front = [&](std::string statements) {
      Circuit ancilla =
          parse_qasm("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[3]; creg m[1];" + statements);
      ancilla.operations.insert(ancilla.operations.end(), right.operations.begin(),
                                right.operations.end());
      return ancilla;
    };
    right = in_front("h q[2]; measure q[2] -> m[0]; if(m==1) x q[2]; h q[2]; reset q[2];");
    EquivalenceOptions options;
    options.ancillas = true;
    options.epsilon = 0.2;
    const EquivalenceReport report = check_equivalence(left, right, options);
    const test::AncillaDistance sample = test::ancilla_distance(left, right, random);
    if (!report.distance) continue;
    ++within;
    CHECK(std::sqrt(sample.infidelity) <= *report.distance + 1e-7);
  }
  CHECK(within > 50);
}
