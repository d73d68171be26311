#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>

namespace quartz::perf {

/// One micro-benchmark: a row of the list in benchmark_list.cpp.
struct Benchmark {
  const char* name;
  const char* item;  ///< what `goal` and the measured rate count, in the plural
  double goal;       ///< items per second of processor time
  void (*run)(benchmark::State&);
  /// Number of iterations; 0 means as many as fill the minimum time. A benchmark whose state
  /// changes as it runs has a fixed number, so that every run does the same work.
  std::int64_t iterations = 0;
};

/// The list of all micro-benchmarks and their goals.
[[nodiscard]] std::span<const Benchmark> benchmarks();

/// Adds `items` for each iteration so far to the items that the rate counts.
inline void count_items(benchmark::State& state, std::uint64_t items) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
}

}  // namespace quartz::perf
