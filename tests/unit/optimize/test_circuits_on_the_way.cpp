#include "optimize/annealing/circuits_on_the_way.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "gate_set_circuits.hpp"
#include "journal/history_writer.hpp"
#include "optimize/annealing/better_circuits.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::classes;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

constexpr std::uint32_t kQubits = 4;
constexpr std::uint64_t kSpacing = 50;

/// A chain of annealing that records the history of a circuit.
class RecordedChain {
 public:
  explicit RecordedChain(std::uint64_t seed) {
    ClassTableOptions options;
    options.cost = 3;
    options.threads = 1;
    table_ = build_class_table(load_gate_set("nam"), options);
    labels_ = std::make_unique<AnnealingLabels>(table_->alphabet());
    Random random(static_cast<unsigned>(seed));
    const Circuit circuit = random_circuit_in(load_gate_set("nam"), random, kQubits, 200);
    const auto interned = labels_->intern(circuit.operations);
    input = make_circuit(kQubits, labels_->operations(interned.gates));
    chains.push_back(std::make_unique<AnnealingChain>(
        *table_, *labels_, rewrite::WireLists(interned.gates, kQubits), seed));
    chains.front()->record_history();
  }

  [[nodiscard]] AnnealingChain& chain() { return *chains.front(); }
  [[nodiscard]] Circuit circuit_of(const AnnealingChain::Best& found) const {
    Circuit circuit = make_circuit(kQubits, labels_->operations(found.gates));
    circuit.global_phase = Angle::pi_times(Rational(found.totals.phase, 8));
    return circuit;
  }
  /// Runs a hot sweep of the whole circuit and focused sweeps, from which better circuits are far.
  void sweep(CircuitsOnTheWay& on_the_way) {
    for (int i = 0; i < 20; ++i) {
      chain().run(500, 0.9);
      on_the_way.follow(chain());
    }
    for (int i = 0; i < 20; ++i) {
      chain().begin_sweep(40);
      chain().run(500, 0.6);
      chain().end_sweep();
      on_the_way.follow(chain());
    }
  }

  Circuit input;
  std::vector<std::unique_ptr<AnnealingChain>> chains;

 private:
  std::shared_ptr<const ClassTable> table_;
  std::unique_ptr<AnnealingLabels> labels_;
};

/// A growing journal of a chain, with its replay.
class FollowedChain {
 public:
  explicit FollowedChain(const RecordedChain& chain)
      : chain_(chain),
        journal_(stream_, chain.input),
        replay_(chain.input, "the journal", ReplayOptions()) {}

  /// Returns whether a circuit continues those before and is certified.
  [[nodiscard]] bool certifies(const AnnealingChain::Best& found) {
    if (!journal_.can_continue_to(found.history)) return false;
    journal_.continue_to(found.history);
    const std::string bytes = stream_.str();
    stream_.str("");
    return replay_.replay(bytes) && replay_.report_for(chain_.circuit_of(found)).is_certified;
  }

 private:
  const RecordedChain& chain_;
  std::ostringstream stream_;
  journal::GrowingJournal journal_;
  RunningReplay replay_;
};

CircuitsOnTheWay all_circuits(std::size_t max_gates = CircuitsOnTheWay::kMaxGates) {
  return CircuitsOnTheWay(kSpacing, max_gates, std::chrono::milliseconds(0));
}

}  // namespace

TEST_CASE("the histories of circuits on the way continue each other", "[circuits on the way]") {
  for (std::uint64_t seed = 60; seed < 64; ++seed) {
    INFO("seed " << seed);
    RecordedChain recorded(seed);
    FollowedChain followed(recorded);
    CircuitsOnTheWay on_the_way = all_circuits();
    std::size_t taken = 0;
    for (int round = 0; round < 4; ++round) {
      recorded.sweep(on_the_way);
      recorded.chain().run(4000, 0.2);
      const AnnealingChain::Best best = recorded.chain().best();
      for (const AnnealingChain::Best& each : on_the_way.take_up_to(best.history.get())) {
        ++taken;
        CHECK(circuit::steps_of(each.history.get()) < circuit::steps_of(best.history.get()));
        CHECK(each.totals.value >= best.totals.value);
        CHECK(followed.certifies(each));
      }
      CHECK(followed.certifies(best));
      CHECK(on_the_way.take_up_to(best.history.get()).empty());
    }
    CHECK(taken > 0);
  }
}

