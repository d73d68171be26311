#include "verify/window_prover.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "gate_set_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::verify;
using namespace quartz::test;

namespace {

std::vector<Operation> constant_letters(const char* name) {
  GateSet set = load_gate_set(name);
  set.alphabet.parameters = 0;
  set.alphabet.expressions.clear();
  for (int k = 1; k < 8; ++k) set.alphabet.expressions.push_back(Angle::pi_times(Rational(k, 4)));
  return alphabet(set, 3);
}

}  // namespace

TEST_CASE("the window prover agrees with numeric unitaries, phases included", "[window_prover]") {
  for (const char* name : {"nam", "ibm", "ibm_heron", "clifford_t", "rigetti"}) {
    const std::vector<Operation> letters = constant_letters(name);
    const WindowProver prover(letters);
    Random random(5);
    INFO("gate set " << name << ", seed 5");
    int equal = 0;
    for (int round = 0; round < 600; ++round) {
      std::vector<std::uint8_t> left(1 + below(random, 4));
      std::vector<std::uint8_t> right(1 + below(random, 4));
      for (std::uint8_t& letter : left)
        letter = static_cast<std::uint8_t>(below(random, letters.size()));
      for (std::uint8_t& letter : right)
        letter = static_cast<std::uint8_t>(below(random, letters.size()));
      // Half of the pairs consist of the same gates in another order, so they are often equal.
      if (round % 2 == 0) {
        right = left;
        std::swap(right.front(), right.back());
      }
      std::vector<Operation> a;
      std::vector<Operation> b;
      for (const std::uint8_t letter : left) a.push_back(letters[letter]);
      for (const std::uint8_t letter : right) b.push_back(letters[letter]);
      for (int phase = 0; phase < 16; ++phase) {
        Circuit turned = make_circuit(3, b);
        turned.global_phase = Angle::pi_times(Rational(phase, 8));
        const bool same = unitary_distance(make_circuit(3, a), turned) < 1e-9;
        REQUIRE(prover.equal(left, right, phase) == same);
        equal += same ? 1 : 0;
      }
    }
    CHECK(equal > 100);
  }
}

TEST_CASE("a window too long for 16 bits is not reported as equal", "[window_prover]") {
  const std::vector<Operation> letters = constant_letters("nam");
  const WindowProver prover(letters);
  const std::vector<std::uint8_t> hadamards{0, 1, 2};
  REQUIRE(letters[0].gate == GateKind::h);
  std::vector<std::uint8_t> left(30, 0);
  CHECK_FALSE(prover.equal(left, {}, 0));
  left.resize(26);
  CHECK(prover.equal(left, {}, 0));
}

TEST_CASE("letters outside of the ring are not supported and prove nothing", "[window_prover]") {
  const std::vector<Operation> letters{
      make_operation(GateKind::rx, {0}, {Angle::pi_times(Rational(1, 3))}),
      make_operation(GateKind::rx, {0}, {Angle::pi_times(Rational(1, 8))}),
      make_operation(GateKind::rz, {0}, {Angle::symbol("p0")}), make_operation(GateKind::h, {0})};
  const WindowProver prover(letters);
  for (std::uint8_t letter = 0; letter < 3; ++letter) {
    const std::vector<std::uint8_t> with{3, letter, 3};
    CHECK_FALSE(prover.supports(with));
    CHECK_FALSE(prover.equal(with, std::vector<std::uint8_t>{letter}, 0));
  }
  CHECK(prover.supports(std::vector<std::uint8_t>{3, 3}));
}
