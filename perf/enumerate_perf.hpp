#pragma once

#include <benchmark/benchmark.h>

/// Benchmarks of src/enumerate and src/fingerprint.
namespace quartz::perf {

void table_look_up(benchmark::State& state);
void table_walk_down(benchmark::State& state);
void table_build(benchmark::State& state);
void class_count(benchmark::State& state);
void fingerprints_cpu(benchmark::State& state);
void fingerprints_cuda(benchmark::State& state);
[[nodiscard]] bool cuda_available();

}  // namespace quartz::perf
