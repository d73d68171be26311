#include <catch2/catch.hpp>
#include <vector>

#include "certify/methods/compare_problem.hpp"
#include "certify/methods/known_parts.hpp"
#include "posed_problem.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;

namespace {

Operation rotation(const char* angle) { return make_operation(rz, {0}, {Angle::decimal(angle)}); }

Comparison equal_with_phase() {
  Comparison result = equal_by("test");
  result.exact_phase = Angle::pi_times(Rational(1, 4));
  result.log2_failure = -100;
  return result;
}

}  // namespace

TEST_CASE("A part with the same steps has the known result, and fails with it") {
  const Problem part = problem_of(1, {rotation("0.1"), rotation("0.2")}, {rotation("0.3")});
  KnownParts known;
  CHECK_FALSE(known.find(part));
  known.add(part, equal_with_phase());
  Problem other_names = part;
  other_names.wires[0].name = "other[7]";
  const std::optional<Comparison> found = known.find(other_names);
  REQUIRE(found);
  CHECK(found->outcome == Outcome::equal);
  CHECK(found->exact_phase == Angle::pi_times(Rational(1, 4)));
  CHECK_FALSE(found->log2_failure);
}

TEST_CASE("Other parts have no known result") {
  const Problem part = problem_of(1, {rotation("0.1"), rotation("0.2")}, {rotation("0.3")});
  KnownParts known;
  known.add(part, equal_with_phase());
  CHECK_FALSE(known.find(problem_of(1, {rotation("0.1"), rotation("0.2")}, {rotation("0.4")})));
  CHECK_FALSE(known.find(problem_of(1, {rotation("0.3")}, {rotation("0.1"), rotation("0.2")})));
  CHECK_FALSE(known.find(problem_of(1, {rotation("0.1")}, {rotation("0.3")})));
  Problem changed = part;
  changed.wires[0].starts_zero = true;
  CHECK_FALSE(known.find(changed));
  changed = part;
  changed.epsilon = 1e-3;
  CHECK_FALSE(known.find(changed));
}

TEST_CASE("Only equal parts with an exact phase are kept") {
  const Problem part = problem_of(1, {rotation("0.1"), rotation("0.2")}, {rotation("0.3")});
  KnownParts known;
  known.add(part, unknown_because("test", "a reason"));
  known.add(part, different_by("test", "a witness"));
  known.add(part, equal_by("test"));
  CHECK_FALSE(known.find(part));
}

TEST_CASE("The phases of equal parts add up, and one different part decides") {
  constexpr Qubit kQubits = 1000;
  const auto circuit = [](const std::vector<Operation>& gates) {
    std::vector<Operation> all;
    for (Qubit qubit = 0; qubit < kQubits; ++qubit) {
      for (Operation gate : gates) {
        gate.qubits = {qubit};
        all.push_back(std::move(gate));
      }
    }
    return all;
  };
  const std::vector<Operation> left = circuit({make_operation(p, {0}, {Angle::decimal("0.5")})});
  std::vector<Operation> right = circuit({rotation("0.5")});
  const Comparison equal = compare_problem(problem_of(kQubits, left, right), Budget{}, 1);
  CHECK(equal.outcome == Outcome::equal);
  CHECK(equal.exact_phase == Angle::radians(-250));
  right[kQubits / 2].angles[0] = Angle::decimal("0.25");
  CHECK(compare_problem(problem_of(kQubits, left, right), Budget{}, 1).outcome ==
        Outcome::different);
}
