#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/random.hpp"
#include "circuit/history.hpp"
#include "journal/history_writer.hpp"
#include "optimize/derived_search.hpp"
#include "optimize/repetitions/fragments.hpp"
#include "optimize/repetitions/repeated_runs.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/rules/rule_set.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::test;
using namespace quartz::optimizer;
using enum GateKind;

namespace {

using Items = std::vector<std::uint32_t>;

/// Returns random items below a number.
Items random_items(FastRandom& random, std::size_t size, std::uint32_t below) {
  Items items;
  for (std::size_t i = 0; i < size; ++i) {
    items.push_back(static_cast<std::uint32_t>(random.below(below)));
  }
  return items;
}

void append(Items& items, const Items& others, std::size_t copies = 1) {
  for (std::size_t i = 0; i < copies; ++i) items.insert(items.end(), others.begin(), others.end());
}

bool is_run(const Items& items, const RepeatedRun& run) {
  for (std::size_t i = run.first + run.period; i < run.first + run.size; ++i) {
    if (items[i] != items[i - run.period]) return false;
  }
  return run.size >= 3 * run.period && run.first + run.size <= items.size();
}

std::vector<Operation> copied(const std::vector<Operation>& gates, std::size_t copies) {
  std::vector<Operation> all;
  for (std::size_t i = 0; i < copies; ++i) all.insert(all.end(), gates.begin(), gates.end());
  return all;
}

/// Returns a step of a Trotter formula for an Ising model, in which neighbouring CNOTs cancel only
/// across the ends of two steps.
std::vector<Operation> ising_step(std::uint32_t qubits) {
  std::vector<Operation> step;
  for (Qubit i = 0; i < qubits; ++i) {
    step.push_back(make_operation(h, {i}));
    step.push_back(make_operation(rz, {i}, {Angle::pi_times(Rational(1, 8))}));
    step.push_back(make_operation(h, {i}));
  }
  for (Qubit i = 0; i + 1 < qubits; ++i) {
    step.push_back(make_operation(cx, {i, i + 1}));
    step.push_back(make_operation(rz, {i + 1}, {Angle::pi_times(Rational(1, 16))}));
    step.push_back(make_operation(cx, {i, i + 1}));
  }
  return step;
}

/// A result with its journal.
struct Searched {
  OptimizeResult report;
  Circuit circuit;
  ReplayReport replay;
  std::uint64_t unshared_steps = 0;  ///< those of the journal if it had no lemmas
};

Searched searched(const Circuit& circuit, std::uint64_t steps,
                  const std::string& name = "repetitions") {
  OptimizeOptions options;
  options.search = name;
  options.steps = steps;
  options.threads = 1;
  const GateSet set = load_gate_set("nam");
  const RuleSet rules;
  SearchListener listener;
  listener.records = true;
  SearchResult result = search(circuit, set, rules, options, listener);
  std::ostringstream out;
  (void)journal::write_journal(out, circuit, result.best.derivation.history());
  std::istringstream in(out.str());
  Searched searched{std::move(result.report), std::move(result.best.circuit), {}, 0};
  circuit::for_each_history(
      result.best.derivation.history().get(), [&](const circuit::History& each) {
        const auto* const rewrites = std::get_if<circuit::History::Rewrites>(&each.content);
        if (rewrites != nullptr) searched.unshared_steps += rewrites->steps;
      });
  searched.replay = replay_journal(circuit, searched.circuit, in, "the journal");
  return searched;
}

}  // namespace

TEST_CASE("Runs are found between other items", "[repetitions]") {
  FastRandom random(1);
  for (int trial = 0; trial < 200; ++trial) {
    CAPTURE(trial);
    const std::size_t period = 12 + random.below(200);
    const std::size_t copies = 4 + random.below(20);
    const std::size_t before = random.below(100);
    // Items from 1,000 are nowhere else.
    Items items = random_items(random, before, 100);
    for (std::uint32_t& each : items) each += 1000;
    append(items, random_items(random, period, 30), copies);
    const std::size_t end = items.size();
    for (std::uint32_t& each : random_items(random, random.below(100), 100)) {
      items.push_back(each + 2000);
    }
    const std::vector<RepeatedRun> runs = find_repeated_runs(items);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0] == RepeatedRun{before, end - before, period});
  }
}

