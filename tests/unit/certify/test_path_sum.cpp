#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "certify/path_sum/boolean_polynomial.hpp"
#include "certify/path_sum/path_sum_comparison.hpp"
#include "certify/path_sum/phase_polynomial.hpp"
#include "certify/simulation/dense.hpp"
#include "multiples_of_pi.hpp"
#include "polynomial_value.hpp"
#include "posed_problem.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;

namespace {

using Operations = std::vector<Operation>;

Comparison compare_sums_of(std::uint32_t qubits, Operations left, Operations right) {
  return compare_path_sums(
      problem_of(make_circuit(qubits, std::move(left)), make_circuit(qubits, std::move(right))),
      {});
}

BooleanPolynomial random_polynomial(Random& random, unsigned variables, unsigned terms) {
  BooleanPolynomial result;
  for (unsigned i = 0; i < terms; ++i) {
    Monomial monomial;
    const unsigned chosen = below(random, std::size_t{1} << variables);
    for (Variable v = 0; v < variables; ++v) {
      if (((chosen >> v) & 1U) != 0) monomial.push_back(v);
    }
    result.toggle(monomial);
  }
  return result;
}

}  // namespace

TEST_CASE("Polynomials over GF(2) represent functions of bits") {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const BooleanPolynomial a = random_polynomial(random, 5, 4);
    const BooleanPolynomial b = random_polynomial(random, 5, 4);
    for (unsigned bits = 0; bits < 32; ++bits) {
      const bool va = value_of(a, bits);
      const bool vb = value_of(b, bits);
      CHECK(value_of(a ^ b, bits) == (va != vb));
      CHECK(value_of(a * b, bits) == (va && vb));
      const unsigned replaced = vb ? bits | 4U : bits & ~4U;
      CHECK(value_of(a.substitute(2, b), bits) == value_of(a, replaced));
    }
  }
}

TEST_CASE("Phase polynomials return the phases that were added") {
  Random random(2);
  const Budget budget;
  for (int round = 0; round < 50; ++round) {
    PhasePolynomial phase(budget);
    std::vector<std::pair<BooleanPolynomial, Angle>> terms;
    for (int i = 0; i < 4; ++i) {
      const auto numerator = static_cast<std::int64_t>(below(random, 32));
      terms.emplace_back(random_polynomial(random, 4, 3), pi(numerator, 1 << below(random, 5)));
      phase.add(terms.back().first, terms.back().second);
    }
    const BooleanPolynomial value = random_polynomial(random, 3, 2);
    phase.substitute(3, value);
    CHECK(phase.other_terms().empty());
    for (unsigned bits = 0; bits < 8; ++bits) {
      const unsigned full = value_of(value, bits) ? bits | 8U : bits;
      double expected = 0;
      for (const auto& [function, angle] : terms) {
        if (value_of(function, full)) expected += angle.value();
      }
      Turns actual = 0;
      for (const auto& [monomial, coefficient] : phase.dyadic_terms()) {
        BooleanPolynomial function;
        function.toggle(monomial);
        if (value_of(function, bits)) actual += coefficient;
      }
      CHECK(std::remainder(radians_of(actual) - expected, 2 * std::numbers::pi) ==
            Approx(0).margin(1e-12));
    }
  }
}

TEST_CASE("Other angles cancel exactly, or with rounding that is recorded") {
  const Budget budget;
  PhasePolynomial phase(budget);
  const BooleanPolynomial a = BooleanPolynomial::variable(0);
  phase.add(a, Angle::symbol("t") + pi(1, 3));
  phase.add(a ^ BooleanPolynomial::one(), Angle::symbol("t"));
  CHECK(phase.constant_angle() == Angle::symbol("t"));
  REQUIRE(phase.other_terms().size() == 1);
  CHECK(phase.other_terms().begin()->second == pi(1, 3));
  phase.add(a, pi(2, 3));
  CHECK(phase.other_terms().empty());
  CHECK(phase.dyadic_terms().at({0}) == kHalfTurn);
  CHECK(phase.rounding() == 0);
  phase.add(a, Angle::decimal("3.14159265358979"));
  CHECK(phase.dyadic_terms().count({0}) == 0);
  CHECK(phase.rounding() > 0);
  CHECK(phase.rounding() < 1e-14);
}

