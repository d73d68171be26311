#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/exact_radians.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;
using boost::multiprecision::cpp_rational;
using Catch::Matchers::Contains;

namespace {

constexpr std::array kSetsOfAngles{"nam", "ibm_heron", "ibm_u", "ion_trap"};
constexpr std::array kSearchesOfAngles{"simplify", "anneal", "backtrack",
                                       "local",    "blocks", "pauli"};

Circuit on_qubits(const std::string& statements, std::size_t qubits) {
  return parse_qasm("OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[" + std::to_string(qubits) +
                    "];\n" + statements);
}

/// Returns nothing if the search does not apply to the gate set.
std::optional<SuperoptimizeResult> optimized(const Circuit& circuit, std::string_view set,
                                             std::string_view search,
                                             Exactness exactness = Exactness::keep) {
  SuperoptimizeOptions options;
  options.search = search;
  options.exactness = exactness;
  options.steps = 3000;
  options.seconds = 60;
  options.threads = 1;
  options.cache.enabled = false;
  options.check = CheckPolicy::required;
  try {
    return superoptimize(circuit, load_gate_set(std::string(set)), options);
  } catch (const UsageError& error) {
    CHECK_THAT(error.what(), Contains("cannot be used here"));
    return std::nullopt;
  }
}

/// The sum of rotations about Z: a multiple of pi, exactly, and radians.
struct Turn {
  cpp_rational of_pi = 0;
  cpp_rational radians = 0;
  bool has_decimals = false;
};

void add(Turn& turn, const Angle& angle) {
  turn.of_pi += algebra::exact_pi_multiple(angle);
  turn.radians += algebra::exact_radians(angle);
  turn.has_decimals = turn.has_decimals || !angle.is_pi_multiple();
}

/// Returns the angles of the rotations about Z by qubit. Fails for all other gates.
std::vector<Turn> turns_of(const Circuit& circuit) {
  std::vector<Turn> turns(circuit.qubit_count());
  for (const Operation& operation : circuit.operations) {
    Turn& turn = turns[operation.qubits[0]];
    switch (operation.gate) {
      case GateKind::rz:
      case GateKind::u1:
      case GateKind::p:
        add(turn, operation.angles[0]);
        break;
      case GateKind::z:
        add(turn, Angle::pi_times(1));
        break;
      case GateKind::s:
        add(turn, Angle::pi_times(Rational(1, 2)));
        break;
      case GateKind::t:
        add(turn, Angle::pi_times(Rational(1, 4)));
        break;
      default:
        FAIL("a gate that is no rotation about Z: " << static_cast<int>(operation.gate));
    }
  }
  return turns;
}

/// Checks two sums of rotations, modulo 2 pi: exactly if neither has decimals.
void check_same(const Turn& before, const Turn& after, std::size_t qubit) {
  INFO("qubit " << qubit);
  cpp_rational turns = (before.of_pi - after.of_pi) / 2;
  turns -= boost::multiprecision::numerator(turns) / boost::multiprecision::denominator(turns);
  const cpp_rational radians = before.radians - after.radians;
  if (!before.has_decimals && !after.has_decimals) {
    CHECK(turns == 0);
    CHECK(radians == 0);
    return;
  }
  const double difference =
      2 * std::numbers::pi * static_cast<double>(turns) + static_cast<double>(radians);
  CHECK(std::abs(std::remainder(difference, 2 * std::numbers::pi)) < 2e-12);
}

void check_rotations(const Circuit& circuit) {
  const std::vector<Turn> before = turns_of(circuit);
  std::size_t runs = 0;
  for (const std::string_view set : kSetsOfAngles) {
    for (const std::string_view search : kSearchesOfAngles) {
      INFO(set << ", " << search);
      const auto result = optimized(circuit, set, search);
      if (!result) continue;
      ++runs;
      CHECK(result->check.verified == true);
      CHECK(result->circuit.operations.size() <= result->translated.operations.size());
      const std::vector<Turn> after = turns_of(result->circuit);
      for (std::size_t qubit = 0; qubit < before.size(); ++qubit) {
        check_same(before[qubit], after[qubit], qubit);
      }
    }
  }
  // Annealing needs gates with few angles.
  CHECK(runs >= kSetsOfAngles.size() * (kSearchesOfAngles.size() - 1));
}

}  // namespace

