#pragma once

#include <benchmark/benchmark.h>

/// Benchmarks of src/window_chains.
namespace quartz::perf {

void chain_moves_emulator(benchmark::State& state);
void chain_moves_cuda(benchmark::State& state);
/// Returns whether there is a device for chains of window moves.
[[nodiscard]] bool has_chain_device();

}  // namespace quartz::perf