TEST_CASE("Path sums support every gate of the table") {
  const std::uint64_t seed = 5;
  INFO("seed " << seed);
  Random random(seed);
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    for (const std::int64_t divisor : {4, 7}) {
      const Operation operation = random_gate(random, {row.kind}, 5, divisor);
      const Comparison with_itself = compare_sums_of(5, {operation}, {operation});
      CHECK(with_itself.outcome == Outcome::equal);
      CHECK(std::remainder(*with_itself.phase, 2 * std::numbers::pi) == Approx(0).margin(1e-12));
      // A random Clifford circuit comes first, so that no input is special.
      const Circuit before = random_circuit(random, {h, s, cx}, 5, 10);
      Circuit left = before;
      left.operations.push_back(operation);
      left.operations.push_back(make_operation(t, {1}));
      Circuit right = before;
      for (const Decomposition& pattern : row.decompositions) {
        if (!pattern.when.empty()) continue;
        const Decomposition filled = instantiate(pattern, operation);
        right.operations = before.operations;
        right.operations.insert(right.operations.end(), filled.operations.begin(),
                                filled.operations.end());
        right.operations.push_back(make_operation(t, {1}));
        const Comparison result = compare_path_sums(problem_of(left, right), {});
        INFO(result.reason);
        CHECK(result.outcome != Outcome::different);
        if (result.outcome != Outcome::equal) continue;
        CHECK(std::remainder(*result.phase + filled.phase.value(), 2 * std::numbers::pi) ==
              Approx(0).margin(1e-9));
      }
    }
  }
}

TEST_CASE("Path sums decide circuits that the rules can reduce") {
  const auto ccx_by_phases = [](Qubit a, Qubit b, Qubit c) {
    return Operations{
        make_operation(h, {c}),     make_operation(cx, {b, c}), make_operation(tdg, {c}),
        make_operation(cx, {a, c}), make_operation(t, {c}),     make_operation(cx, {b, c}),
        make_operation(tdg, {c}),   make_operation(cx, {a, c}), make_operation(t, {b}),
        make_operation(t, {c}),     make_operation(cx, {a, b}), make_operation(tdg, {b}),
        make_operation(cx, {a, b}), make_operation(t, {a}),     make_operation(h, {c})};
  };
  CHECK(compare_sums_of(3, ccx_by_phases(0, 1, 2), {make_operation(ccx, {0, 1, 2})}).outcome ==
        Outcome::equal);
  CHECK(compare_sums_of(3, ccx_by_phases(0, 1, 2), {make_operation(ccx, {0, 2, 1})}).outcome ==
        Outcome::different);
  // Toffoli ladders, once as ccx gates and once decomposed.
  for (const Qubit wires : {8U, 40U}) {
    Operations ladder;
    Operations again;
    for (Qubit q = 0; q + 2 < wires; ++q) {
      ladder.push_back(make_operation(ccx, {q, q + 1, q + 2}));
      const Operations expanded = ccx_by_phases(q + 1, q, q + 2);
      again.insert(again.end(), expanded.begin(), expanded.end());
    }
    CHECK(compare_sums_of(wires, ladder, again).outcome == Outcome::equal);
    again.push_back(make_operation(cz, {0, wires - 1}));
    if (wires == 8) CHECK(compare_sums_of(wires, ladder, again).outcome == Outcome::different);
  }
}

