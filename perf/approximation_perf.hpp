#pragma once

#include <benchmark/benchmark.h>

/// Benchmarks of src/approximation.
namespace quartz::perf {

void approximated_rotations_1e_3(benchmark::State& state);
void approximated_rotations_1e_5(benchmark::State& state);
void approximated_rotations_1e_10(benchmark::State& state);

}  // namespace quartz::perf
