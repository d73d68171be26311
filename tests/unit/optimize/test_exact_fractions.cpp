#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "multiples_of_pi.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/resynthesis/block_replacement.hpp"
#include "optimize/resynthesis/exact_fractions.hpp"
#include "optimize/resynthesis/one_qubit_chains.hpp"
#include "optimize/resynthesis/two_qubit_blocks.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "optimize/windows/narrow_window.hpp"
#include "quartz/target/gate_set.hpp"
#include "two_qubit_then_total.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum quartz::GateKind;

namespace {

Operation turned(GateKind kind, const Angle& angle) { return make_operation(kind, {0}, {angle}); }

Angle power(unsigned k, std::int64_t numerator = 1) { return pi(numerator, std::int64_t{1} << k); }

circuit::DerivedGates resynthesized(const std::vector<Operation>& gates, const char* set,
                                    Exactness exactness) {
  return TwoQubitBlocks(load_gate_set(set), two_qubit_then_total, exactness)
      .resynthesize(gates, 2, Budget());
}

}  // namespace

TEST_CASE("decimals and coarse fractions of pi have numeric angles", "[exact fractions]") {
  CHECK(has_numeric_angles(turned(rz, power(40, 3))));
  CHECK_FALSE(has_numeric_angles(turned(rz, power(41))));
  CHECK_FALSE(has_numeric_angles(turned(rz, pi(1, 1000000000000000003))));
  CHECK_FALSE(has_numeric_angles(turned(rz, power(50) + Angle::decimal("0.25"))));
  CHECK_FALSE(has_numeric_angles(turned(rz, Angle::symbol("t"))));
  CHECK(has_numeric_angles(turned(rz, Angle::decimal("1e-14"))));
  CHECK(has_numeric_angles(make_operation(cx, {0, 1})));
  // 0.123456789012345 * pi
  const Angle decimal = pi(24691357802469, 200000000000000);
  CHECK(has_numeric_angles(turned(rz, decimal)));
  CHECK(exact_denominator(decimal) == 1);
  CHECK(exact_denominator(power(60)) == std::int64_t{1} << 60U);
}

TEST_CASE("multiples of pi/4 are recognized without sums of 64 bits", "[exact fractions]") {
  const std::int64_t large = (std::int64_t{1} << 62U) + 1;
  CHECK(is_eighth_turns(pi(large)));
  CHECK_FALSE(is_eighth_turns(pi(large, large + 1)));
  CHECK(eighths_of(pi(large)) == 4U);
  CHECK(eighths_of(pi(-1, 4)) == 7U);
  CHECK(eighths_of(pi(3, 2)) == 6U);
  CHECK_FALSE(eighths_of(pi(large, large + 1)).has_value());
  CHECK_FALSE(eighths_of(pi(1, 8)).has_value());
}

TEST_CASE("circuits with exact angles only are compared exactly", "[exact fractions]") {
  const std::vector<Operation> nothing;
  const auto preserves = [&](const std::vector<Operation>& before) {
    return preserves_exact_fractions(before, nothing, Angle());
  };
  // These are products of small angles: the entries differ by 2e-17 and by 4e-24.
  CHECK_FALSE(preserves({turned(rx, power(28)), turned(rz, power(28)), turned(rx, power(28, -1)),
                         turned(rz, power(28, -1))}));
  CHECK_FALSE(preserves({turned(rx, power(40)), turned(rz, power(40)), turned(rx, power(40, -1)),
                         turned(rz, power(40, -1))}));
  CHECK(preserves({turned(rx, power(28)), turned(rz, power(28)), turned(rz, power(28, -1)),
                   turned(rx, power(28, -1))}));
  CHECK_FALSE(preserves({turned(rz, pi(1, 998244353)), turned(rz, pi(-1, 998244341))}));
  CHECK(preserves_exact_fractions(std::vector{turned(rz, power(20)), turned(rz, power(20, -1))},
                                  nothing, Angle()));
  CHECK_FALSE(preserves_exact_fractions(
      std::vector{turned(rz, power(20)), turned(rz, power(20, -1))}, nothing, pi(1, 4)));
  // A phase is what is left of a rotation about Z if the qubit is 0.
  const std::vector<Operation> phase{turned(u1, power(30))};
  CHECK_FALSE(preserves(phase));
  CHECK(preserves_exact_fractions(phase, nothing, Angle(), Inputs::zero));
}

