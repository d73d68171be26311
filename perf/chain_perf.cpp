#include "chain_perf.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>

#include "benchmark_list.hpp"
#include "circuits.hpp"
#include "class_table.hpp"
#include "optimize/annealing/annealing_chain.hpp"
#include "optimize/annealing/device/device_sweeps.hpp"
#include "optimize/window_device/chain_table.hpp"
#include "quartz/base/errors.hpp"
#include "window_chains/chain_backends.hpp"

namespace quartz::perf {

using namespace optimizer;

namespace {

/// The mean of those of a sweep.
constexpr std::size_t kGatesOfSlice = 100;

const window_chains::ChainBackend* chain_backend(std::string_view name) {
  const auto backends = window_chains::chain_backends();
  const auto found = std::ranges::find(backends, name, &window_chains::ChainBackend::name);
  return found == backends.end() ? nullptr : &*found;
}

/// Runs a round of chains on slices of an adder, and counts their moves. The device is not timed
/// while it gets the table.
void chain_moves(benchmark::State& state, std::string_view name, std::uint32_t moves_per_gate) {
  const Circuit adder = cuccaro_adder(kBitsOf409Gates);
  AnnealingLabels labels(nam_table().alphabet());
  const std::vector<rewrite::PlainGate> gates = labels.intern(adder.operations).gates;
  const auto table = chain_table(nam_table());
  ensure(table.has_value(), "the table suits chains");
  const auto device = chain_backend(name)->make(*table, 0);
  window_chains::ChainRound round;
  FastRandom random(0);
  for (const ChainSlice& slice : chain_slices(gates, adder.qubit_count(), kGatesOfSlice, random)) {
    add_start(round.starts, labels, gates, slice);
  }
  round.schedules = device_schedules(moves_per_gate);
  round.chains = device->chains();
  const auto known = chain_labels(labels, nam_table().alphabet().letters.size());
  std::uint64_t moves = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    for (const window_chains::ChainEnd& end : device->run(round, known)) moves += end.moves;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(seconds.count());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(moves));
}

}  // namespace

bool has_chain_device() {
  const window_chains::ChainBackend* const backend = chain_backend("cuda");
  return backend != nullptr && backend->devices() > 0;
}

void chain_moves_emulator(benchmark::State& state) { chain_moves(state, "emulator", 200); }
void chain_moves_cuda(benchmark::State& state) { chain_moves(state, "cuda", 400); }

}  // namespace quartz::perf
