#pragma once

#include <benchmark/benchmark.h>

/// Benchmarks of the replay of journals.
namespace quartz::perf {

void replay_409_gates(benchmark::State& state);
void replay_exchanges_of_40(benchmark::State& state);
void replay_exchanges_of_1(benchmark::State& state);
void replay_1000009_gates(benchmark::State& state);

}  // namespace quartz::perf