TEST_CASE("gates that both circuits share may have any angle", "[exact fractions]") {
  const Operation passed = make_operation(crz, {0, 1}, {Angle::symbol("t")});
  const Operation fine = make_operation(cu1, {0, 1}, {power(55)});
  const Operation decimal = turned(rz, Angle::decimal("0.3"));
  const std::vector<Operation> before{turned(rz, power(20)), passed, fine, decimal};
  const std::vector<Operation> after{passed, fine, decimal, turned(rz, power(20))};
  CHECK(preserves_exact_fractions(before, after, Angle()));
  const std::vector<Operation> rounded{passed, fine,
                                       turned(rz, nearest_angle(0.3 + power(20).value()))};
  CHECK(preserves_exact_fractions(before, rounded, Angle()));
  const std::vector<Operation> too_rounded{
      passed, fine, turned(rz, nearest_angle(0.3 + power(20).value() + 1e-12))};
  CHECK_FALSE(preserves_exact_fractions(before, too_rounded, Angle()));
}

TEST_CASE("decimals replace exact fractions that double precision tells apart",
          "[exact fractions]") {
  const std::vector<Operation> after{turned(rz, Angle::decimal("0.5"))};
  // The angles differ from 0 by 4e-17 together, and by 1e-9 each.
  const std::vector<Operation> before{turned(rz, pi(1, 998244353)),
                                      turned(rz, Angle::decimal("0.5")),
                                      turned(rz, pi(-1, 998244341)), turned(rz, pi(1, 4))};
  CHECK_FALSE(preserves_exact_fractions(
      before, std::vector{turned(rz, nearest_angle(0.5 + pi(1, 4).value()))}, Angle()));
  CHECK(preserves_exact_fractions(std::vector{turned(rz, pi(1, 998244353))},
                                  std::vector{turned(rz, nearest_angle(pi(1, 998244353).value()))},
                                  Angle()));
}

TEST_CASE("rotations by tiny fractions of pi stay where they are", "[exact fractions]") {
  for (const Exactness exactness : {Exactness::keep, Exactness::numeric}) {
    for (unsigned k = 41; k <= 61; ++k) {
      const std::vector<Operation> one{turned(rz, power(k, 3))};
      CHECK(resynthesized(one, "nam", exactness).gates == one);
      // The gates around it are shortened all the same.
      std::vector<Operation> more{turned(rz, pi(1, 4)), turned(rz, power(k)), turned(rz, pi(1, 8)),
                                  make_operation(cx, {0, 1}), make_operation(cx, {0, 1})};
      const circuit::DerivedGates shorter = resynthesized(more, "nam", exactness);
      CHECK(shorter.gates.size() == 2);
      CHECK(std::ranges::find(shorter.gates, turned(rz, power(k))) != shorter.gates.end());
    }
  }
}

TEST_CASE("windows take gates of any constant angle if a distance is permitted",
          "[exact fractions]") {
  const std::vector<Operation> gates{make_operation(cx, {0, 1}), turned(rz, power(50)),
                                     make_operation(cx, {0, 1})};
  const EditedGates edited(gates);
  CHECK(grow_narrow_window(edited, 0, 10, 3, has_numeric_angles).gates.size() == 1);
  CHECK(grow_narrow_window(edited, 0, 10).gates.size() == 3);
}

TEST_CASE("rotations by fine fractions that double precision tells apart pass other gates",
          "[exact fractions]") {
  // The angles that pass are 5 pi/2 or more in all, so that the sign of the rotation changes.
  const std::vector<Operation> gates{turned(rz, pi(3, 4) + power(30)), make_operation(cz, {0, 1}),
                                     turned(rz, pi(7, 8) + power(31)), make_operation(cz, {1, 2}),
                                     make_operation(cz, {0, 1}),       turned(rz, pi(7, 8))};
  const circuit::DerivedGates shorter =
      TwoQubitBlocks(load_gate_set("ibm_heron"), two_qubit_then_total, Exactness::keep)
          .resynthesize(gates, 3, Budget());
  CHECK(std::ranges::count(shorter.gates, rz, &Operation::gate) == 1);
}