TEST_CASE("exact fractions of pi stay, however small they are", "[tiny angles]") {
  std::string text;
  std::size_t qubits = 0;
  for (unsigned k = 30; k <= 61; ++k, ++qubits) {
    const std::string power = std::to_string(std::uint64_t{1} << k);
    const std::string qubit = " q[" + std::to_string(qubits) + "];\n";
    text += "rz(3*pi/" + power + ")" + qubit;
    if (k % 2 != 0) text += "s" + qubit;
    if (k % 3 == 0) text += "u1(-pi/" + power + ")" + qubit;
  }
  check_rotations(on_qubits(text, qubits));
}

TEST_CASE("fractions of pi whose sum needs more than 64 bits stay apart or are added exactly",
          "[tiny angles]") {
  const std::array<std::string, 4> lists{
      "rz(pi/3) q[0]; rz(pi/5000000029) q[0]; rz(pi/998244353) q[0];",
      "rz(pi/1000003) q[0]; rz(pi/999983) q[0]; rz(pi/1000033) q[0]; rz(pi/999979) q[0];",
      "rz(pi/3) q[0]; rz(pi/1000000000000000003) q[0];",
      "rz(pi/998244353) q[0]; rz(-pi/998244341) q[0]; rz(-pi/9000000000000000011) q[0];"};
  for (const std::string& list : lists) {
    const Circuit circuit = on_qubits(list, 1);
    for (const std::string_view search : kSearchesOfAngles) {
      for (const Exactness exactness : {Exactness::keep, Exactness::exact}) {
        INFO(list << " " << search);
        const auto result = optimized(circuit, "nam", search, exactness);
        REQUIRE(result);
        check_same(turns_of(circuit)[0], turns_of(result->circuit)[0], 0);
      }
    }
  }
}

TEST_CASE("decimals beside fine fractions of pi are rounded only", "[tiny angles]") {
  check_rotations(
      on_qubits("rz(0.25) q[0]; rz(pi/4398046511104) q[0]; rz(0.123456789012345*pi) q[1];"
                "rz(pi/7) q[1]; rz(1e-9) q[2]; rz(pi/281474976710656) q[2]; rz(1.5) q[3];"
                "s q[3]; rz(-1.5) q[3];",
                4));
}

TEST_CASE("fine fractions of pi are left in blocks on several qubits", "[tiny angles]") {
  // In double precision, the first rotation and the controlled one are none, and the pairs of cx
  // around them cancel.
  const Circuit circuit = on_qubits(
      "h q[0]; cx q[0],q[1]; rz(pi/2251799813685248) q[1]; cx q[0],q[1]; h q[0];"
      "rx(pi/16777216) q[1]; rz(pi/33554432) q[1]; rx(-pi/16777216) q[1];"
      "cu1(pi/8796093022208) q[1],q[2]; rz(0.3) q[2]; cx q[1],q[2]; rz(0.4) q[2]; cx q[1],q[2];",
      3);
  for (const std::string_view set : kSetsOfAngles) {
    for (const std::string_view search : {"simplify", "blocks", "backtrack", "local"}) {
      for (const Exactness exactness : {Exactness::keep, Exactness::numeric}) {
        INFO(set << ", " << search);
        const auto result = optimized(circuit, set, search, exactness);
        REQUIRE(result);
        CHECK(result->check.verified == true);
        CHECK(unitary_distance(circuit, result->circuit) < 1e-12);
        // Both gates entangle, if only a little.
        CHECK(count_gates(result->circuit).two_qubit >= 2);
      }
    }
  }
}
