#include <catch2/catch.hpp>
#include <string>

#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"

/// Verdicts that were once wrong because of floating point, rounding or sampling.
using namespace quartz;

namespace {

std::string program(unsigned qubits, const std::string& body) {
  return "OPENQASM 3.0;\ninclude \"stdgates.inc\";\ninput float t;\nqubit[" +
         std::to_string(qubits) + "] q;\n" + body;
}

EquivalenceReport compare_on(unsigned qubits, const std::string& left, const std::string& right) {
  return check_equivalence(parse_qasm(program(qubits, left)), parse_qasm(program(qubits, right)));
}

bool equal(const EquivalenceReport& report) {
  return report.verdict == EquivalenceVerdict::equal ||
         report.verdict == EquivalenceVerdict::equal_up_to_phase;
}

}  // namespace

TEST_CASE("A parameter with a tiny coefficient is not ignored") {
  for (const auto& [left, right] :
       {std::pair("rz(t*1e-10) q[0];", ""), std::pair("rx(1e-11*t) q[0];", "rx(-1e-11*t) q[0];"),
        std::pair("ry(t) q[0];", "ry(t+1e-15*t) q[0];")}) {
    INFO(left << " against " << right);
    const EquivalenceReport report = compare_on(1, left, right);
    CHECK(report.verdict == EquivalenceVerdict::not_equal);
    INFO(report.witness);
    CHECK(report.witness.find("t=") != std::string::npos);
  }
  // More qubits than can be simulated.
  std::string wide;
  for (int i = 0; i < 69; ++i) {
    wide += "cx q[" + std::to_string(i) + "],q[" + std::to_string(i + 1) + "];";
  }
  CHECK(compare_on(70, wide + "rz(t*1e-10) q[69];", wide).verdict == EquivalenceVerdict::not_equal);
  CHECK(compare_on(1, "rx(1e-11*t) q[0]; rx(2e-11*t) q[0];", "rx(3e-11*t) q[0];").verdict ==
        EquivalenceVerdict::equal);
}

TEST_CASE("A difference on one input among many is not missed by sampling") {
  const std::string controls =
      "q[0],q[1],q[2],q[3],q[4],q[5],q[6],q[7],q[8],q[9],q[10],q[11],q[12],"
      "q[13],q[14],q[15];";
  const EquivalenceReport report = compare_on(16, "ctrl(15) @ p(1e-7) " + controls, "");
  CHECK_FALSE(equal(report));
  // If no rule eliminates the sums, the images of random states differ by less than rounding.
  std::string mixing;
  for (int i = 0; i < 16; ++i) mixing += "rx(0.3) q[" + std::to_string(i) + "];";
  CHECK_FALSE(
      equal(compare_on(16, mixing + "ctrl(15) @ p(1e-7) " + controls + mixing, mixing + mixing)));
}

TEST_CASE("Large angles are reduced exactly") {
  CHECK(
      equal(compare_on(1, "rz(1e12) q[0]; rz(0.3) q[0]; ry(0.7) q[0]; rz(0.4) q[0]; ry(0.2) q[0];",
                       "rz(1e12+0.3) q[0]; "
                       "u3(0.8870352514928702,0.3295518146660609,0.09996679580892442) q[0];")));
  CHECK(equal(compare_on(1, "rx(1e300) q[0];", "rx(1e300) q[0]; h q[0]; h q[0];")));
  // 4.543370959115518 is 1e300 modulo 4 pi.
  CHECK(equal(compare_on(1, "rx(1e300) q[0];", "rx(4.543370959115518) q[0];")));
  CHECK(compare_on(1, "rx(1e300) q[0];", "rx(4.543371) q[0];").verdict ==
        EquivalenceVerdict::not_equal);
}

TEST_CASE("Numeric methods state a bound on the distance of the circuits") {
  const EquivalenceReport exact =
      compare_on(2, "h q[0]; cx q[0],q[1];", "h q[0]; cx q[0],q[1]; t q; tdg q;");
  REQUIRE(exact.distance.has_value());
  CHECK(*exact.distance == 0);
  CHECK_FALSE(exact.log2_failure.has_value());
  const EquivalenceReport numeric =
      compare_on(1, "ry(0.7) q[0]; rx(0.4) q[0];",
                 "u3(0.7891254226492465,-0.4330632020519199,0.5807838702824992) q[0];");
  INFO(to_string(numeric.verdict) << " " << numeric.method << " " << numeric.witness);
  REQUIRE(equal(numeric));
  CHECK(*numeric.distance > 0);
  CHECK(*numeric.distance < 1e-12);
  CHECK(numeric.method.find("operator-norm distance below") != std::string::npos);
  CHECK_FALSE(compare_on(1, "h q[0];", "x q[0];").distance.has_value());
}

TEST_CASE("Circuits on many qubits that differ by rounding are equal within a stated bound") {
  // Layers of one-qubit gates; the second circuit has their rounded product. There are too many
  // qubits for a dense unitary, and nothing is exactly equal.
  std::string left;
  std::string right;
  for (int layer = 0; layer < 3; ++layer) {
    for (int q = 0; q < 12; ++q) {
      const std::string qubit = " q[" + std::to_string(q) + "];";
      left += "ry(0.7)" + qubit + "rx(0.4)" + qubit;
      right += "u3(0.7891254226492465,-0.4330632020519199,0.5807838702824992)" + qubit;
      if (q > 0) {
        const std::string pair = " q[" + std::to_string(q - 1) + "],q[" + std::to_string(q) + "];";
        left += "cx" + pair;
        right += "cx" + pair;
      }
    }
  }
  const EquivalenceReport report = compare_on(12, left, right);
  INFO(report.method << " " << report.witness);
  REQUIRE(equal(report));
  CHECK(*report.distance > 0);
  CHECK(*report.distance < 1e-9);
  REQUIRE(report.log2_failure.has_value());
  CHECK(*report.log2_failure <= -40);
  CHECK(compare_on(12, left, right + "rz(1e-6) q[3];").verdict == EquivalenceVerdict::not_equal);
}
