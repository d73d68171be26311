#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "base/random.hpp"
#include "quartz/approximation/rotation.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

using namespace quartz;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

Circuit program_of_angles(const std::string& statements) {
  return parse_qasm("OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[3] c; " + statements);
}

SuperoptimizeOptions options_within(double epsilon) {
  SuperoptimizeOptions options;
  options.search = "simplify";
  options.steps = 1000;
  options.threads = 1;
  options.cache.enabled = false;
  options.epsilon = epsilon;
  options.record_journal = true;
  return options;
}

SuperoptimizeResult approximated(const Circuit& circuit, double epsilon) {
  return superoptimize(circuit, load_gate_set("clifford_t"), options_within(epsilon));
}

/// Returns the verdict of the replay of the journal, with the check's own proof of every step.
ReplayReport replayed(const Circuit& circuit, const SuperoptimizeResult& result, double epsilon) {
  std::istringstream journal(result.journal);
  ReplayOptions options;
  options.epsilon = epsilon;
  return replay_journal(circuit, result.circuit, journal, "journal", options);
}

Circuit random_circuit(FastRandom& random, int gates) {
  std::string text;
  for (int gate = 0; gate < gates; ++gate) {
    const std::string qubit = "q[" + std::to_string(random.below(3)) + "];";
    const std::string angle = std::to_string(random.unit() * 6);
    switch (random.below(5)) {
      case 0:
        text += "h " + qubit;
        break;
      case 1:
        text += "rz(" + angle + ") " + qubit;
        break;
      case 2:
        text += "ry(" + angle + ") " + qubit;
        break;
      case 3:
        text += "cx q[0], q[1];";
        break;
      default:
        text += "cp(pi/" + std::to_string(1 + random.below(20)) + ") q[1], q[2];";
        break;
    }
  }
  return program_of_angles(text);
}

}  // namespace

TEST_CASE("rotations are approximated within epsilon, which the check proves",
          "[approximated rotations]") {
  FastRandom random(1);
  const GateSet set = load_gate_set("clifford_t");
  for (const double epsilon : {1e-2, 1e-5, 1e-9, 1e-10}) {
    // Unitaries take the longer the smaller the distance is.
    const int trials = epsilon < 1e-8 ? 1 : epsilon < 1e-3 ? 2 : 4;
    const int gates = epsilon < 1e-8 ? 6 : 12;
    for (int trial = 0; trial < trials; ++trial) {
      const Circuit circuit = random_circuit(random, gates);
      INFO(write_qasm(circuit));
      const SuperoptimizeResult result = approximated(circuit, epsilon);
      CHECK(std::ranges::all_of(result.circuit.operations, [&](const Operation& operation) {
        return set.contains(operation);
      }));
      CHECK(result.check.verified == true);
      CHECK(result.check.report.verdict == EquivalenceVerdict::within_epsilon);
      CHECK(result.check.report.distance.value() <= epsilon);
      CHECK(result.numeric);
      CHECK(result.approximated_rotations > 0);
      const ReplayReport replay = replayed(circuit, result, epsilon);
      CHECK(replay.is_certified);
      CHECK(replay.is_approximate);
      CHECK(replay.distance <= epsilon);
    }
  }
}

TEST_CASE("a circuit is optimized with its own angles before its rotations are approximated",
          "[approximated rotations]") {
  constexpr double kEpsilon = 1e-2;
  // Everything cancels but one rotation, though no two of the others merge.
  const Circuit circuit = program_of_angles(R"(u3(0.3,0.4,0.5) q[0]; cx q[0],q[1];
      u3(0.7,0.1,0.2) q[1]; cx q[0],q[1]; cx q[0],q[1]; u3(-0.7,-0.2,-0.1) q[1]; cx q[0],q[1];
      u3(-0.3,-0.5,-0.4) q[0]; rz(0.3) q[0];)");
  SuperoptimizeOptions options = options_within(kEpsilon);
  options.search = "auto";
  const SuperoptimizeResult result = superoptimize(circuit, load_gate_set("clifford_t"), options);
  CHECK(result.approximated_rotations == 1);
  CHECK(result.check.verified == true);
  CHECK(result.check.report.verdict == EquivalenceVerdict::within_epsilon);
  CHECK(result.check.report.distance.value() <= kEpsilon);
  REQUIRE(is_compound_journal(result.journal));
  EquivalenceOptions limits;
  limits.epsilon = kEpsilon;
  const auto replayed_with = [&](const Circuit& input) {
    return replay_compound_journal(input, result.circuit, result.journal, "journal", limits)
        .verdict;
  };
  CHECK(replayed_with(circuit) == EquivalenceVerdict::within_epsilon);
  CHECK(replayed_with(program_of_angles("rz(0.31) q[0];")) == EquivalenceVerdict::undecided);

  // A journal has its assumptions in every part, so the circuit is optimized at once.
  options.assumptions.starts_zero = true;
  CHECK_FALSE(
      is_compound_journal(superoptimize(circuit, load_gate_set("clifford_t"), options).journal));
  options.record_journal = false;
  const SuperoptimizeResult from_zero =
      superoptimize(circuit, load_gate_set("clifford_t"), options);
  CHECK(from_zero.approximated_rotations == 1);
  CHECK(from_zero.check.verified == true);
}