TEST_CASE("circuits on the way that a chain leaves are dropped", "[circuits on the way]") {
  RecordedChain recorded(70);
  CircuitsOnTheWay on_the_way = all_circuits();
  recorded.chain().run(100'000, 0.2);
  const AnnealingChain::Best before = recorded.chain().best();
  recorded.chain().return_to_best();
  (void)on_the_way.take_up_to(before.history.get());
  // So hot that nothing better is found.
  for (int i = 0; i < 20; ++i) {
    recorded.chain().run(200, 3);
    on_the_way.follow(recorded.chain());
  }
  REQUIRE(recorded.chain().best_value() == before.totals.value);
  CHECK(on_the_way.take_up_to(before.history.get()).empty());
  recorded.chain().return_to_best();
  on_the_way.follow_return(recorded.chain());
  recorded.chain().run(8000, 3);
  const AnnealingChain::Best hot = recorded.chain().current();
  CHECK(on_the_way.take_up_to(hot.history.get()).empty());
}

TEST_CASE("the memory of circuits on the way is bounded", "[circuits on the way]") {
  RecordedChain recorded(71);
  CircuitsOnTheWay on_the_way = all_circuits(2000);
  for (int i = 0; i < 200; ++i) {
    recorded.chain().run(500, 3);
    on_the_way.follow(recorded.chain());
  }
  const AnnealingChain::Best last = recorded.chain().current();
  std::size_t gates = 0;
  std::uint64_t steps = 0;
  for (const AnnealingChain::Best& each : on_the_way.take_up_to(last.history.get())) {
    gates += each.gates.size();
    CHECK(circuit::steps_of(each.history.get()) > steps);
    steps = circuit::steps_of(each.history.get());
  }
  CHECK(gates > 0);
  CHECK(gates <= 2000);
}

TEST_CASE("what leads to a better circuit of a thread is passed on before it",
          "[circuits on the way]") {
  RecordedChain ahead(72);
  RecordedChain behind(72);
  std::vector<char> passed;  // 'w' on the way, 't' the best of a thread, 'b' the best of all
  const auto restore = [&](const AnnealingChain::Best* found, std::size_t) {
    circuit::DerivedGates gates = circuit::DerivedGates::unchanged({});
    if (found != nullptr) gates.gates = ahead.circuit_of(*found).operations;
    return gates;
  };
  BetterCircuits better(
      1, restore, [&](const std::vector<circuit::DerivedGates>&) { passed.push_back('b'); },
      [&](const std::vector<circuit::DerivedGates>& circuits, bool is_best_of_thread) {
        REQUIRE(circuits.size() == 1);
        passed.push_back(is_best_of_thread ? 't' : 'w');
      });
  ahead.chain().run(40'000, 0.2);
  better.collect(ahead.chains);
  CHECK(passed == std::vector<char>{'b'});
  CircuitsOnTheWay on_the_way = all_circuits();
  behind.chain().run(500, 0.9);
  on_the_way.follow(behind.chain());
  behind.chain().run(4000, 0.2);
  REQUIRE(behind.chain().best_value() >= ahead.chain().best_value());
  better.collect(behind.chains, &on_the_way);
  REQUIRE(passed.size() >= 2);
  CHECK(passed.back() == 't');
  for (std::size_t i = 1; i + 1 < passed.size(); ++i) CHECK(passed[i] == 'w');
}
