#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "certify/simulation/dense.hpp"
#include "certify/simulation/exact_unitary.hpp"
#include "multiples_of_pi.hpp"
#include "posed_problem.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;

namespace {}  // namespace

TEST_CASE("Exact unitaries and double precision agree, including the phase") {
  const std::uint64_t seed = 17;
  INFO("seed " << seed);
  Random random(seed);
  int decided = 0;
  for (int round = 0; round < 80; ++round) {
    INFO("round " << round);
    const std::vector<GateKind> kinds =
        round % 2 == 0 ? std::vector{h, t, cx, x, sdg, cz, ccx, rz, sx, u2, ecr} : kinds_up_to(3);
    const Circuit circuit = random_circuit(random, kinds, 3, 20);
    Circuit other = circuit;
    for (int i = 0; i < 4; ++i) {
      other = with_inverse_pair(other, random, kinds);
      other = with_decomposed_gate(other, random);
    }
    if (round % 4 == 3) {
      other.operations.insert(other.operations.begin() + 7, make_operation(t, {1}));
    }
    const Problem problem = problem_of(circuit, other);
    const Comparison exact = compare_exact_unitaries(problem, {});
    const Comparison numeric = compare_dense_unitaries(problem, {});
    INFO(exact.reason);
    if (exact.outcome == Outcome::unknown) continue;
    ++decided;
    CHECK(exact.outcome == numeric.outcome);
    CHECK(exact.outcome == (round % 4 == 3 ? Outcome::different : Outcome::equal));
    if (exact.outcome == Outcome::equal) {
      CHECK(std::remainder(*exact.phase - *numeric.phase, 2 * std::numbers::pi) ==
            Approx(0).margin(1e-9));
    }
  }
  CHECK(decided > 40);
}

TEST_CASE("Gates outside the ring give an unknown outcome") {
  const auto outcome = [](const Operation& operation) {
    return compare_exact_unitaries(
               problem_of(make_circuit(2, {operation}), make_circuit(2, {operation})), {})
        .outcome;
  };
  CHECK(outcome(make_operation(rz, {0}, {pi(3, 4)})) == Outcome::equal);
  CHECK(outcome(make_operation(rx, {0}, {pi(1, 4)})) == Outcome::equal);
  CHECK(outcome(make_operation(rz, {0}, {pi(1, 8)})) == Outcome::unknown);
  CHECK(outcome(make_operation(crz, {0, 1}, {pi(1, 4)})) == Outcome::unknown);
  CHECK(outcome(make_operation(rz, {0}, {Angle::symbol("a")})) == Outcome::unknown);
  CHECK(outcome(opaque("u", {0})) == Outcome::unknown);
}

TEST_CASE("Every phase between columns is detected") {
  for (std::int64_t k = 1; k < 8; ++k) {
    const Circuit left = make_circuit(2, {});
    CHECK(compare_exact_unitaries(
              problem_of(left, make_circuit(2, {make_operation(cp, {0, 1}, {pi(k, 4)})})), {})
              .outcome == Outcome::different);
    const Circuit phase =
        make_circuit(2, {make_operation(p, {0}, {pi(k, 4)}), make_operation(x, {0}),
                         make_operation(p, {0}, {pi(k, 4)}), make_operation(x, {0})});
    const Comparison result = compare_exact_unitaries(problem_of(left, phase), {});
    REQUIRE(result.outcome == Outcome::equal);
    CHECK(std::remainder(*result.phase - static_cast<double>(k) * std::numbers::pi / 4,
                         2 * std::numbers::pi) == Approx(0).margin(1e-12));
  }
}
