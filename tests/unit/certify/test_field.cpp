#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "certify/field/field_comparison.hpp"
#include "certify/field/field_gate.hpp"
#include "certify/field/prime_field.hpp"
#include "certify/field/random_point.hpp"
#include "posed_problem.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;

namespace {

Comparison compare(const Problem& problem, const Angle& hint = {}) {
  return compare_in_field(problem, hint, {}, 7);
}

}  // namespace

TEST_CASE("A prime field obeys the laws of a field") {
  const std::uint64_t seed = 5;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const PrimeField::Integer& order : {PrimeField::Integer(8), PrimeField::Integer(720),
                                           PrimeField::Integer("20000000000000000")}) {
    const PrimeField field(order, random);
    const PrimeField::Element root = field.root_of_unity();
    CHECK(field.power(root, order) == field.one());
    CHECK_FALSE(field.power(root, order / 2) == field.one());
    CHECK(field.from_integer(-1) == field.power(root, order / 2));
    for (int i = 0; i < 100; ++i) {
      const auto a = field.random_unit(random);
      const auto b = field.random_unit(random);
      const auto c = field.random_unit(random);
      CHECK(field.multiply(a, field.inverse(a)) == field.one());
      CHECK(field.subtract(field.add(a, b), b) == a);
      CHECK(field.multiply(field.multiply(a, b), c) == field.multiply(a, field.multiply(b, c)));
      CHECK(field.multiply(a, field.add(b, c)) ==
            field.add(field.multiply(a, b), field.multiply(a, c)));
      CHECK(field.power(a, -3) == field.inverse(field.multiply(a, field.multiply(a, a))));
    }
    const PrimeField::Integer large("1234567890123456789012345678");
    CHECK(field.from_integer(large * large) ==
          field.multiply(field.from_integer(large), field.from_integer(large)));
  }
}

TEST_CASE("Exponentials of sums of angles at a random point are products") {
  std::mt19937_64 random(3);
  const std::vector<Angle> angles{Angle::pi_times(Rational(3, 7)),
                                  Angle::radians(Rational(1, 3)),
                                  Angle::decimal("0.12345678901234567890123"),
                                  Angle::decimal("1e12"),
                                  Angle::symbol("a") * Rational(5, 6) + Angle::decimal("0.25"),
                                  Angle::symbol("b")};
  AngleDenominators denominators;
  for (const Angle& angle : angles) denominators.include(angle);
  const RandomPoint point(denominators, random);
  for (const Angle& a : angles) {
    for (const Angle& b : angles) {
      const auto product = point.field().multiply(point.exponential(a), point.exponential(b));
      CHECK(point.exponential(a + b) == product);
      CHECK((product == point.field().one()) == (a + b).is_zero());
    }
    CHECK(point.conjugate_exponential(a) == point.field().inverse(point.exponential(a)));
  }
}

TEST_CASE("A gate over the field multiplies states by its matrix, whatever form it takes") {
  const std::uint64_t seed = 23;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  const PrimeField field(8, random);
  const PrimeField::Element minus_one = field.subtract(field.zero(), field.one());
  constexpr std::size_t kWires = 5;
  for (int round = 0; round < 600; ++round) {
    INFO("round " << round);
    std::vector<Wire> wires{0, 1, 2, 3, 4};
    std::shuffle(wires.begin(), wires.end(), random);
    wires.resize(1 + random() % 3);
    // Most entries are those of the identity, so that gates with controls, exchanges, diagonal
    // gates and those that mix two states occur.
    const std::size_t dimension = std::size_t{1} << wires.size();
    std::vector<PrimeField::Element> matrix(dimension * dimension, field.zero());
    for (std::size_t i = 0; i < dimension; ++i) matrix[i * dimension + i] = field.one();
    const std::size_t first = random() % dimension;
    const std::size_t second = random() % dimension;
    const std::array choices{field.zero(), field.one(), minus_one, field.random_unit(random)};
    for (const std::size_t i : {first, second}) {
      for (const std::size_t j : {first, second}) {
        matrix[i * dimension + j] = choices[random() % choices.size()];
      }
    }
    for (std::uint64_t others = random() % 3; others > 0; --others) {
      matrix[random() % matrix.size()] = choices[random() % choices.size()];
    }
    std::vector<PrimeField::Element> state(std::size_t{1} << kWires);
    for (PrimeField::Element& entry : state) entry = field.random_unit(random);
    std::vector<PrimeField::Element> expected(state.size(), field.zero());
    for (std::size_t index = 0; index < state.size(); ++index) {
      std::size_t column = 0;
      std::size_t others = index;
      for (std::size_t k = 0; k < wires.size(); ++k) {
        column |= ((index >> wires[k]) & 1U) << k;
        others &= ~(std::size_t{1} << wires[k]);
      }
      for (std::size_t row = 0; row < dimension; ++row) {
        std::size_t target = others;
        for (std::size_t k = 0; k < wires.size(); ++k) target |= ((row >> k) & 1U) << wires[k];
        expected[target] = field.add(
            expected[target], field.multiply(matrix[row * dimension + column], state[index]));
      }
    }
    FieldGate(matrix, wires, field).apply(field, state);
    CHECK(state == expected);
  }
}

