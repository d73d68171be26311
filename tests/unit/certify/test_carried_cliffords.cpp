#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "certify/pauli/carried_cliffords.hpp"
#include "moved_gates.hpp"
#include "quartz/circuit/gate.hpp"
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
  return compare_moved_gates(compare_carried_cliffords, gates, wires);
}

/// Requires that the circuits are found equal, with the phase between them.
void require_equal(const std::vector<Moved>& gates, std::uint32_t wires) {
  const Comparison comparison = compare(gates, wires);
  INFO(comparison.reason);
  REQUIRE(comparison.outcome == Outcome::equal);
  CHECK(distance_of_sides(gates, wires, *comparison.exact_phase) < 1e-10);
}

Moved removed(Operation gate) { return {std::move(gate), Role::removed}; }
Moved inserted(Operation gate) { return {std::move(gate), Role::inserted}; }

}  // namespace

TEST_CASE("Clifford gates pass CNOTs and Hadamard gates are no obstacle", "[carried cliffords]") {
  const Moved cnot{make_operation(cx, {0, 1})};
  require_equal({removed(make_operation(s, {0})), cnot, inserted(make_operation(s, {0}))}, 2);
  // H S H passes the target.
  require_equal({removed(make_operation(h, {1})), removed(make_operation(s, {1})),
                 removed(make_operation(h, {1})), cnot, inserted(make_operation(h, {1})),
                 inserted(make_operation(s, {1})), inserted(make_operation(h, {1}))},
                2);
  // X of the control becomes X of both qubits.
  require_equal({removed(make_operation(x, {0})), cnot, inserted(make_operation(x, {0})),
                 inserted(make_operation(x, {1}))},
                2);
  require_equal({removed(make_operation(y, {1})), cnot, inserted(make_operation(z, {0})),
                 inserted(make_operation(y, {1}))},
                2);
  require_equal({removed(make_operation(h, {0})),
                 {make_operation(swap, {0, 1})},
                 inserted(make_operation(h, {1}))},
                2);
  require_equal({removed(make_operation(s, {0})),
                 {make_operation(ccx, {0, 1, 2})},
                 inserted(make_operation(s, {0}))},
                3);
}

TEST_CASE("Clifford gates become part of rotations that they pass", "[carried cliffords]") {
  // T = e^{i pi/4} S T^dagger, and the S that is left passes.
  require_equal({removed(make_operation(t, {0})),
                 inserted(make_operation(tdg, {0})),
                 {make_operation(cx, {0, 1})},
                 inserted(make_operation(s, {0}))},
                2);
  const Operation turn = make_operation(rz, {0}, {Angle::symbol("a")});
  const Operation back = make_operation(rz, {0}, {-Angle::symbol("a")});
  require_equal({removed(make_operation(x, {0})),
                 removed(turn),
                 inserted(back),
                 {make_operation(h, {0})},
                 inserted(make_operation(z, {0}))},
                1);
  require_equal({removed(make_operation(h, {0})), removed(turn), removed(make_operation(h, {0})),
                 inserted(make_operation(rx, {0}, {Angle::symbol("a")}))},
                1);
}

TEST_CASE("what Clifford gates leave on a wire is not proved", "[carried cliffords]") {
  const auto undecided = [](const std::vector<Moved>& gates) {
    return compare(gates, 2).outcome == Outcome::unknown;
  };
  const Moved cnot{make_operation(cx, {0, 1})};
  CHECK(undecided({removed(make_operation(s, {0}))}));
  CHECK(undecided({removed(make_operation(s, {1})), cnot, inserted(make_operation(s, {1}))}));
  CHECK(undecided({removed(make_operation(h, {0})), cnot, inserted(make_operation(h, {0}))}));
  CHECK(undecided({removed(make_operation(t, {0})), cnot, inserted(make_operation(t, {0}))}));
  CHECK(undecided({removed(make_operation(x, {0})), cnot, inserted(make_operation(x, {0}))}));
  CHECK(undecided({removed(make_operation(cx, {0, 1})), inserted(make_operation(cx, {0, 1}))}));
  // The phase of S differs from that of a turn about Z, and is not left out.
  const Comparison turned = compare({removed(make_operation(s, {0})),
                                     inserted(make_operation(rz, {0}, {Angle::pi_times({1, 2})}))},
                                    1);
  REQUIRE(turned.outcome == Outcome::equal);
  CHECK(turned.exact_phase->reduced_symmetric(2) == Angle::pi_times({-1, 4}));
}

TEST_CASE("random moves of Clifford gates are accepted only if they preserve the unitary",
          "[carried cliffords]") {
  Random random(82);
  const std::vector<GateKind> kinds{h, cx, s, t, x, cz, sdg, ccx, swap, rz, rzz, sx};
  const std::vector<GateKind> turns{h, s, sdg, x, y, z, sx, t, tdg};
  std::size_t equal = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::uint32_t wires = 3;
    std::vector<Moved> gates;
    for (std::size_t i = 0; i < 1 + below(random, 6); ++i) {
      gates.push_back({random_gate(random, kinds, wires, 4)});
    }
    // The same gates are removed at one place and inserted at another one, mostly near to it.
    for (unsigned i = 0; i < 1 + below(random, 2); ++i) {
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
    INFO("seed 82, round " << round);
    CHECK(distance_of_sides(gates, wires, *comparison.exact_phase) < 1e-10);
  }
  CHECK(equal > 100);
}
