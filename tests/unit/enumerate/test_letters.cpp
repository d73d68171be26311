#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "alphabets.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::enumerate;

TEST_CASE("letters have masks of their qubits and parameters") {
  const Letters letters =
      make_letters({make_operation(GateKind::cx, {2, 0}),
                    make_operation(GateKind::rz, {1}, {Angle::symbol("p1") + Angle::symbol("p0")}),
                    make_operation(GateKind::rz, {1}, {Angle::symbol("p1") * Rational(2)}),
                    make_operation(GateKind::rz, {1}, {Angle::pi_times(Rational(1, 4))})},
                   3);
  CHECK(letters.letters[0].qubits == 0b101);
  CHECK(letters.letters[0].parameters == 0);
  CHECK(letters.letters[1].qubits == 0b010);
  CHECK((letters.letters[1].parameters & letters.letters[2].parameters) != 0);
  CHECK(letters.letters[1].parameters != letters.letters[2].parameters);
  CHECK(letters.letters[3].parameters == 0);
  CHECK(spell(letters, std::vector<LetterIndex>{1, 0}) ==
        std::vector{letters.operations[1], letters.operations[0]});
}

TEST_CASE("alphabets that are too large are refused") {
  CHECK_THROWS_AS(make_letters({}, 0), UsageError);
  CHECK_THROWS_AS(make_letters({}, 11), UsageError);
  const Operation h = make_operation(GateKind::h, {0});
  CHECK_THROWS_AS(make_letters(std::vector<Operation>(65536, h), 1), UsageError);
  std::vector<Operation> rotations;
  for (int i = 0; i < 17; ++i) {
    rotations.push_back(
        make_operation(GateKind::rz, {0}, {Angle::symbol("p" + std::to_string(i))}));
  }
  CHECK_THROWS_AS(make_letters(rotations, 1), UsageError);
  rotations.pop_back();
  CHECK(make_letters(rotations, 1).letters.size() == 16);
}
