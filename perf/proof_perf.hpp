#pragma once

#include <benchmark/benchmark.h>

/// Benchmarks of src/verify and src/certify.
namespace quartz::perf {

void z3_proofs(benchmark::State& state);
void exact_proofs(benchmark::State& state);
void window_proofs(benchmark::State& state);
void path_sum(benchmark::State& state);
void check_folded_adder(benchmark::State& state);

}  // namespace quartz::perf
