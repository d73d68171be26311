#pragma once

#include <cstdint>

#include "window_chains/chain/chain_circuit.hpp"
#include "window_chains/chain/window_chain.hpp"

/// The kernel of chains of window moves.
namespace quartz::window_chains {

constexpr unsigned kWarp = 32;
constexpr unsigned kWarpsPerBlock = 4;

/// Eight lanes of a warp.
class WarpLanes {
 public:
  using Amplitudes = Goldilocks;

  __device__ WarpLanes()
      : lane_(threadIdx.x % kAmplitudes),
        mask_(0xffU << (threadIdx.x % kWarp / kAmplitudes * kAmplitudes)) {}

  __device__ void wait() const { __syncwarp(mask_); }
  template <typename Function>
  __device__ void leader(const Function& function) const {
    wait();
    if (lane_ == 0) function();
    wait();
  }
  template <typename Function>
  __device__ void for_each_below(std::uint32_t end, const Function& function) const {
    for (std::uint32_t i = lane_; i < end; i += kAmplitudes) function(i);
    wait();
  }
  [[nodiscard]] __device__ Goldilocks load(const Goldilocks* amplitudes) const {
    return amplitudes[lane_];
  }
  __device__ void apply(const LetterRows& rows, Goldilocks& state) const {
    if (rows.form == LetterForm::diagonal) {
      state *= rows.first[lane_];
      return;
    }
    const Goldilocks partner = of_lane(state, rows.second_column[lane_]);
    switch (rows.form) {
      case LetterForm::diagonal:
      case LetterForm::permutation:
        state = partner;
        break;
      case LetterForm::signs:
        state = rows.first[lane_].value() == 1 ? partner + state : partner - state;
        break;
      case LetterForm::two_entries:
        state = rows.first[lane_] * of_lane(state, rows.first_column[lane_]) +
                rows.second[lane_] * partner;
        break;
    }
  }
  [[nodiscard]] __device__ Goldilocks product(const std::uint32_t* functional,
                                              Goldilocks state) const {
    Goldilocks sum = Goldilocks(functional[lane_]) * state;
    for (unsigned distance = 1; distance < kAmplitudes; distance *= 2) {
      sum += of_lane(sum, lane_ ^ distance);
    }
    return sum;
  }
  [[nodiscard]] __device__ Goldilocks first(Goldilocks state) const { return of_lane(state, 0); }
  [[nodiscard]] __device__ bool is_multiple(Goldilocks state, Goldilocks factor,
                                            const Goldilocks* amplitudes) const {
    return __all_sync(mask_, factor * amplitudes[lane_] == state) != 0;
  }
  [[nodiscard]] __device__ int index_of(Goldilocks value, const Goldilocks* values) const {
    const std::uint32_t low = lanes_with(values[lane_] == value);
    const std::uint32_t high = lanes_with(values[kAmplitudes + lane_] == value);
    return __ffs(static_cast<int>(high << kAmplitudes | low)) - 1;
  }
  [[nodiscard]] __device__ std::uint64_t find(const std::uint64_t* line, std::uint64_t tag,
                                              unsigned shift, bool& is_full) const {
    const std::uint64_t word = line[lane_];
    const std::uint32_t found = lanes_with(word != 0 && word >> shift == tag);
    is_full = lanes_with(word != 0) >> (kAmplitudes - 1) != 0;
    return found == 0 ? 0
                      : __shfl_sync(mask_, word, __ffs(static_cast<int>(found)) - 1, kAmplitudes);
  }

 private:
  /// Returns the lanes for which a condition holds, from bit 0 on.
  [[nodiscard]] __device__ std::uint32_t lanes_with(bool condition) const {
    return __ballot_sync(mask_, condition) >> (__ffs(static_cast<int>(mask_)) - 1) & 0xffU;
  }
  [[nodiscard]] __device__ Goldilocks of_lane(Goldilocks value, unsigned lane) const {
    return Goldilocks(__shfl_sync(mask_, value.value(), static_cast<int>(lane), kAmplitudes));
  }

  std::uint32_t lane_;
  std::uint32_t mask_;
};

/// What the chains of a round read and write.
struct RoundView {
  ChainTables tables;
  const ChainGate* start_gates;
  const ChainStart* starts;
  std::uint32_t start_count;
  const ChainStage* stages;  ///< those of the first schedule, the second one, and so on
  std::uint32_t stage_count;
  std::uint32_t schedules;
  std::uint32_t first;   ///< number in the round of the first chain that runs
  std::uint32_t chains;  ///< those that run
  std::uint64_t seed;
  ChainGate* gates;  ///< `capacity` places for each chain
  Place* free;
  std::uint32_t capacity;
  RotationMemory rotations;  ///< kMostChainWires wires and `parity_count` parities for each chain
  ChainEnd* ends;
};

/// Runs `groups` chains in each warp. With one, 24 lanes of a warp have nothing to do, but no chain
/// waits for the branches of others.
template <unsigned groups, unsigned blocks>
__global__ void __launch_bounds__(kWarpsPerBlock* kWarp, blocks) run_chains(RoundView round) {
  __shared__ ChainScratch scratch[kWarpsPerBlock * groups];
  const unsigned group = threadIdx.x % kWarp / kAmplitudes;
  const unsigned within = threadIdx.x / kWarp * groups + group;
  const std::uint32_t index = blockIdx.x * kWarpsPerBlock * groups + within;
  if (group >= groups || index >= round.chains) return;
  const std::uint32_t number = round.first + index;
  const ChainStart start = round.starts[number % round.start_count];
  const std::uint32_t schedule = number / round.start_count % round.schedules;
  const std::uint64_t first = std::uint64_t{index} * round.capacity;
  const std::uint32_t capacity = chain_capacity(start.gates);
  const RotationMemory& rotations = round.rotations;
  const ChainMemory memory{
      round.gates + first,
      round.free + first,
      capacity,
      {rotations.order + first, rotations.wires + std::uint64_t{index} * kMostChainWires,
       rotations.parities + std::uint64_t{index} * rotations.parity_count,
       chain_parities(capacity)}};
  NoObserver observer;
  WindowChain<WarpLanes, NoObserver> chain(WarpLanes(), observer, round.tables, memory,
                                           scratch[within], chain_seed(round.seed, number));
  const ChainEnd end = chain.run(round.start_gates + start.first_gate, start,
                                 round.stages + std::uint64_t{schedule} * round.stage_count,
                                 round.stage_count, ~std::uint32_t{0});
  if (threadIdx.x % kAmplitudes == 0) round.ends[index] = end;
}

}  // namespace quartz::window_chains
