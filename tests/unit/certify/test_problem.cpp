#include <catch2/catch.hpp>

#include "certify/problem/instance.hpp"
#include "certify/problem/problem.hpp"
#include "posed_problem.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;

namespace {

std::vector<Problem> parts_of(Problem problem) {
  ProblemParts parts(std::move(problem));
  std::vector<Problem> result;
  for (std::size_t i = 0; i < parts.size(); ++i) result.push_back(parts.take(i));
  return result;
}

}  // namespace

TEST_CASE("Equal steps are removed from both ends, across other wires") {
  const Operation h0 = make_operation(h, {0});
  const Operation h1 = make_operation(h, {1});
  const Operation cx01 = make_operation(cx, {0, 1});
  SECTION("independent gates in another order") {
    Problem problem = problem_of(2, {h0, h1, cx01}, {h1, h0, cx01});
    cancel_common_steps(problem);
    CHECK(problem.left.empty());
    CHECK(problem.right.empty());
  }
  SECTION("different steps remain") {
    Problem problem = problem_of(2, {h0, make_operation(t, {1}), cx01}, {h0, h1, cx01});
    cancel_common_steps(problem);
    REQUIRE(problem.left.size() == 1);
    CHECK(problem.left[0].operation.gate == t);
    REQUIRE(problem.right.size() == 1);
    CHECK(problem.right[0].operation.gate == h);
  }
  SECTION("operands in another order make another gate") {
    Problem problem = problem_of(2, {cx01}, {make_operation(cx, {1, 0})});
    cancel_common_steps(problem);
    CHECK(problem.left.size() == 1);
  }
  SECTION("not at the beginning of a wire that starts in zero") {
    Problem problem = problem_of(make_circuit(1, {reset(0), h0, make_operation(t, {0})}),
                                 make_circuit(1, {reset(0), h0}));
    cancel_common_steps(problem);
    CHECK(problem.left.size() == 2);
    CHECK(problem.right.size() == 1);
  }
}

TEST_CASE("Parts that no gate connects become separate problems") {
  const Problem problem = problem_of(5, {make_operation(cx, {4, 0}), make_operation(h, {2})},
                                     {make_operation(t, {3}), make_operation(x, {2})});
  const std::vector<Problem> parts = parts_of(problem);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].wires == std::vector<WireInfo>{{"q[0]", false}, {"q[4]", false}});
  CHECK(parts[0].left[0].operation == make_operation(cx, {1, 0}));
  CHECK(parts[1].wires == std::vector<WireInfo>{{"q[2]", false}});
  CHECK(parts[1].left.size() == 1);
  CHECK(parts[1].right.size() == 1);
  CHECK(parts[2].left.empty());
  CHECK(describe_basis_state(parts[0], 2) == "q[4]=1 (all others 0)");
  CHECK(describe_basis_state(parts[0], 0) == "all qubits 0");
}

TEST_CASE("Measurements and resets that do not correspond are reported") {
  const auto mismatch = [](const Circuit& left, const Circuit& right) {
    auto posed = pose_problem(left, right);
    REQUIRE(std::holds_alternative<Fault>(posed));
    return std::get<Fault>(posed).reason();
  };
  CHECK(mismatch(classical_circuit(1, {1}, {measure(0, 0)}), classical_circuit(1, {1}, {})) ==
        "the left circuit measures into c0[0] 1 time, the right one 0 times");
  CHECK(mismatch(make_circuit(1, {}), make_circuit(1, {reset(0)})) ==
        "the left circuit resets q[0] 0 times, the right one 1 time");
  CHECK(mismatch(classical_circuit(1, {1, 1}, {conditional(measure(0, 0), 1, 1)}),
                 classical_circuit(1, {1, 1}, {measure(0, 0)})) ==
        "the circuits write c0[0] under different conditions");
}

TEST_CASE("A condition has one truth value between two writes to its register") {
  const Operation x1 = make_operation(x, {1});
  const Circuit circuit = classical_circuit(
      2, {1, 1},
      {measure(0, 0), conditional(x1, 0, 1), measure(0, 1), conditional(x1, 0, 1), measure(0, 0),
       conditional(x1, 0, 1), conditional(x1, 0, 0), conditional(x1, 0, 2)});
  const Problem problem = problem_of(circuit, circuit);
  std::vector<std::uint32_t> conditions;
  for (const Step& step : problem.left) {
    if (step.condition.has_value()) conditions.push_back(*step.condition);
  }
  // The last condition requires the value 2 of one bit and is never true.
  REQUIRE(conditions.size() == 4);
  CHECK(conditions[0] == conditions[1]);
  CHECK(conditions[1] != conditions[2]);
  CHECK(conditions[2] != conditions[3]);
  // Two values of one register at the same time exclude each other, so there are 2 * 3 choices.
  CHECK(truth_choices(problem) == 6);
  std::size_t visited = 0;
  for_each_truth(problem, [&](const std::vector<bool>& truth) {
    CHECK_FALSE((truth[conditions[2]] && truth[conditions[3]]));
    ++visited;
    return true;
  });
  CHECK(visited == 6);
}

TEST_CASE("A part contains only its own outcomes and conditions") {
  // Gates before and after each measurement differ, so that nothing cancels.
  std::vector<Operation> left;
  std::vector<Operation> right;
  constexpr Qubit qubits = 40;
  for (Qubit q = 0; q < qubits; ++q) {
    for (auto* side : {&left, &right}) {
      side->push_back(make_operation(side == &left ? h : sx, {q}));
      side->push_back(measure(q, q));
      side->push_back(conditional(make_operation(side == &left ? t : s, {q}), q, 1));
      side->push_back(make_operation(side == &left ? h : sx, {q}));
    }
  }
  const std::vector<std::uint32_t> registers(qubits, 1);
  const Problem problem = problem_of(classical_circuit(qubits, registers, left),
                                     classical_circuit(qubits, registers, right));
  CHECK(problem.outcome_symbols.size() == qubits);
  const std::vector<Problem> parts = parts_of(problem);
  REQUIRE(parts.size() == qubits);
  for (const Problem& part : parts) {
    CHECK(part.outcome_symbols.size() == 1);
    CHECK(part.condition_groups == std::vector<std::vector<std::uint32_t>>{{0}});
    CHECK(part.conditions() == std::set<std::uint32_t>{0});
  }
}
