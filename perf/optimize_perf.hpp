#pragma once

#include <benchmark/benchmark.h>

/// Benchmarks of src/optimize.
namespace quartz::perf {

void annealing_moves_409_gates(benchmark::State& state);
void annealing_moves_47601_gates(benchmark::State& state);
void annealing_moves_1000009_gates(benchmark::State& state);
void focused_sweep_47601_gates(benchmark::State& state);
void focused_sweep_1000009_gates(benchmark::State& state);
void sweep_undo_10201_gates(benchmark::State& state);
void sweep_undo_99995_gates(benchmark::State& state);
void sweep_undo_1000009_gates(benchmark::State& state);
void rotation_placement(benchmark::State& state);
void phase_folding_47601_gates(benchmark::State& state);
void phase_folding_1000009_gates(benchmark::State& state);
void two_qubit_blocks(benchmark::State& state);
void backtracking(benchmark::State& state);

}  // namespace quartz::perf
