#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "quartz/certify/journal.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

using namespace quartz;

namespace {

Circuit on_two_qubits(const std::string& statements) {
  return parse_qasm("OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\n" + statements);
}

SuperoptimizeOptions quick_options() {
  SuperoptimizeOptions options;
  options.search = "simplify";
  options.steps = 1000;
  options.threads = 1;
  options.cache.enabled = false;
  options.check = CheckPolicy::required;
  options.record_journal = true;
  return options;
}

/// What programs that compute in doubles miss of an angle, in radians.
double missed(double in_doubles, const Angle& exact) {
  return std::abs(std::remainder(in_doubles - exact.value_modulo(4), 4 * std::numbers::pi));
}

}  // namespace

TEST_CASE("Merged angles are written so that doubles do not miss them") {
  const GateSet set = load_gate_set("nam");
  for (const auto& [statements, sum] : std::vector<std::pair<std::string, std::string>>{
           {"rz(1e17) q[0]; rz(pi/2) q[0];", "1e17+pi/2"},
           {"rz(100000.123) q[0]; rz(0.5) q[0]; rz(pi/7) q[0];", "100000.623+pi/7"},
           {"rz(12345678901234567890) q[0]; rz(-0.25) q[0];", "12345678901234567889.75"},
           {"rz(-1e25) q[0]; rz(1e-3) q[0];", "-9999999999999999999999999.999"}}) {
    INFO(statements);
    const Circuit circuit = on_two_qubits(statements);
    const SuperoptimizeResult result = superoptimize(circuit, set, quick_options());
    REQUIRE(result.circuit.operations.size() == 1);
    const Angle angle = result.circuit.operations[0].angles[0];
    INFO(angle.to_string());
    CHECK(std::abs(angle.value()) <= 2 * std::numbers::pi);
    CHECK(missed(angle.value(), parse_angle(sum)) < 1e-12);
    CHECK(result.numeric);
    CHECK(result.check.verified == true);
    CHECK(parse_qasm(write_qasm(result.circuit)) == result.circuit);
    std::istringstream journal(result.journal);
    const ReplayReport replay = replay_journal(circuit, result.circuit, journal, "journal");
    INFO(replay.fault);
    CHECK(replay.is_certified);
  }
}

TEST_CASE("Angles of the input, small sums and exact results stay as they are") {
  const GateSet set = load_gate_set("nam");
  const auto result_of = [&](const std::string& statements, Exactness exactness) {
    SuperoptimizeOptions options = quick_options();
    options.exactness = exactness;
    return superoptimize(on_two_qubits(statements), set, options);
  };
  const std::string of_input = "rz(1e17+pi/2) q[0]; h q[0]; rz(123456.789) q[0]; h q[1]; h q[1];";
  const SuperoptimizeResult kept = result_of(of_input, Exactness::keep);
  REQUIRE(kept.circuit.operations.size() == 3);
  CHECK(kept.circuit.operations[0].angles[0] == parse_angle("1e17+pi/2"));
  CHECK(kept.circuit.operations[2].angles[0] == parse_angle("123456.789"));
  CHECK_FALSE(kept.numeric);

  const SuperoptimizeResult small =
      result_of("rz(0.1) q[0]; rz(20.2) q[0]; rz(pi/3) q[0];", Exactness::keep);
  REQUIRE(small.circuit.operations.size() == 1);
  CHECK(small.circuit.operations[0].angles[0] == parse_angle("20.3+pi/3"));
  CHECK_FALSE(small.numeric);

  const SuperoptimizeResult exact = result_of("rz(1e17) q[0]; rz(pi/2) q[0];", Exactness::exact);
  REQUIRE(exact.circuit.operations.size() == 1);
  CHECK(exact.circuit.operations[0].angles[0] == parse_angle("1e17+pi/2"));
  CHECK_FALSE(exact.numeric);
}
