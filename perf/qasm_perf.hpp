#pragma once

#include <benchmark/benchmark.h>

/// Benchmarks of src/qasm and of translation.
namespace quartz::perf {

void parse(benchmark::State& state);
void write(benchmark::State& state);
void translate_to_ibm_heron(benchmark::State& state);

}  // namespace quartz::perf