TEST_CASE("Gates over the field agree with their decompositions") {
  const std::uint64_t seed = 17;
  INFO("seed " << seed);
  Random random(seed);
  const std::vector<GateKind> kinds = kinds_up_to(3);
  for (int round = 0; round < 60; ++round) {
    INFO("round " << round);
    const Circuit circuit = random_circuit(random, kinds, 4, 12, 5);
    Circuit rewritten = with_inverse_pair(circuit, random, kinds, 5);
    rewritten = with_decomposed_gate(rewritten, random);
    const Comparison same = compare(problem_of(circuit, rewritten));
    INFO(same.reason);
    CHECK(same.outcome == Outcome::equal);
    CHECK(same.distance == 0);
    REQUIRE(same.log2_failure.has_value());
    CHECK(*same.log2_failure < -80);
    Circuit damaged = rewritten;
    damaged.operations.insert(damaged.operations.begin() + below(random, 10),
                              make_operation(rz, {below(random, 4)}, {Angle::decimal("1e-300")}));
    const Comparison other = compare(problem_of(circuit, damaged));
    CHECK(other.outcome == Outcome::unknown);
    CHECK(other.differs_exactly);
  }
}

TEST_CASE("The field comparison determines the exact global phase") {
  const Angle a = Angle::symbol("a");
  const Problem problem =
      problem_of(1, {make_operation(p, {0}, {a})}, {make_operation(rz, {0}, {a})});
  const Angle expected = a * Rational(-1, 2);
  const Comparison hinted = compare(problem, expected);
  REQUIRE(hinted.exact_phase.has_value());
  CHECK(*hinted.exact_phase == expected);
  // Without a hint, the determinants leave few candidates.
  const Comparison plain = compare(problem);
  REQUIRE(plain.exact_phase.has_value());
  CHECK(plain.exact_phase->reduced_symmetric(2) == expected);
  const Comparison constant = compare(problem_of(
      1, {make_operation(s, {0})}, {make_operation(rz, {0}, {Angle::pi_times(Rational(1, 2))})}));
  REQUIRE(constant.exact_phase.has_value());
  CHECK(constant.exact_phase->reduced_modulo(2) == Angle::pi_times(Rational(7, 4)));
}

TEST_CASE("The field comparison determines phases of fine angles on many wires") {
  // The phase is a multiple of pi/8192, and none of few.
  constexpr Qubit kWires = 14;
  const Angle angle = Angle::pi_times(Rational(1, 4096));
  std::vector<Operation> left;
  for (Qubit wire = 0; wire + 1 < kWires; ++wire)
    left.push_back(make_operation(cx, {wire, wire + 1}));
  std::vector<Operation> right = left;
  left.push_back(make_operation(p, {3}, {angle}));
  right.push_back(make_operation(rz, {3}, {angle}));
  const Comparison comparison = compare(problem_of(kWires, left, right));
  REQUIRE(comparison.outcome == Outcome::equal);
  REQUIRE(comparison.exact_phase.has_value());
  CHECK(comparison.exact_phase->reduced_symmetric(2) == Angle::pi_times(Rational(-1, 8192)));
}

TEST_CASE("Opaque operations can be any unitary in the field comparison") {
  const Operation foo = opaque("foo", {0, 1}, {Angle::decimal("1e-10")});
  const Operation bar = opaque("foo", {0, 1}, {Angle::decimal("2e-10")});
  const Operation x0 = make_operation(x, {0});
  CHECK(compare(problem_of(2, {foo, x0, x0, foo}, {foo, foo})).outcome == Outcome::equal);
  CHECK(compare(problem_of(2, {foo, x0, foo}, {foo, foo, x0})).differs_exactly);
  CHECK(compare(problem_of(2, {foo}, {bar})).differs_exactly);
  // Both sides have the same number; the first one is a literal of more than 64 bits plus a
  // fraction.
  const Angle literal = Angle::decimal("0.12345678901234567890123");
  const Angle sum = literal + Angle::radians(Rational(1, 10));
  CHECK(compare(problem_of(1, {opaque("f", {0}, {sum})},
                           {opaque("f", {0}, {Angle::decimal("0.22345678901234567890123")})}))
            .outcome == Outcome::equal);
}

TEST_CASE("Angles with many digits are compared modulo several primes") {
  const Angle large = Angle::decimal("86336556900.261425822414749");
  const Operation split = make_operation(p, {0}, {large});
  const Operation rest = make_operation(p, {0}, {Angle::decimal("0.261425822414749") + -large});
  const Operation whole = make_operation(p, {0}, {Angle::decimal("0.261425822414749")});
  const Comparison same = compare(problem_of(1, {split, rest}, {whole}));
  INFO(same.reason);
  CHECK(same.outcome == Outcome::equal);
  CHECK(*same.log2_failure <= kMaxLog2Failure);
  CHECK(compare(problem_of(1, {split, rest}, {whole, whole})).differs_exactly);
}
