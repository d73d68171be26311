#include "optimize/annealing/rewritten_circuit.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <tuple>

#include "optimize/annealing/window.hpp"
#include "quartz/base/errors.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

constexpr std::uint32_t kRewrittenWires = 5;

PlainGate random_gate(Random& random) {
  PlainGate gate;
  gate.label = below(random, 100);
  gate.size = static_cast<std::uint8_t>(1 + below(random, 2));
  gate.wires[0] = static_cast<Wire>(below(random, kRewrittenWires));
  if (gate.size == 2) {
    gate.wires[1] = static_cast<Wire>((gate.wires[0] + 1 + below(random, kRewrittenWires - 1)) %
                                      kRewrittenWires);
  }
  return gate;
}

/// Everything that distinguishes two circuits: the gates in order of position, their places, and
/// their neighbours.
using Picture = std::vector<std::tuple<std::uint64_t, GateIndex, Label, std::array<Wire, 3>,
                                       std::array<GateIndex, 3>, std::array<GateIndex, 3>>>;

Picture picture_of(const WireLists& circuit) {
  Picture picture;
  for (const GateIndex index : circuit.order()) {
    WiredGate gate = circuit[index];
    for (unsigned i = gate.size; i < 3; ++i) {
      gate.wires[i] = 0;
      gate.next[i] = gate.previous[i] = kNoGate;
    }
    picture.emplace_back(gate.position, index, gate.label, gate.wires, gate.next, gate.previous);
  }
  return picture;
}

/// Returns the picture without positions, which change when all gates get new ones.
Picture without_positions(Picture picture) {
  for (auto& gate : picture) std::get<0>(gate) = 0;
  return picture;
}

/// Replaces a random window by random gates on its wires.
void change(RewrittenCircuit& circuit, Random& random) {
  const WireLists& lists = circuit.gates();
  Window window;
  GateIndex start = 0;
  do {
    start = below(random, static_cast<std::uint32_t>(lists.places()));
  } while (lists[start].size == 0);
  grow_window(
      lists, start, 1 + below(random, 5), [](const WiredGate&) { return true; }, window);
  std::vector<PlainGate> inserted(below(random, 7));
  Exchange exchange;
  for (PlainGate& gate : inserted) {
    gate.label = below(random, 100);
    gate.size = 1;
    gate.wires[0] =
        window.wires[below(random, static_cast<std::uint32_t>(window.wires.size()))].wire;
    exchange.after.value += gate.label;
  }
  for (const GateIndex index : window.gates) exchange.before.value += lists[index].label;
  exchange.kind = RewriteKind::window;
  exchange.removed = {window.gates.data(), window.gates.size()};
  exchange.gaps = {window.wires.data(), window.wires.size()};
  exchange.inserted = inserted;
  exchange.after.phase = static_cast<int>(below(random, 16));
  circuit.apply(exchange);
}

std::uint64_t value_of(std::span<const PlainGate> gates) {
  std::uint64_t value = 0;
  for (const PlainGate& gate : gates) value += gate.label;
  return value;
}

RewrittenCircuit random_rewritten_circuit(Random& random, std::size_t gates) {
  std::vector<PlainGate> plain(gates);
  for (PlainGate& gate : plain) gate = random_gate(random);
  return {WireLists(plain, kRewrittenWires), {value_of(plain), 0, 0}};
}

}  // namespace

TEST_CASE("Undoing changes restores every earlier circuit exactly", "[log]") {
  Random random(71);
  for (int round = 0; round < 20; ++round) {
    INFO("seed 71, round " << round);
    RewrittenCircuit circuit = random_rewritten_circuit(random, 30 + below(random, 40));
    std::vector<Picture> pictures{picture_of(circuit.gates())};
    std::vector<Totals> totals{circuit.totals()};
    for (int step = 0; step < 300 && circuit.gates().size() != 0; ++step) {
      if (below(random, 4) == 0) {
        const std::size_t position = below(random, static_cast<std::uint32_t>(pictures.size()));
        circuit.undo_to(position);
        pictures.resize(position + 1);
        totals.resize(position + 1);
      } else {
        change(circuit, random);
        pictures.push_back(picture_of(circuit.gates()));
        totals.push_back(circuit.totals());
      }
      REQUIRE(circuit.position() + 1 == pictures.size());
      CHECK(without_positions(picture_of(circuit.gates())) == without_positions(pictures.back()));
      CHECK(circuit.totals().value == totals.back().value);
      CHECK(circuit.totals().phase == totals.back().phase);
      CHECK(circuit.totals().value == value_of(circuit.gates().gates()));
    }
  }
}

TEST_CASE("The best circuit is found again after undoing, forgetting and returning", "[log]") {
  Random random(72);
  for (int round = 0; round < 20; ++round) {
    INFO("seed 72, round " << round);
    RewrittenCircuit circuit = random_rewritten_circuit(random, 40);
    std::uint64_t least = circuit.totals().value;
    for (int step = 0; step < 300 && circuit.gates().size() != 0; ++step) {
      switch (below(random, 12)) {
        case 0:
          circuit.undo_to(below(random, static_cast<std::uint32_t>(circuit.position()) + 1));
          break;
        case 1:
          circuit.forget_changes();
          CHECK(circuit.position() == 0);
          break;
        case 2:
          circuit.return_to_best();
          CHECK(circuit.totals().value == least);
          break;
        default:
          change(circuit, random);
      }
      least = std::min(least, circuit.totals().value);
      const RewrittenCircuit::Snapshot best = circuit.best_circuit();
      CHECK(best.totals.value == least);
      CHECK(circuit.best_totals().value == least);
      CHECK(value_of(best.gates) == least);
      CHECK(best.gates.size() == circuit.best_size());
    }
  }
}

TEST_CASE("Gates repeatedly inserted at one place find room, and can be undone", "[log]") {
  Random random(73);
  RewrittenCircuit circuit = random_rewritten_circuit(random, 50);
  const Picture before = without_positions(picture_of(circuit.gates()));
  const PlainGate gate{{0, 0, 0}, 1, false, 7};
  // Gates are inserted after the last gate of a wire and before the first one, which uses up
  // positions at both ends.
  for (int i = 0; i < 2000; ++i) {
    GateIndex last = circuit.gates().first_on(0);
    while (last != kNoGate) {
      const WiredGate& wired = circuit.gates()[last];
      const GateIndex next = wired.next[wired.operand_of(0)];
      if (next == kNoGate) break;
      last = next;
    }
    const GateIndex first = circuit.gates().first_on(0);
    const WireLists::Gap gap =
        i % 2 == 0 ? WireLists::Gap{0, last, kNoGate} : WireLists::Gap{0, kNoGate, first};
    Exchange exchange;
    exchange.gaps = {&gap, 1};
    exchange.inserted = {&gate, 1};
    circuit.apply(exchange);
    const std::vector<GateIndex> order = circuit.gates().order();
    CHECK(order.size() == 51 + static_cast<std::size_t>(i));
  }
  circuit.undo_to(0);
  CHECK(without_positions(picture_of(circuit.gates())) == before);
}

TEST_CASE("a window numbers its wires and no others", "[annealing]") {
  Window window;
  window.wires.push_back({7, kNoGate});
  window.wires.push_back({2, kNoGate});
  CHECK(window.local(7) == 0);
  CHECK(window.local(2) == 1);
  CHECK_THROWS_AS(window.local(3), InternalError);
}
