#include <algorithm>
#include <catch2/catch.hpp>
#include <complex>
#include <cstdint>
#include <vector>

#include "certify/pauli/difference_cone.hpp"
#include "moved_gates.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;
using Role = MovableGate::Role;

namespace {

using Moved = MovedGate;

std::vector<bool> cone_of(const std::vector<Moved>& gates, std::size_t wires) {
  GateParts parts;
  return difference_cone(parts, wires, movable_gates(gates));
}

/// Returns the trace of the inverse of the circuit before times the circuit after.
Complex trace_between(const std::vector<Moved>& gates, std::uint32_t wires) {
  const auto unitary = [&](Role absent) {
    return unitary_of(circuit_without(gates, wires, absent).operations, wires, {{"a", 0.37}});
  };
  const std::vector<Complex> before = unitary(Role::inserted);
  const std::vector<Complex> after = unitary(Role::removed);
  Complex trace = 0;
  for (std::size_t i = 0; i < before.size(); ++i) trace += std::conj(before[i]) * after[i];
  return trace;
}

}  // namespace

TEST_CASE("Gates that commute with what differs between two circuits do not matter",
          "[difference cone]") {
  const Angle angle = Angle::pi_times(Rational(1, 7));
  const std::vector<Moved> gates{
      {make_operation(h, {0})},  // before what differs
      {make_operation(rz, {0}, {angle}), Role::removed},
      {make_operation(ccx, {0, 1, 2})},  // Z of the control
      {make_operation(cp, {0, 3}, {angle})},
      {make_operation(h, {3})},      // on another wire
      {make_operation(cx, {4, 0})},  // Z of the target is Z of the control, too
      {make_operation(cp, {4, 1}, {angle})},
      {make_operation(cx, {4, 0})},
      {make_operation(rz, {0}, {angle}), Role::inserted},
      {make_operation(h, {0})},  // behind what differs
  };
  CHECK(cone_of(gates, 5) ==
        std::vector<bool>{false, true, false, false, false, true, false, true, true, false});
}

TEST_CASE("Gates that do not commute with what differs matter", "[difference cone]") {
  const auto matters = [](const Operation& changed, const Operation& between) {
    const std::vector<bool> cone =
        cone_of({{changed, Role::removed}, {between}, {changed, Role::inserted}}, 3);
    REQUIRE((cone[0] && cone[2]));
    return static_cast<bool>(cone[1]);
  };
  const Angle angle = Angle::pi_times(Rational(1, 7));
  CHECK(matters(make_operation(rz, {0}, {angle}), make_operation(h, {0})));
  CHECK(matters(make_operation(rz, {0}, {angle}), make_operation(x, {0})));  // the sign
  CHECK(matters(make_operation(rz, {0}, {angle}), make_operation(cx, {1, 0})));
  CHECK(matters(make_operation(x, {0}), make_operation(cx, {0, 1})));
  CHECK(matters(make_operation(x, {0}), make_operation(t, {0})));
  CHECK(matters(make_operation(cx, {0, 1}), make_operation(cx, {1, 2})));
  CHECK(matters(make_operation(swap, {0, 1}), make_operation(z, {0})));
  CHECK_FALSE(matters(make_operation(cx, {0, 1}), make_operation(cx, {0, 2})));
  CHECK_FALSE(matters(make_operation(cx, {0, 1}), make_operation(cx, {2, 1})));
  CHECK_FALSE(matters(make_operation(x, {1}), make_operation(cx, {0, 1})));
  CHECK_FALSE(matters(make_operation(rx, {1}, {angle}), make_operation(cx, {0, 1})));
}

TEST_CASE("Circuits without the gates that do not matter differ as before", "[difference cone]") {
  constexpr std::uint32_t kWires = 4;
  constexpr std::uint64_t kSeed = 61;
  INFO("seed " << kSeed);
  Random random(kSeed);
  const std::vector<GateKind> all = kinds_up_to(3);
  const std::vector<GateKind> few{h, t, x, rz, cx, cz, swap, ccx};
  std::size_t left_out = 0;
  for (int trial = 0; trial < 400; ++trial) {
    CAPTURE(trial);
    std::vector<Moved> gates;
    for (int i = 0; i < 16; ++i) {
      const Operation gate = random_gate(random, trial % 2 == 0 ? few : all, kWires, 7);
      const std::uint32_t draw = below(random, 8);
      gates.push_back({gate, draw == 0 ? Role::removed : draw == 1 ? Role::inserted : Role::stays});
    }
    const std::vector<bool> cone = cone_of(gates, kWires);
    std::vector<Moved> rest;
    for (std::size_t i = 0; i < gates.size(); ++i) {
      if (cone[i]) rest.push_back(gates[i]);
      if (!cone[i]) REQUIRE(gates[i].role == Role::stays);
    }
    left_out += gates.size() - rest.size();
    CHECK(std::abs(trace_between(gates, kWires) - trace_between(rest, kWires)) < 1e-9);
  }
  CHECK(left_out > 400);
}
