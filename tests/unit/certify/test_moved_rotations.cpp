#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "certify/pauli/moved_rotations.hpp"
#include "moved_gates.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;
using Role = MovableGate::Role;

namespace {

using Moved = MovedGate;

Comparison compare(const std::vector<Moved>& gates, std::size_t wires) {
  return compare_moved_gates(compare_moved_rotations, gates, wires);
}

/// Requires that the circuits are found equal, with the phase between them.
void require_equal(const std::vector<Moved>& gates, std::uint32_t wires) {
  const Comparison comparison = compare(gates, wires);
  INFO(comparison.reason);
  REQUIRE(comparison.outcome == Outcome::equal);
  CHECK(distance_of_sides(gates, wires, *comparison.exact_phase) < 1e-10);
}

}  // namespace

TEST_CASE("rotations merge along Clifford gates", "[moved rotations]") {
  const Operation cnot = make_operation(cx, {0, 1});
  const Operation hadamard = make_operation(h, {0});
  require_equal({{make_operation(t, {1}), Role::removed},
                 {make_operation(s, {1}), Role::inserted},
                 {cnot},
                 {cnot},
                 {make_operation(t, {1}), Role::removed}},
                2);
  // X conjugates the rotation to its negative.
  require_equal({{make_operation(t, {0}), Role::removed},
                 {make_operation(x, {0})},
                 {make_operation(tdg, {0}), Role::inserted}},
                1);
  // A rotation about Z is one about X behind a Hadamard.
  require_equal({{make_operation(rz, {0}, {Angle::symbol("a")}), Role::removed},
                 {hadamard},
                 {make_operation(rx, {0}, {Angle::symbol("a")}), Role::inserted}},
                1);
  require_equal({{make_operation(x, {0}), Role::removed},
                 {hadamard},
                 {make_operation(z, {0}), Role::inserted}},
                1);
  // Two groups about one operator, with a rotation between them that does not commute.
  require_equal({{make_operation(s, {0}), Role::inserted},
                 {make_operation(t, {0}), Role::removed},
                 {make_operation(t, {0}), Role::removed},
                 {make_operation(rx, {0}, {Angle::symbol("a")})},
                 {make_operation(t, {0}), Role::removed},
                 {make_operation(t, {0}), Role::removed},
                 {make_operation(s, {0}), Role::inserted}},
                1);
}

TEST_CASE("rotations do not move past what does not commute", "[moved rotations]") {
  const auto undecided = [](const std::vector<Moved>& gates) {
    return compare(gates, 2).outcome == Outcome::unknown;
  };
  const Moved removed{make_operation(t, {0}), Role::removed};
  const Moved inserted{make_operation(t, {0}), Role::inserted};
  CHECK(undecided({removed, {make_operation(rx, {0}, {Angle::symbol("a")})}, inserted}));
  CHECK(undecided({removed, {make_operation(h, {0})}, inserted}));
  CHECK(undecided({removed, {make_operation(x, {0})}, inserted}));
  CHECK(undecided({removed, {make_operation(cx, {1, 0})}, inserted}));
  CHECK(undecided({removed, {make_operation(s, {0}), Role::inserted}}));
  CHECK(undecided({removed}));
  // Each of the two moves past the other.
  const Operation turn = make_operation(rx, {0}, {Angle::symbol("a")});
  CHECK(undecided({removed, {turn, Role::removed}, inserted, {turn, Role::inserted}}));
  CHECK(undecided({{turn, Role::removed}, removed, inserted, {turn, Role::inserted}}));
}

TEST_CASE("moves of random rotations are accepted only if they preserve the unitary",
          "[moved rotations]") {
  Random random(81);
  const std::vector<GateKind> kinds{h, cx, s, t, x, cz, sdg, ccx};
  std::size_t equal = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t wires = 2 + below(random, 3);
    std::vector<Moved> gates;
    std::vector<GateKind> usable(kinds.begin(), kinds.end() - (wires < 3 ? 1 : 0));
    for (std::size_t i = 0; i < 4 + below(random, 12); ++i) {
      gates.push_back({random_gate(random, usable, wires, 4)});
    }
    // Some rotations are removed, and as many are inserted anywhere.
    for (unsigned i = 0; i < 1 + below(random, 3); ++i) {
      const std::vector<GateKind> turns{t, tdg, s, z, x, sx};
      const Operation turn = make_operation(turns[below(random, turns.size())], {});
      for (const Role role : {Role::removed, Role::inserted}) {
        Moved moved{turn, role};
        moved.gate.qubits.assign({below(random, wires)});
        gates.insert(gates.begin() + below(random, gates.size() + 1), moved);
      }
    }
    const Comparison comparison = compare(gates, wires);
    if (comparison.outcome != Outcome::equal) continue;
    ++equal;
    const Circuit before = circuit_without(gates, wires, Role::inserted);
    Circuit after = circuit_without(gates, wires, Role::removed);
    after.global_phase = -*comparison.exact_phase;
    INFO("seed 81, round " << round);
    CHECK(unitary_distance(before, after) < 1e-10);
  }
  CHECK(equal > 100);
}