TEST_CASE("Every run repeats itself, and none overlap", "[repetitions]") {
  FastRandom random(2);
  for (int trial = 0; trial < 200; ++trial) {
    CAPTURE(trial);
    Items items;
    for (std::size_t part = random.below(6); part != 0; --part) {
      append(items, random_items(random, random.below(50), 4));
      append(items, random_items(random, 1 + random.below(40), 4), 1 + random.below(12));
    }
    std::size_t end = 0;
    for (const RepeatedRun& run : find_repeated_runs(items)) {
      CHECK(is_run(items, run));
      CHECK(run.first >= end);
      end = run.first + run.size;
    }
  }
}

TEST_CASE("Runs of one period that share items do not overlap", "[repetitions]") {
  Items items;
  append(items, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 6);
  items.back() = 11;
  append(items, {1, 2, 3, 4, 5, 6, 7, 8, 9, 11}, 6);
  const std::vector<RepeatedRun> runs = find_repeated_runs(items);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].first + runs[0].size <= runs[1].first);
  for (const RepeatedRun& run : runs) CHECK(is_run(items, run));
}

TEST_CASE("Periods within periods do not hide the longer ones", "[repetitions]") {
  Items period;
  append(period, {1, 2, 3}, 20);
  append(period, {4});
  append(period, {5, 6}, 20);
  Items items;
  append(items, period, 50);
  REQUIRE(find_repeated_runs(items) == std::vector<RepeatedRun>{{0, items.size(), period.size()}});
}

