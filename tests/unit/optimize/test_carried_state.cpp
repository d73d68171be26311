#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include "optimize/instantiation/carried_state.hpp"
#include "optimize/windows/edited_gates.hpp"
#include "optimize/windows/narrow_window.hpp"
#include "quartz/circuit/unitary.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

constexpr std::uint32_t kQubitsOfState = 5;

EditedGates random_gates(Random& random, std::size_t count) {
  std::vector<Operation> gates;
  for (std::size_t i = 0; i < count; ++i) {
    gates.push_back(random_gate(random, {GateKind::cx, GateKind::cx, GateKind::h, GateKind::rz},
                                kQubitsOfState, 4));
  }
  return EditedGates(gates);
}

/// Returns the state in front of a window, by all gates that precede its anchor and are not in it.
Eigen::MatrixXcd state_from_first_gate(const EditedGates& gates, const NarrowWindow& window) {
  Eigen::MatrixXcd state = zero_state(kQubitsOfState);
  for (EditedGates::Index gate = gates.first(); gate != window.anchor && gate != EditedGates::kEnd;
       gate = gates.next(gate)) {
    if (std::ranges::find(window.gates, gate) == window.gates.end()) {
      apply_gate(gates[gate], amplitudes_of(state));
    }
  }
  return state;
}

}  // namespace

TEST_CASE("A carried state is the one of all gates in front of a window, bit for bit") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    EditedGates gates = random_gates(random, 80);
    CarriedState carried(gates, kQubitsOfState);
    for (int pass = 0; pass < 3; ++pass) {
      (void)replace_windows(gates, Budget(), [&](EditedGates::Index start) {
        const NarrowWindow window = grow_narrow_window(gates, start, 4);
        CHECK(carried.before(window) == state_from_first_gate(gates, window));
        // Windows become others or vanish, and the next one begins where they did.
        if (below(random, 3) != 0) return std::optional<EditedGates::Index>();
        std::vector<Operation> others;
        for (const EditedGates::Index gate : window.gates) others.push_back(gates[gate]);
        others.resize(below(random, others.size()));
        return std::optional(gates.replace(window.gates, window.anchor, others));
      });
    }
  }
}

TEST_CASE("A state is carried past each gate once in a pass over the list") {
  Random random(1);
  EditedGates gates = random_gates(random, 400);
  CarriedState carried(gates, kQubitsOfState);
  for (std::uint64_t pass = 1; pass <= 2; ++pass) {
    (void)replace_windows(gates, Budget(), [&](EditedGates::Index start) {
      (void)carried.before(grow_narrow_window(gates, start, 4));
      return std::optional<EditedGates::Index>();
    });
    CHECK(carried.gates_passed() <= pass * 400);
  }
}
