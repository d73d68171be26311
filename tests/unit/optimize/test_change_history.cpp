#include <catch2/catch.hpp>
#include <memory>
#include <span>
#include <sstream>
#include <vector>

#include "circuit/history.hpp"
#include "gate_set_circuits.hpp"
#include "journal/history_writer.hpp"
#include "optimize/annealing/annealing_chain.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"
#include "small_table.hpp"

using namespace quartz;
using namespace quartz::classes;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

/// A circuit whose neighbouring gates are exchanged by hand.
class Rewritten {
 public:
  Rewritten(const ClassTable& table, std::uint32_t wires, std::vector<Operation> operations)
      : labels_(table.alphabet()),
        circuit_(WireLists(labels_.intern(operations).gates, wires), Totals{.value = 1000}) {
    circuit_.record_history(labels_);
    circuit_.leave_out_undone_changes(true);
  }

  /// Replaces the gates with these indices in the current order by others.
  void replace(const std::vector<std::size_t>& window, const std::vector<PlainGate>& inserted) {
    const std::vector<GateIndex> order = circuit_.gates().order();
    std::vector<GateIndex> removed;
    std::vector<WireLists::Gap> gaps;
    for (const std::size_t index : window) {
      removed.push_back(order[index]);
      const WiredGate& gate = circuit_.gates()[order[index]];
      for (unsigned i = 0; i < gate.size; ++i) {
        const auto known = std::ranges::find(gaps, gate.wires[i], &WireLists::Gap::wire);
        if (known == gaps.end()) {
          gaps.push_back({gate.wires[i], gate.previous[i], gate.next[i]});
        } else {
          known->after = gate.next[i];
        }
      }
    }
    apply(removed, gaps, inserted);
  }
  /// Inserts gates on the same wires in front of the gate with this index in the current order.
  void insert(std::size_t index, const std::vector<PlainGate>& inserted) {
    const std::vector<GateIndex> order = circuit_.gates().order();
    std::vector<WireLists::Gap> gaps;
    for (unsigned i = 0; i < inserted.front().size; ++i) {
      WireLists::Gap gap{.wire = inserted.front().wires[i]};
      gap.after = circuit_.gates().first_on(gap.wire);
      for (const GateIndex place : std::span(order).first(index)) {
        if (place != gap.after) continue;
        const WiredGate& gate = circuit_.gates()[place];
        gap.before = place;
        gap.after = gate.next[gate.operand_of(gap.wire)];
      }
      gaps.push_back(gap);
    }
    apply({}, gaps, inserted);
  }
  /// Exchanges two gates that commute.
  void exchange(std::size_t first, std::size_t second) {
    const std::vector<PlainGate> gates = circuit_.gates().gates();
    replace({first, second}, {gates[second], gates[first]});
  }
  [[nodiscard]] std::vector<PlainGate> gates() const { return circuit_.gates().gates(); }
  /// Returns the current circuit.
  [[nodiscard]] Circuit as_circuit() const {
    return make_circuit(circuit_.gates().wires(), labels_.operations(gates()));
  }
  /// Replays the history from the first circuit to the current one.
  [[nodiscard]] ReplayReport replay_from(const Circuit& first) const {
    const RewrittenCircuit::Snapshot now = circuit_.current_circuit();
    std::ostringstream out;
    (void)journal::write_journal(out, first, now.history);
    return test::replay(
        first, make_circuit(circuit_.gates().wires(), labels_.operations(now.gates)), out.str());
  }
  [[nodiscard]] std::uint64_t steps() const {
    return circuit::steps_of(circuit_.current_circuit().history.get());
  }
  RewrittenCircuit& operator*() { return circuit_; }

 private:
  void apply(const std::vector<GateIndex>& removed, const std::vector<WireLists::Gap>& gaps,
             const std::vector<PlainGate>& inserted) {
    Exchange exchange;
    exchange.kind = RewriteKind::window;
    exchange.removed = removed;
    exchange.gaps = gaps;
    exchange.inserted = inserted;
    exchange.before.value = 1;  // every circuit is better than the one before
    circuit_.apply(exchange);
  }

  AnnealingLabels labels_;
  RewrittenCircuit circuit_;
};

Operation gate_on(const char* name, std::vector<Qubit> qubits) {
  Operation operation;
  operation.gate = find_gate(name)->kind;
  operation.qubits.assign(qubits.begin(), qubits.end());
  return operation;
}

Operation eighth_turn(Qubit qubit) {
  Operation operation = gate_on("rz", {qubit});
  operation.angles.push_back(Angle::pi_times(Rational(1, 4)));
  return operation;
}

}  // namespace

