#pragma once

#include <benchmark/benchmark.h>

/// Benchmarks of src/parity_chains.
namespace quartz::perf {

void parity_candidates_emulator(benchmark::State& state);
void parity_candidates_cuda(benchmark::State& state);
/// Returns whether there is a device for chains of parities.
[[nodiscard]] bool has_parity_device();

}  // namespace quartz::perf
