#include <catch2/catch.hpp>
#include <string>

#include "quartz/base/errors.hpp"
#include "quartz/rules/ecc_set.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using Catch::Matchers::Contains;

namespace {

using Circuits = std::vector<std::vector<Operation>>;

EccSet parse(const std::string& text, const char* gate_set = "nam") {
  return parse_ecc_set(text, "set.json", load_gate_set(gate_set));
}

/// Returns a file in the older layout with one class.
std::string older(const std::string& circuits) { return "[[], {\"0_1\": [" + circuits + "]}]"; }

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(parse(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

Operation rz(const Angle& angle) { return make_operation(GateKind::rz, {0}, {angle}); }

}  // namespace

TEST_CASE("Both layouts of an ECC set give the same circuits") {
  const EccSet old_layout = parse(older(
      R"([[2, 2, 3, 2, ["1c"], [0.5, 0.1]], [["add", ["P2"], ["P0", "P1"]],
                                               ["cx", ["Q0", "Q1"], ["Q0", "Q1"]],
                                               ["rz", ["Q0"], ["Q0", "P2"]]]],
         [[2, 2, 2, 2, ["1c"], [0.5, 0.1]], [["rz", ["Q0"], ["Q0", "P0"]],
                                             ["rz", ["Q0"], ["Q0", "P1"]]]])"));
  const EccSet new_layout = parse(
      R"([[[3, "", "", ["add", ["P2"], ["P0", "P1"]]], [0.3, 0.7, 1.0]],
          {"a": [[[2, 2], [["cx", ["Q0", "Q1"], ["Q0", "Q1"]], ["rz", ["Q0"], ["Q0", "P2"]]]],
                 [[2, 2], [["rz", ["Q0"], ["Q0", "P0"]], ["rz", ["Q0"], ["Q0", "P1"]]]]]}])");
  const Angle p0 = Angle::symbol("p0");
  const Angle p1 = Angle::symbol("p1");
  const std::vector<std::vector<Operation>> expected{
      {make_operation(GateKind::cx, {0, 1}), rz(p0 + p1)}, {rz(p0), rz(p1)}};
  for (const EccSet& set : {old_layout, new_layout}) {
    REQUIRE(set.classes.size() == 1);
    CHECK(set.classes.front() == expected);
    CHECK(set.qubits == 2);
    CHECK(set.parameters == 2);
    CHECK(set.omitted.empty());
  }
}

TEST_CASE("Parameters of rotations in an ECC set are halves of angles") {
  // u3 by (p, q, q) mixes a half with whole angles, so that its first angle stays twice p.
  const EccSet set = parse(
      older(R"([[1, 1, 1, 1, [], []], [["u3", ["Q0"], ["Q0", "P0", "P0", "P0"]]]])"), "ibm_u");
  const Angle p0 = Angle::symbol("p0");
  CHECK(set.classes.front().front() ==
        std::vector{make_operation(GateKind::u3, {0}, {p0 * Rational(2), p0, p0})});
}

TEST_CASE("Constants, products and fractions of pi in an ECC set are exact") {
  const EccSet set = parse(
      R"([[[6, "", 2, 1.5707963267948966, ["mult", ["P3"], ["P1", "P0"]], ["pi", ["P4"], ["P1"]],
           ["neg", ["P5"], ["P0"]]], []],
          {"a": [[[1, 4], [["rz", ["Q0"], ["Q0", "P3"]], ["rz", ["Q0"], ["Q0", "P2"]],
                           ["rz", ["Q0"], ["Q0", "P4"]], ["rz", ["Q0"], ["Q0", "P5"]]]]]}])");
  const Angle p0 = Angle::symbol("p0");
  const Angle pi = Angle::pi_times(Rational(1));
  CHECK(set.classes.front().front() == std::vector{rz(p0 * Rational(2)), rz(pi), rz(pi), rz(-p0)});
}

TEST_CASE("Gates of an ECC set are written in the gate set, or their circuits are omitted") {
  const std::string two_qubits = older(
      R"([[2, 0, 0, 1, [], []], [["t", ["Q0"], ["Q0"]]]],
         [[2, 0, 0, 1, [], []], [["ch", ["Q0", "Q1"], ["Q0", "Q1"]]]])");
  const EccSet set = parse(two_qubits);
  CHECK(set.classes.front() == Circuits{{rz(Angle::pi_times(Rational(1, 4)))}});
  CHECK(set.omitted == std::map<std::string, std::uint64_t>{{"ch", 1}});
  CHECK(parse(two_qubits, "clifford_t").classes.front() ==
        Circuits{{make_operation(GateKind::t, {0})}});
}

TEST_CASE("Malformed ECC sets are rejected with the place and the expectation") {
  const auto circuit = [](const std::string& operation) {
    return older("[[2, 1, 1, 1, [], []], [" + operation + "]]");
  };
  CHECK_THAT(error_of("{}"), Contains("expected an array"));
  CHECK_THAT(error_of("[[]]"), Contains("expected a list of parameters, and an object"));
  CHECK_THAT(error_of(circuit(R"(["nosuch", ["Q0"], ["Q0"]])")),
             Contains("set.json:1:") && Contains("unknown gate \"nosuch\""));
  CHECK_THAT(error_of(circuit(R"(["h", ["Q0"], ["Q2"]])")),
             Contains("expected Q0 to Q1, found \"Q2\""));
  CHECK_THAT(error_of(circuit(R"(["h", ["Q0"], ["Q0", "P0"]])")),
             Contains("expected the qubits and parameters, found 2 elements"));
  CHECK_THAT(error_of(circuit(R"(["cx", ["Q0", "Q0"], ["Q0", "Q0"]])")), Contains("used twice"));
  CHECK_THAT(error_of(circuit(R"(["rz", ["Q0"], ["Q0", "P7"]])")),
             Contains("used before it is defined"));
  CHECK_THAT(error_of(circuit(R"(["mult", ["P1"], ["P0", "P0"]])")), Contains("whole number"));
  CHECK_THAT(error_of(R"([[[1, "", ""], []], {}])"), Contains("the number of the parameters"));
  CHECK_THAT(error_of(R"([[[2, 0, ["pi", ["P1"], ["P0"]]], []], {}])"), Contains("zero"));
}
