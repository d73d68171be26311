#include <catch2/catch.hpp>

#include "multiples_of_pi.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/one_qubit_synthesis.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/base/errors.hpp"
#include "random_unitaries.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using Eigen::Quaterniond;

namespace {

std::uint64_t equal_weight(const Operation&) { return 1; }

GateSet gate_set_of(const std::vector<GateKind>& kinds) {
  GateSet set;
  for (const GateKind kind : kinds) set.entries.push_back({kind, {}});
  return set;
}

/// Returns the distance between two rotations up to sign.
double distance(const Quaterniond& a, const Quaterniond& b) {
  return std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

std::size_t gate_count(const OneQubitSynthesis& synthesis, std::vector<Operation> gates) {
  const auto plan = synthesis.plan(quaternion_of(one_qubit_unitary(gates)));
  REQUIRE(plan);
  const std::vector<Operation> written = synthesis.write(*plan);
  CHECK(distance(quaternion_of(one_qubit_unitary(written)),
                 quaternion_of(one_qubit_unitary(gates))) < 1e-14);
  return written.size();
}

}  // namespace

TEST_CASE("angles become exact near multiples of pi/192 and decimals elsewhere", "[one-qubit]") {
  CHECK(nearest_angle(0.78539816339744831) == pi(1, 4));
  CHECK(nearest_angle(-std::numbers::pi) == pi(1));
  CHECK(nearest_angle(std::numbers::pi / 3 + 4e-13) == pi(1, 3));
  CHECK(nearest_angle(-std::numbers::pi / 64 + 2 * std::numbers::pi) == pi(-1, 64));
  for (const std::int64_t denominator : {7, 13, 999, 1024, 16384, 245760}) {
    for (const std::int64_t numerator : {denominator - 1, std::int64_t{-5}}) {
      const Angle angle = pi(numerator, denominator);
      INFO(angle.to_string());
      CHECK(nearest_angle(angle.value() + 3e-13) == angle);
      CHECK(is_simple_fraction(angle));
    }
  }
  CHECK_FALSE(is_simple_fraction(pi(1, 1001)));
  CHECK_FALSE(is_simple_fraction(Angle::radians(Rational(1, 4))));
  CHECK_FALSE(is_simple_fraction(Angle::decimal("0.12499999999999978")));
  CHECK(nearest_angle(0.25) == Angle::radians(Rational(1, 4)));
  CHECK(nearest_angle(0.7500000000000002) == Angle::radians(Rational(3, 4)));
  CHECK(nearest_angle(-1.234567 + 4e-13) == Angle::radians(Rational(-1234567, 1000000)));
  CHECK(nearest_angle(0.75 + 4e-12) != Angle::radians(Rational(3, 4)));
  const double odd = 1.2345678901234567;
  CHECK(std::abs(nearest_angle(odd).value() - odd) < 3e-16);
  CHECK_FALSE(nearest_angle(std::numbers::pi / 3 + 4e-12).is_pi_multiple());
  CHECK_THROWS_AS(nearest_angle(std::nan("")), InternalError);
}

TEST_CASE("each gate set gets its shortest products", "[one-qubit]") {
  using enum GateKind;
  const Operation generic =
      make_operation(u3, {0}, {Angle::radians(1), Angle::radians(2), Angle::radians(3)});
  const OneQubitSynthesis nam(load_gate_set("nam"), equal_weight);
  CHECK(gate_count(nam, {generic}) == 5);
  CHECK(gate_count(nam, {make_operation(h, {0}), make_operation(h, {0})}) == 0);
  CHECK(gate_count(nam, {make_operation(sx, {0})}) == 3);
  CHECK(gate_count(nam, {make_operation(z, {0})}) == 1);
  CHECK(gate_count(nam, {make_operation(x, {0}), make_operation(t, {0}), make_operation(x, {0})}) ==
        1);
  CHECK(gate_count(nam, {make_operation(y, {0})}) == 2);
  const OneQubitSynthesis ibm(load_gate_set("ibm"), equal_weight);
  CHECK(gate_count(ibm, {generic}) == 5);
  CHECK(gate_count(ibm, {make_operation(h, {0})}) == 3);
  CHECK(gate_count(ibm, {make_operation(sx, {0}), make_operation(sx, {0})}) == 1);
  CHECK(gate_count(ibm, {make_operation(sxdg, {0})}) == 2);
  CHECK(gate_count(ibm, {make_operation(u2, {0}, {Angle::radians(1), Angle::radians(2)})}) == 3);
  const OneQubitSynthesis ibm_u(load_gate_set("ibm_u"), equal_weight);
  CHECK(gate_count(ibm_u, {generic}) == 1);
  CHECK(gate_count(ibm_u, {generic, make_operation(h, {0}), generic}) == 1);
  const OneQubitSynthesis rigetti(load_gate_set("rigetti"), equal_weight);
  CHECK(gate_count(rigetti, {generic}) == 5);
  CHECK(gate_count(rigetti, {make_operation(sxdg, {0})}) == 1);
  const OneQubitSynthesis trapped_ion(gate_set_of({rx, ry, rz}), equal_weight);
  CHECK(gate_count(trapped_ion, {generic}) == 3);
  CHECK(gate_count(trapped_ion, {make_operation(h, {0})}) == 2);
  const OneQubitSynthesis phased(gate_set_of({r}), equal_weight);
  CHECK(gate_count(phased, {make_operation(ry, {0}, {Angle::radians(1)})}) == 1);
  CHECK(gate_count(phased, {generic}) <= 3);
  CHECK(gate_count(OneQubitSynthesis(gate_set_of({u3}), equal_weight), {generic, generic}) == 1);
}

TEST_CASE("a set without free angles is not universal", "[one-qubit]") {
  const OneQubitSynthesis synthesis(load_gate_set("clifford_t"), equal_weight);
  CHECK_FALSE(synthesis.universal());
  CHECK_FALSE(synthesis.plan(rotation_about(Axis::z, 0.3)));
  CHECK(synthesis.plan(rotation_about(Axis::x, std::numbers::pi)));
}

TEST_CASE("the weight chooses among products", "[one-qubit]") {
  // With an expensive h, all products consist of sx and rz.
  using enum GateKind;
  const GateSet set = gate_set_of({h, rz, sx});
  const OneQubitSynthesis synthesis(
      set, [](const Operation& operation) { return operation.gate == GateKind::h ? 10 : 1; });
  Random random(5);
  const auto plan = synthesis.plan(quaternion_of(random_unitary<2>(random)));
  REQUIRE(plan);
  for (const Operation& operation : synthesis.write(*plan)) CHECK(operation.gate != h);
}

TEST_CASE("every set synthesizes random unitaries and all Clifford+T products of some length",
          "[one-qubit]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    const OneQubitSynthesis synthesis(set, equal_weight);
    if (!synthesis.universal()) continue;
    Random random(64);
    for (int round = 0; round < 300; ++round) {
      Quaterniond target = quaternion_of(random_unitary<2>(random));
      if (round % 2 == 1) {
        target.setIdentity();
        for (std::uint32_t k = below(random, 12); k > 0; --k) {
          target = target * rotation_about(static_cast<Axis>(below(random, 3)),
                                           std::numbers::pi / 4 * below(random, 8));
        }
      }
      // Some angles are close to values at which Euler angles are not unique.
      if (round % 3 == 2) target = rotation_about(Axis::y, 1e-9) * rotation_about(Axis::z, 0.4);
      INFO("gate set " << name << ", seed 64, round " << round);
      const auto all = synthesis.plan(target);
      REQUIRE(all);
      const std::vector<Operation> gates = synthesis.write(*all);
      for (const Operation& operation : gates) CHECK(set.contains(operation));
      CHECK(all->weight == gates.size());
      CHECK(distance(quaternion_of(one_qubit_unitary(gates)), target) < 1e-14);
      for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
        const auto part = synthesis.plan_up_to(target, axis);
        REQUIRE(part);
        CHECK(part->weight <= all->weight);
        CHECK(distance(rotation_about(axis, part->rest) *
                           quaternion_of(one_qubit_unitary(synthesis.write(*part))),
                       target) < 1e-14);
      }
    }
  }
}
