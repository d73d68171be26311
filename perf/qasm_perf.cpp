#include "qasm_perf.hpp"

#include <string>

#include "benchmark_list.hpp"
#include "circuits.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::perf {

void parse(benchmark::State& state) {
  const Circuit adder = cuccaro_adder(kBitsOf47601Gates);
  const std::string text = write_qasm(adder);
  for (auto _ : state) benchmark::DoNotOptimize(parse_qasm(text));
  count_items(state, adder.operations.size());
}

void write(benchmark::State& state) {
  const Circuit adder = cuccaro_adder(kBitsOf47601Gates);
  for (auto _ : state) benchmark::DoNotOptimize(write_qasm(adder));
  count_items(state, adder.operations.size());
}

void translate_to_ibm_heron(benchmark::State& state) {
  const GateSet set = load_gate_set("ibm_heron");
  const Circuit adder = cuccaro_adder(kBitsOf47601Gates);
  for (auto _ : state) benchmark::DoNotOptimize(translate(adder, set));
  count_items(state, adder.operations.size());
}

}  // namespace quartz::perf