TEST_CASE("a distance that approximations take completely is proved as well",
          "[approximated rotations]") {
  for (const char* const angle : {"0.3", "0.7", "1.1"}) {
    CAPTURE(angle);
    // The check's bound on the distance of the same gates is some 1e-5 of it larger.
    const double epsilon = (1 + 1e-6) * approximate_rotation(Angle::decimal(angle), 1e-2).distance;
    const SuperoptimizeResult result =
        approximated(program_of_angles("rz(" + std::string(angle) + ") q[0]; h q[1];"), epsilon);
    CHECK(result.check.verified == true);
    CHECK(result.check.report.distance.value() <= epsilon);
  }
}

TEST_CASE("rotations that merge to multiples of pi/4 are exact", "[approximated rotations]") {
  const Circuit circuit = program_of_angles(
      "rz(pi/8) q[0]; cx q[0], q[1]; rz(0.3) q[1]; cx q[0], q[1]; rz(pi/8) q[0];"
      "cx q[0], q[1]; rz(-0.3) q[1]; cx q[0], q[1]; h q[2];");
  const SuperoptimizeResult result = approximated(circuit, 1e-3);
  CHECK(count_gates(result.circuit).t == 1);
  CHECK(result.check.report.verdict != EquivalenceVerdict::within_epsilon);
  CHECK(result.check.report.distance == 0.0);
  CHECK_FALSE(result.numeric);
  CHECK(result.approximated_rotations == 0);
}

TEST_CASE("the budget of a circuit is divided among its rotations", "[approximated rotations]") {
  const Circuit one = program_of_angles("rz(0.3) q[0];");
  const Circuit three = program_of_angles("rz(0.3) q[0]; rz(0.4) q[1]; rz(0.5) q[2];");
  const auto t_count = [](const Circuit& circuit, double epsilon) {
    return count_gates(approximated(circuit, epsilon).circuit).t;
  };
  CHECK(t_count(one, 1e-3) <= 30);
  CHECK(t_count(one, 1e-3) < t_count(one, 1e-6));
  CHECK(t_count(three, 1e-3) <= 3 * 35);
  CHECK(t_count(three, 1e-3) > 3 * 20);
}

TEST_CASE("gates that follow each other on a qubit take as many T gates as one rotation",
          "[approximated rotations]") {
  FastRandom random(20261127);
  const auto angle = [&] { return std::to_string(random.unit() * 6 - 3); };
  const auto t_count = [](const Circuit& circuit, double epsilon) {
    const SuperoptimizeResult result = approximated(circuit, epsilon);
    CHECK(result.check.verified == true);
    CHECK(result.check.report.distance.value() <= epsilon);
    CHECK(replayed(circuit, result, epsilon).is_certified);
    return count_gates(result.circuit).t;
  };
  for (int trial = 0; trial < 2; ++trial) {
    const std::string rotation = "rz(" + angle() + ") q[0];";
    const std::string any = "U(" + angle() + ", " + angle() + ", " + angle() + ") q[0];";
    for (const double epsilon : {1e-3, 1e-5}) {
      INFO(any << ' ' << epsilon);
      const auto of_rotation = t_count(program_of_angles(rotation), epsilon);
      CHECK(t_count(program_of_angles(any), epsilon) <= of_rotation + 8);
      // T gates around a rotation are part of its word.
      const std::string with_t = "t q[0]; h q[0]; t q[0]; h q[0];" + rotation + "h q[0]; t q[0];";
      CHECK(t_count(program_of_angles(with_t), epsilon) <= of_rotation + 8);
    }
  }
}