TEST_CASE("Random items have no runs that are worth anything", "[repetitions]") {
  FastRandom random(3);
  CHECK(find_repeated_runs(random_items(random, 10'000, 50)).empty());
  CHECK(find_repeated_runs({}).empty());
}

TEST_CASE("Equal gates have equal numbers", "[repetitions]") {
  const std::vector<Operation> gates{make_operation(cx, {0, 1}), make_operation(cx, {1, 0}),
                                     make_operation(rz, {0}, {Angle::pi_times(Rational(1, 4))}),
                                     make_operation(rz, {0}, {Angle::pi_times(Rational(1, 8))}),
                                     make_operation(cx, {0, 1})};
  CHECK(numbers_of_equal_gates(gates) == Items{0, 1, 2, 3, 0});
}

TEST_CASE("Fragments are cut at any place of the period", "[repetitions]") {
  const std::vector<Operation> step = ising_step(20);
  const std::vector<Operation> gates = copied(step, 10);
  for (const double cut : {0.0, 0.5, 0.25}) {
    Fragments fragments(true);
    fragments.add_list(gates, cut);
    REQUIRE(fragments.fragments().size() == 1);
    const Fragment& fragment = fragments.fragments()[0];
    CHECK(fragment.gates.size() == step.size());
    CHECK(fragment.wires == 20);
    CHECK(fragment.copies == (cut == 0 ? 10 : 9));
    CHECK(fragments.saved_gates() == (fragment.copies - 1) * step.size());
    for (const FragmentCopy& copy : fragments.copies(0)) {
      for (std::size_t i = 0; i < fragment.gates.size(); ++i) {
        Operation gate = fragment.gates[i];
        for (Qubit& qubit : gate.qubits) qubit = copy.qubits[qubit];
        REQUIRE(gate == gates[copy.first + i]);
      }
    }
  }
}

TEST_CASE("Equal lists on other qubits are copies of one fragment", "[repetitions]") {
  Fragments fragments(true);
  std::vector<Operation> gates = ising_step(4);
  for (Qubit shift = 0; shift < 3; ++shift) {
    fragments.add_list(gates, 0);
    for (Operation& gate : gates) {
      for (Qubit& qubit : gate.qubits) qubit += 1;
    }
  }
  REQUIRE(fragments.fragments().size() == 1);
  CHECK(fragments.fragments()[0].copies == 3);
  CHECK(fragments.copies(2)[0].qubits == std::vector<Qubit>{2, 3, 4, 5});
}

TEST_CASE("Parts that repeat themselves on other qubits are copies", "[repetitions]") {
  Random random(5);
  const std::vector<Operation> block = random_circuit(random, {h, cx, rz, ccx}, 4, 20).operations;
  std::vector<Operation> gates = random_circuit(random, {h, cx}, 40, 10).operations;
  const std::size_t before = gates.size();
  constexpr Qubit blocks = 24;
  for (Qubit shift = 0; shift < blocks; ++shift) {
    for (Operation gate : block) {
      for (Qubit& qubit : gate.qubits) qubit += shift;
      gates.push_back(std::move(gate));
    }
  }
  Fragments fragments(true);
  fragments.add_list(gates, 0);
  std::size_t covered = 0;
  for (const FragmentCopy& copy : fragments.copies(0)) {
    const Fragment& fragment = fragments.fragments()[copy.fragment];
    if (fragment.copies > 1) covered += fragment.gates.size();
    for (std::size_t i = 0; i < fragment.gates.size(); ++i) {
      Operation gate = fragment.gates[i];
      for (Qubit& qubit : gate.qubits) qubit = copy.qubits[qubit];
      REQUIRE(gate == gates[copy.first + i]);
    }
  }
  CHECK(fragments.fragments().size() <= 2);
  CHECK(2 * covered > gates.size() - before);
}

TEST_CASE("Repeated steps are optimized once, and the journal proves them once", "[repetitions]") {
  const std::size_t copies = 40;
  const Circuit circuit = make_circuit(4, copied(ising_step(4), copies));
  const Searched found = searched(circuit, 200'000);
  CHECK(found.replay.fault.empty());
  CHECK(found.replay.is_certified);
  CHECK(found.replay.distance == 0);
  CHECK(found.circuit.operations.size() < circuit.operations.size());
  REQUIRE(found.report.repetitions);
  CHECK(found.report.repetitions->fragments == 1);
  CHECK(3 * found.replay.steps < found.unshared_steps);
}

TEST_CASE("Random repeated circuits stay equal", "[repetitions]") {
  Random random(4);
  const std::vector<GateKind> kinds{h, x, rz, cx};
  for (std::size_t size : {12U, 17U, 22U, 40U}) {
    CAPTURE(size);
    const auto random_gates = [&](std::size_t gates) {
      return random_circuit(random, kinds, 3, gates).operations;
    };
    std::vector<Operation> gates = random_gates(below(random, 20));
    for (const Operation& gate : copied(random_gates(size), 8)) gates.push_back(gate);
    for (const Operation& gate : random_gates(below(random, 20))) gates.push_back(gate);
    const Circuit circuit = make_circuit(3, gates);
    const Searched found = searched(circuit, 20'000);
    CHECK(found.replay.fault.empty());
    CHECK(found.replay.is_certified);
    CHECK(check_equivalence(circuit, found.circuit).verdict != EquivalenceVerdict::not_equal);
  }
}

TEST_CASE("Rounds between measurements and under conditions are copies", "[repetitions]") {
  std::vector<Operation> operations;
  for (ClassicalBit round = 0; round < 12; ++round) {
    operations.push_back(reset(2));
    for (const Qubit data : {0U, 1U}) {
      operations.push_back(make_operation(h, {2}));
      operations.push_back(make_operation(cx, {2, data}));
      operations.push_back(make_operation(cx, {2, data}));
      operations.push_back(make_operation(rz, {2}, {Angle::pi_times(Rational(1, 2))}));
      operations.push_back(make_operation(rz, {2}, {Angle::pi_times(Rational(1, 2))}));
    }
    operations.push_back(measure(2, 0));
    for (const GateKind kind : {x, h, h, x, h}) {
      operations.push_back(conditional(make_operation(kind, {0}), 0, 1));
    }
  }
  const Circuit circuit = classical_circuit(3, {1}, operations);
  const Searched found = searched(circuit, 20'000);
  CHECK(found.replay.fault.empty());
  CHECK(found.replay.is_certified);
  CHECK(found.circuit.operations.size() < circuit.operations.size());
  REQUIRE(found.report.repetitions);
  CHECK(found.report.repetitions->copies >= 24);
  CHECK(found.report.repetitions->fragments <= 4);
}