TEST_CASE("A path sum with rounded angles reports the rounding") {
  const Operation h0 = make_operation(h, {0});
  const Comparison result =
      compare_sums_of(1, {h0, make_operation(rz, {0}, {pi(1, 4)}), h0},
                      {h0, make_operation(rz, {0}, {Angle::decimal("0.785398163397448")}), h0});
  CHECK(result.outcome == Outcome::equal);
  CHECK(result.method.find("rounded") != std::string::npos);
  CHECK(compare_sums_of(1, {h0, make_operation(rz, {0}, {Angle::decimal("0.1")}), h0},
                        {h0, make_operation(rz, {0}, {Angle::decimal("0.10000001")}), h0})
            .outcome != Outcome::equal);
}

TEST_CASE("Path sums support symbols, conditions and fresh wires") {
  const Angle a = Angle::symbol("a");
  CHECK(
      compare_sums_of(2, {make_operation(crz, {0, 1}, {a})},
                      {make_operation(rz, {1}, {a * Rational(1, 2)}), make_operation(cx, {0, 1}),
                       make_operation(rz, {1}, {a * Rational(-1, 2)}), make_operation(cx, {0, 1})})
          .outcome == Outcome::equal);
  const Operation condition = conditional(make_operation(ch, {0, 1}), 0, 1);
  const Operations pieces{make_operation(s, {1}),   make_operation(h, {1}),
                          make_operation(t, {1}),   make_operation(cx, {0, 1}),
                          make_operation(tdg, {1}), make_operation(h, {1}),
                          make_operation(sdg, {1})};
  Operations right{measure(0, 0)};
  for (const Operation& piece : pieces) right.push_back(conditional(piece, 0, 1));
  Problem problem = problem_of(classical_circuit(2, {1}, {measure(0, 0), condition}),
                               classical_circuit(2, {1}, right));
  CHECK(compare_path_sums(problem, {}).outcome == Outcome::equal);
  problem.right.pop_back();
  CHECK(compare_path_sums(problem, {}).outcome != Outcome::equal);

  // A gate controlled by a qubit that was just reset has no effect; before the reset it has one.
  CHECK(compare_path_sums(problem_of(make_circuit(2, {reset(0), make_operation(cx, {0, 1})}),
                                     make_circuit(2, {reset(0)})),
                          {})
            .outcome == Outcome::equal);
  CHECK(compare_path_sums(problem_of(make_circuit(2, {make_operation(cx, {0, 1}), reset(0)}),
                                     make_circuit(2, {reset(0)})),
                          {})
            .outcome == Outcome::different);
}

TEST_CASE("Path sums and state vectors never contradict each other") {
  const std::uint64_t seed = 99;
  INFO("seed " << seed);
  Random random(seed);
  const std::vector<GateKind> kinds = kinds_up_to(3);
  int decided = 0;
  for (int round = 0; round < 60; ++round) {
    INFO("round " << round);
    const std::int64_t divisor = round % 2 == 0 ? 4 : 7;
    const Circuit circuit = random_circuit(
        random, round % 3 == 0 ? kinds : std::vector{h, t, cx, ccx, rz}, 4, 16, divisor);
    Circuit other = circuit;
    for (int i = 0; i < 5; ++i) {
      other = with_inverse_pair(other, random, kinds, divisor);
      other = with_decomposed_gate(other, random);
    }
    if (round % 4 == 3)
      other.operations.insert(other.operations.begin() + 5, make_operation(t, {1}));
    const Problem problem = problem_of(circuit, other);
    const Comparison exact = compare_path_sums(problem, {});
    const Comparison numeric = compare_dense_unitaries(problem, {});
    INFO(exact.reason);
    INFO(numeric.reason);
    if (exact.outcome == Outcome::unknown) continue;
    ++decided;
    CHECK(exact.outcome == numeric.outcome);
    if (exact.outcome == Outcome::equal) {
      CHECK(std::remainder(*exact.phase - *numeric.phase, 2 * std::numbers::pi) ==
            Approx(0).margin(1e-9));
    }
  }
  CHECK(decided > 30);
}
