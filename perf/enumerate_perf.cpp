#include "enumerate_perf.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "benchmark_list.hpp"
#include "circuits.hpp"
#include "class_table.hpp"
#include "classes/backend_list.hpp"
#include "quartz/classes/class_count.hpp"

namespace quartz::perf {

using namespace classes;
namespace {

constexpr std::size_t kStates = 1U << 16U;

/// Forms the fingerprints of the extensions of the last level `rounds` times without looking them
/// up. Counting the levels before that is not part of the time.
void form_fingerprints(benchmark::State& state, const char* backend, unsigned gates,
                       unsigned rounds) {
  ClassCountOptions options;
  options.gates = gates;
  options.backend = backend;
  options.threads = 1;
  std::uint64_t fingerprints = 0;
  for (auto _ : state) {
    const FingerprintRate rate = measure_fingerprints(nam(), options, rounds);
    state.SetIterationTime(rate.seconds);
    fingerprints = rate.fingerprints;
  }
  count_items(state, fingerprints);
}

}  // namespace

void table_look_up(benchmark::State& state) {
  const ClassTable& table = nam_table();
  std::vector<std::uint64_t> keys;
  for (const TableState& each : random_table_states(table, kStates)) {
    keys.push_back(table.probe().key(each.state, each.scalar.root));
  }
  for (auto _ : state) {
    for (const std::uint64_t key : keys) benchmark::DoNotOptimize(table.find(key));
  }
  count_items(state, keys.size());
}

/// Walks from each class to the identity, as annealing does from a window.
void table_walk_down(benchmark::State& state) {
  const ClassTable& table = nam_table();
  std::vector<TableState> starts = random_table_states(table, kStates);
  for (TableState& each : starts) each.letters.clear();  // so that a copy allocates no memory
  std::uint64_t steps = 0;
  for (auto _ : state) {
    steps = 0;
    for (TableState each : starts) {
      for (; each.cost != 0; ++steps) benchmark::DoNotOptimize(step_down(table, each));
    }
  }
  count_items(state, steps);
}

void table_build(benchmark::State& state) {
  ClassTableOptions options;
  options.cost = 5;
  options.threads = 1;
  std::uint64_t classes = 0;
  for (auto _ : state) {
    const std::shared_ptr<const ClassTable> table = build_class_table(nam(), options);
    classes = 0;
    for (const std::uint64_t count : table->contents().classes) classes += count;
  }
  count_items(state, classes);
}

void class_count(benchmark::State& state) {
  ClassCountOptions options;
  options.gates = 5;
  options.backend = "cpu";
  options.threads = 1;
  options.memory = std::uint64_t{1} << 30U;
  std::uint64_t candidates = 0;
  for (auto _ : state) {
    candidates = 0;
    for (const CountedLevel& level : count_classes(nam(), options).levels) {
      candidates += level.candidates;
    }
  }
  count_items(state, candidates);
}

void fingerprints_cpu(benchmark::State& state) { form_fingerprints(state, "cpu", 6, 2); }

void fingerprints_cuda(benchmark::State& state) { form_fingerprints(state, "cuda", 7, 10); }

bool cuda_available() {
  const auto backends = fingerprint_backends();
  const auto cuda = std::find_if(backends.begin(), backends.end(),
                                 [](const auto& entry) { return entry.name == "cuda"; });
  return cuda != backends.end() && cuda->available();
}

}  // namespace quartz::perf
