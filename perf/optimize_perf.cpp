#include "optimize_perf.hpp"

#include <chrono>
#include <memory>
#include <optional>

#include "benchmark_list.hpp"
#include "circuits.hpp"
#include "class_table.hpp"
#include "optimize/annealing/annealing_chain.hpp"
#include "optimize/backtracking/backtracking.hpp"
#include "optimize/folding/rotation_folding.hpp"
#include "optimize/resynthesis/two_qubit_blocks.hpp"
#include "quartz/rules/rule_set.hpp"
#include "rewrite/rule_index.hpp"

namespace quartz::perf {

using namespace optimizer;
using namespace rewrite;
namespace {

/// Number of moves at one temperature, as many as the search makes between two checks of the clock.
constexpr std::uint64_t kBatch = 2000;
/// A temperature in the middle of those that a search uses.
constexpr double kTemperature = 0.5;
/// A temperature at which circuits get longer.
constexpr double kHighTemperature = 2;
/// Number of gates at which a focused sweep begins, and its moves: the means of those of the
/// search.
constexpr std::size_t kFocus = 95;
constexpr std::uint64_t kFocusBatches = 24;

/// An annealing chain on an adder.
struct AdderChain {
  explicit AdderChain(std::uint32_t bits)
      : adder(cuccaro_adder(bits)),
        labels(nam_table().alphabet()),
        gates(labels.intern(adder.operations).gates),
        chain(nam_table(), labels, WireLists(gates, adder.qubit_count()), 0) {
    // A chain begins with a placement of all rotations, which has a benchmark of its own.
    chain.run(kBatch, kTemperature);
  }

  Circuit adder;
  AnnealingLabels labels;
  std::vector<PlainGate> gates;
  AnnealingChain chain;
};

void annealing_moves(benchmark::State& state, std::uint32_t bits) {
  AdderChain adder(bits);
  for (auto _ : state) adder.chain.run(kBatch, kTemperature);
  count_items(state, kBatch);
}

/// Runs a cooling sweep around a random gate, including what is needed to undo it afterwards.
void focused_sweep(benchmark::State& state, std::uint32_t bits) {
  AdderChain adder(bits);
  for (auto _ : state) {
    adder.chain.begin_sweep(kFocus);
    for (std::uint64_t i = 0; i < kFocusBatches; ++i) adder.chain.run(kBatch, kTemperature);
    adder.chain.end_sweep();
  }
  count_items(state, kFocusBatches * kBatch);
}

/// Undoes a focused sweep that made the circuit worse. Only the undoing is timed.
void sweep_undo(benchmark::State& state, std::uint32_t bits) {
  AdderChain adder(bits);
  // Without rotation moves, which change the whole circuit and are not part of most sweeps of a
  // large one.
  adder.chain.settings.moves_per_gate = 0;
  for (auto _ : state) {
    adder.chain.begin_sweep(kFocus);
    for (std::uint64_t i = 0; i < kFocusBatches; ++i) adder.chain.run(kBatch, kHighTemperature);
    const auto start = std::chrono::steady_clock::now();
    adder.chain.end_sweep();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(seconds.count());
  }
  state.SetItemsProcessed(state.iterations());
}

void phase_folding(benchmark::State& state, std::uint32_t bits) {
  const Circuit adder = cuccaro_adder(bits);
  for (auto _ : state) {
    benchmark::DoNotOptimize(fold_rotations(adder.operations, adder.qubit_count(), nam()));
  }
  count_items(state, adder.operations.size());
}

}  // namespace

void annealing_moves_409_gates(benchmark::State& state) { annealing_moves(state, kBitsOf409Gates); }
void annealing_moves_47601_gates(benchmark::State& state) {
  annealing_moves(state, kBitsOf47601Gates);
}
void annealing_moves_1000009_gates(benchmark::State& state) {
  annealing_moves(state, kBitsOf1000009Gates);
}

void focused_sweep_47601_gates(benchmark::State& state) { focused_sweep(state, kBitsOf47601Gates); }
void focused_sweep_1000009_gates(benchmark::State& state) {
  focused_sweep(state, kBitsOf1000009Gates);
}

void sweep_undo_10201_gates(benchmark::State& state) { sweep_undo(state, kBitsOf10201Gates); }
void sweep_undo_99995_gates(benchmark::State& state) { sweep_undo(state, kBitsOf99995Gates); }
void sweep_undo_1000009_gates(benchmark::State& state) { sweep_undo(state, kBitsOf1000009Gates); }

void rotation_placement(benchmark::State& state) {
  const AdderChain adder(kBitsOf47601Gates);
  FastRandom random(0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(propose_rotations(adder.chain.circuit(), adder.labels,
                                               adder.chain.settings.moved_rotations, random));
  }
  count_items(state, adder.gates.size());
}

void phase_folding_47601_gates(benchmark::State& state) { phase_folding(state, kBitsOf47601Gates); }
void phase_folding_1000009_gates(benchmark::State& state) {
  phase_folding(state, kBitsOf1000009Gates);
}

void two_qubit_blocks(benchmark::State& state) {
  const GateSet set = load_gate_set("ibm");
  const ScalarGateCost cost = scalar_gate_cost_in_blocks(CostKind::two_qubit, set);
  const Circuit circuit = random_ibm_circuit(400);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        TwoQubitBlocks(set, cost, Exactness::numeric)
            .resynthesize(circuit.operations, circuit.qubit_count(), Budget()));
  }
  count_items(state, circuit.operations.size());
}

void backtracking(benchmark::State& state) {
  const RuleSet rules = bundled_rule_set(nam()).value();
  const RuleIndex index(rules);
  BacktrackingSearch search(index, CostKind::total);
  const Circuit circuit = toffoli_ladder();
  BacktrackingLimits limits;
  limits.pops = 5000;
  limits.slack = 1;
  std::uint64_t popped = 0;
  for (auto _ : state) popped = search.run(circuit.operations, limits).popped;
  count_items(state, popped);
}

}  // namespace quartz::perf
