#include <benchmark/benchmark.h>

#include "benchmark_list.hpp"
#include "goal_reporter.hpp"

/// Runs the micro-benchmarks that --benchmark_filter selects. All options are those of Google
/// Benchmark; --benchmark_out=FILE writes JSON.
int main(int argc, char** argv) {
  using quartz::perf::Benchmark;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const Benchmark& row : quartz::perf::benchmarks()) {
    const auto run = [&row](benchmark::State& state) {
      row.run(state);
      state.SetLabel(row.item);
      // Google Benchmark averages this counter over threads; it is the same for all of them.
      state.counters["goal"] = benchmark::Counter(row.goal);
    };
    // Measures the processor time of all threads of the process, which varies least on a shared
    // machine.
    auto* registered = benchmark::RegisterBenchmark(row.name, run)->MeasureProcessCPUTime();
    if (row.iterations != 0) registered->Iterations(row.iterations);
  }
  quartz::perf::GoalReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
}