TEST_CASE("runs on a qubit end at what is between their gates", "[approximated rotations]") {
  // A run would be wrong over each of these: a gate on two qubits, a measurement, a reset, a
  // condition, whose bit changes, and a barrier.
  for (const char* const between :
       {"cx q[0], q[1];", "c[0] = measure q[0];", "reset q[0];", "barrier q;",
        "c[0] = measure q[1]; if (c[0]) { rz(0.9) q[0]; } c[0] = measure q[2];"
        "if (c[0]) { rz(1.9) q[0]; }"}) {
    const Circuit circuit =
        program_of_angles(std::string("h q[1]; rz(0.7) q[0]; h q[0]; rx(0.4) q[1];") + between +
                          "rz(0.3) q[0]; h q[0]; rz(0.2) q[0]; h q[0];");
    INFO(between);
    const SuperoptimizeResult result = approximated(circuit, 1e-3);
    CHECK(result.check.verified == true);
    CHECK(replayed(circuit, result, 1e-3).is_certified);
  }
}

TEST_CASE("rotations under conditions and among measurements are approximated",
          "[approximated rotations]") {
  const Circuit circuit = program_of_angles(
      "h q[0]; rz(0.3) q[0]; h q[0]; c[0] = measure q[0]; if (c[0]) { rz(0.7) q[1]; }"
      "reset q[2]; rx(0.2) q[2]; c[2] = measure q[2];");
  const SuperoptimizeResult result = approximated(circuit, 1e-4);
  CHECK(result.check.verified == true);
  CHECK(result.check.report.verdict == EquivalenceVerdict::within_epsilon);
  CHECK(replayed(circuit, result, 1e-4).is_certified);
}

TEST_CASE("the error for an angle outside of the set says why it is not approximated",
          "[approximated rotations]") {
  const auto error_for = [](const std::string& statements, double epsilon) -> std::string {
    try {
      (void)approximated(program_of_angles(statements), epsilon);
    } catch (const InexpressibleGate& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(error_for("rz(0.3) q[0];", 0),
             EndsWith("; with an epsilon above 0, rotations are approximated"));
  // No epsilon helps here: a parameter has no value, and a loop repeats every error.
  for (const double epsilon : {0.0, 1e-3}) {
    const std::string parameter = error_for("input float a; rz(a) q[0];", epsilon);
    CHECK_THAT(parameter, Contains("cannot be expressed"));
    CHECK_THAT(parameter, EndsWith("; angles with free parameters are not approximated"));
    const std::string loop = "while (c[0]) { rz(0.3) q[0]; c[0] = measure q[0]; }";
    CHECK_THAT(error_for(loop, epsilon), Contains("cannot be expressed"));
    CHECK_THAT(error_for(loop, epsilon),
               EndsWith("; rotations are not approximated in a circuit with loops or opaque "
                        "operations, which may repeat their errors"));
  }
}

TEST_CASE("a distance that the check cannot prove is a usage error", "[approximated rotations]") {
  CHECK_THROWS_AS(approximated(program_of_angles("rz(0.3) q[0];"), 1e-13), UsageError);
  CHECK_THROWS_WITH(approximated(program_of_angles("rz(0.3) q[0]; rz(0.4) q[1];"), 1e-13),
                    "epsilon must be at least 8e-12 for an approximation of 2 rotations of the "
                    "circuit, not 1e-13");
}

TEST_CASE("a gate set without rotations and T gates approximates nothing",
          "[approximated rotations]") {
  const GateSet clifford = parse_gate_set(
      R"({"format": "quartz-gate-set", "version": 1, "name": "clifford",
          "gates": [{"gate": "h"}, {"gate": "s"}, {"gate": "sdg"}, {"gate": "cx"}]})",
      "clifford.json");
  for (const double epsilon : {0.0, 1e-3}) {
    CHECK_THROWS_WITH(
        superoptimize(program_of_angles("rz(0.3) q[0];"), clifford, options_within(epsilon)),
        EndsWith("; rotations are only approximated in gate sets that express h, s, t and x"));
    // No approximation is the matter here.
    CHECK_THROWS_WITH(superoptimize(program_of_angles("ccx q[0], q[1], q[2];"), clifford,
                                    options_within(epsilon)),
                      !Contains("approximated"));
  }
}