TEST_CASE("a history leaves out changes that undo each other", "[annealing][history]") {
  const auto table = small_table(load_gate_set("nam"), 3);
  // h(0), h(1), then gates that commute: rz(0), cx(0, 1) and rz(0).
  Rewritten circuit(*table, 3,
                    {gate_on("h", {0}), gate_on("h", {1}), eighth_turn(0), gate_on("cx", {0, 1}),
                     gate_on("h", {0})});
  circuit.exchange(2, 3);
  CHECK(circuit.steps() == 1);

  SECTION("without changes between them") {
    circuit.exchange(2, 3);
    CHECK(circuit.steps() == 0);
    circuit.exchange(2, 3);
    CHECK(circuit.steps() == 1);
  }
  SECTION("unless all changes are wanted") {
    (*circuit).forget_changes();
    (*circuit).leave_out_undone_changes(false);
    circuit.exchange(2, 3);
    circuit.exchange(2, 3);
    CHECK(circuit.steps() == 3);
  }
  SECTION("with a change in front of them") {
    const PlainGate h = circuit.gates()[0];
    circuit.replace({0}, {h, h, h});
    circuit.exchange(4, 5);
    CHECK(circuit.steps() == 1);
  }
  SECTION("with pairs around pairs") {
    circuit.exchange(0, 1);  // h(0), h(1) share no wire
    const std::vector<PlainGate> gates = circuit.gates();
    circuit.exchange(2, 3);
    circuit.exchange(2, 3);
    circuit.exchange(2, 3);
    CHECK(circuit.steps() <= 2);
  }
  SECTION("but not if the circuit between them was shared") {
    const circuit::HistoryPointer shared = (*circuit).share_best_circuit().history;
    circuit.exchange(2, 3);
    CHECK(circuit.steps() == 2);
    CHECK(circuit::steps_of(shared.get()) == 1);
  }
  SECTION("but not if gates were put between theirs") {
    const PlainGate h = circuit.gates()[0];
    circuit.insert(3, {h, h});
    REQUIRE(circuit.gates().size() == 7);
    circuit.replace({3, 4}, {});
    circuit.exchange(2, 3);
    CHECK(circuit.steps() == 4);
  }
}

TEST_CASE("a history keeps changes that open a path on the way back", "[annealing][history]") {
  const auto table = small_table(load_gate_set("nam"), 3);
  Rewritten circuit(*table, 3, {gate_on("cx", {0, 1}), gate_on("cx", {2, 1}), gate_on("h", {1})});
  // A path leads from wire 0 to wire 2 in one order of the gates, and back in the other one.
  circuit.exchange(0, 1);
  circuit.exchange(0, 1);
  CHECK(circuit.steps() == 2);
}

TEST_CASE("a history keeps changes if gates were put beside what replaced theirs for a while",
          "[annealing][history]") {
  const auto table = small_table(load_gate_set("nam"), 3);
  Rewritten circuit(
      *table, 3,
      {gate_on("cx", {1, 0}), gate_on("cx", {0, 2}), gate_on("cx", {0, 1}), eighth_turn(0)});
  const Circuit first = circuit.as_circuit();
  const PlainGate inserted = circuit.gates()[0];
  circuit.exchange(2, 3);
  // Takes rz(0), a gate of the first exchange, to the other side of cx(0, 2) until it is undone.
  circuit.exchange(1, 2);
  // With rz(0) in its place, these are between the gates of the first exchange.
  circuit.insert(3, {inserted, inserted});
  circuit.replace({3, 4}, {});
  circuit.exchange(1, 2);
  circuit.exchange(2, 3);
  CHECK(circuit.steps() == 4);
  const ReplayReport report = circuit.replay_from(first);
  INFO(report.fault);
  CHECK(report.is_certified);
}

TEST_CASE("histories without undone changes lead to every circuit of a chain",
          "[annealing][history]") {
  const auto table = small_table(load_gate_set("nam"), 3);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::uint32_t qubits = 3 + below(random, 4);
    const Circuit input = random_circuit_in(load_gate_set("nam"), random, qubits, 60);
    AnnealingLabels labels(table->alphabet());
    const std::vector<PlainGate> gates = labels.intern(input.operations).gates;
    const Circuit first = make_circuit(qubits, labels.operations(gates));
    AnnealingChain chain(*table, labels, WireLists(gates, qubits), seed);
    chain.record_history();
    chain.leave_out_undone_changes(true);

    std::ostringstream journal;
    journal::GrowingJournal growing(journal, first);
    const auto leads_to = [&](const AnnealingChain::Best& found) {
      Circuit after = make_circuit(qubits, labels.operations(found.gates));
      after.global_phase = Angle::pi_times(Rational(found.totals.phase, 8));
      std::ostringstream out;
      (void)journal::write_journal(out, first, found.history);
      const ReplayReport report = replay(first, after, out.str());
      INFO(report.fault);
      CHECK(report.is_certified);
    };
    for (int i = 0; i < 12; ++i) {
      chain.run(300, 0.7);
      leads_to(chain.current());
      if (below(random, 3) != 0) continue;
      const AnnealingChain::Best shared = chain.share_best();
      leads_to(shared);
      if (growing.can_continue_to(shared.history)) growing.continue_to(shared.history);
    }
    const AnnealingCounts& counts = chain.counts();
    CHECK(circuit::steps_of(chain.current().history.get()) < counts.replaced + counts.blocks);
  }
}

TEST_CASE("the history of a circuit that was shared is continued", "[annealing][history]") {
  const auto table = small_table(load_gate_set("nam"), 3);
  Random random(7);
  const Circuit input = random_circuit_in(load_gate_set("nam"), random, 5, 200);
  AnnealingLabels labels(table->alphabet());
  const std::vector<PlainGate> gates = labels.intern(input.operations).gates;
  const Circuit first = make_circuit(5, labels.operations(gates));
  AnnealingChain chain(*table, labels, WireLists(gates, 5), 3);
  chain.record_history();
  chain.leave_out_undone_changes(true);
  std::ostringstream out;
  journal::GrowingJournal growing(out, first);
  std::uint64_t best = chain.best_value();
  int continued = 0;
  for (int i = 0; i < 40; ++i) {
    chain.run(50, 0.3);
    if (chain.best_value() == best) continue;
    best = chain.best_value();
    const AnnealingChain::Best shared = chain.share_best();
    REQUIRE(growing.can_continue_to(shared.history));
    growing.continue_to(shared.history);
    ++continued;
  }
  CHECK(continued > 5);
}
