#pragma once

#include <cstdint>

#include "classes/backend/cost_enumerator.hpp"
#include "classes/backend/level_key.hpp"
#include "classes/cuda/device_memory.cuh"
#include "classes/cuda/level_kernels.cuh"

/// The kernels of enumeration by cost.
namespace quartz::classes::cuda {

constexpr unsigned kCostDimension = 1U << CostTables::kQubits;
/// Number of different costs of letters: those of gates on one qubit, and of gates on several.
constexpr unsigned kMaxLetterCosts = 2;
constexpr unsigned kMaxCosts = 32;

/// A class: its key, and what is known of it (CostedClasses). A key of 0 marks an empty slot.
/// `known` is written just after the key and is 0 until then.
struct alignas(16) CostSlot {
  Word key;
  Word known;
};

/// A hash table with open addressing and linear probing.
struct CostTableView {
  CostSlot* slots = nullptr;
  std::uint64_t size = 0;
};

/// Classes that wait to be extended.
struct WaitingView {
  algebra::Goldilocks* states = nullptr;
  Word* keys = nullptr;
};

/// The place where new classes of one cost are appended to the existing ones.
struct FoundView {
  WaitingView waiting;
  std::uint32_t cost = 0;
  std::uint64_t begin = 0;
};

struct CostLetters {
  LetterRows rows;
  const algebra::Goldilocks* functionals = nullptr;  ///< f U for each letter U
  const std::uint32_t* costs = nullptr;
  std::uint32_t count = 0;
};

/// One launch: the range of classes to extend, all of one cost, and where the new ones go.
struct CostLaunch {
  WaitingView parents;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t cost = 0;
  std::uint32_t last = 0;            ///< classes of a greater cost are dropped
  FoundView found[kMaxLetterCosts];  ///< entries with a cost of 0 are unused
};

/// Written by kernels.
struct CostCounters {
  Word classes;
  Word found[kMaxLetterCosts];
  Word overflow;  ///< not 0 if the table is full
};

[[nodiscard]] QUARTZ_HOST_DEVICE inline Word cost_key(algebra::Goldilocks functional) {
  algebra::LooseGoldilocks power(functional);
  for (int i = 0; i < 4; ++i) power = power * power;
  const Word key = power.canonical().value();
  return key == 0 ? 1 : key;
}

enum class CostOutcome { cheaper, equal, dearer };

/// Records that a circuit of the class `key` was found, with this cost and last letter. Sets
/// `opened` if the class was unknown.
__device__ inline CostOutcome insert_cost(const CostTableView& table, Word key, std::uint32_t cost,
                                          std::uint32_t letter, bool& opened,
                                          CostCounters* counters) {
  const Word bit = Word{1} << letter;
  const Word found = CostedClasses::known(cost, bit);
  std::uint64_t slot = home_slot(key, table.size);
  for (unsigned searched = 0; searched < kMaxProbeLength; ++searched) {
    // Reads bypass the L1 cache: the insertions of other threads are in the L2 cache.
    const ulonglong2 there = __ldcg(reinterpret_cast<const ulonglong2*>(table.slots + slot));
    Word here = there.x;
    Word known = there.y;
    if (here == 0) {
      here = atomicCAS(&table.slots[slot].key, Word{0}, key);
      opened = here == 0;
      if (here == 0) here = key;
      known = 0;  // if another thread has written it since, the exchange below returns its value
    }
    if (here == key) {
      for (;;) {
        if (known != 0 && CostedClasses::cost_of(known) < cost) return CostOutcome::dearer;
        const bool equal = known != 0 && CostedClasses::cost_of(known) == cost;
        if (equal && (known & bit) != 0) return CostOutcome::equal;
        const Word before = atomicCAS(&table.slots[slot].known, known, equal ? known | bit : found);
        if (before == known) return equal ? CostOutcome::equal : CostOutcome::cheaper;
        known = before;
      }
    }
    if (++slot == table.size) slot = 0;
  }
  atomicAdd(&counters->overflow, Word{1});
  return CostOutcome::dearer;
}

/// Returns what is known of a class, or 0 for a class that is not in the table.
__device__ inline Word known_of(const CostTableView& table, Word key) {
  std::uint64_t slot = home_slot(key, table.size);
  for (unsigned searched = 0; searched < kMaxProbeLength; ++searched) {
    const ulonglong2 there = __ldcg(reinterpret_cast<const ulonglong2*>(table.slots + slot));
    if (there.x == key) return there.y;
    if (there.x == 0) return 0;
    if (++slot == table.size) slot = 0;
  }
  return 0;
}

/// One thread for each class: looks up all its extensions and appends the new ones with their
/// states.
static __global__ void __launch_bounds__(kThreads)
    extend_by_cost(CostLetters letters, CostLaunch launch, CostTableView table,
                   CostCounters* counters) {
  extern __shared__ __align__(16) algebra::Goldilocks functionals[];
  for (unsigned i = threadIdx.x; i < letters.count * kCostDimension; i += kThreads) {
    functionals[i] = letters.functionals[i];
  }
  __syncthreads();
  const std::uint64_t index = launch.begin + std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  bool there = index < launch.end;
  const algebra::Goldilocks* const parent =
      launch.parents.states + (there ? index : launch.begin) * kCostDimension;
  if (there) {
    // The class may have been found again with a lower cost.
    const Word known = known_of(table, launch.parents.keys[index]);
    there = known != 0 && CostedClasses::cost_of(known) == launch.cost;
  }
  algebra::Goldilocks state[kCostDimension];
#pragma unroll
  for (unsigned i = 0; i < kCostDimension; ++i) state[i] = parent[i];
  Word classes = 0;
  for (std::uint32_t letter = 0; letter < letters.count; ++letter) {
    const std::uint32_t reached = launch.cost + letters.costs[letter];
    if (reached > launch.last) continue;  // the same for all threads
    Word key = 0;
    bool fresh = false;
    if (there) {
      algebra::GoldilocksSum sum;
#pragma unroll
      for (unsigned i = 0; i < kCostDimension; ++i) {
        sum.add_product(state[i], functionals[letter * kCostDimension + i]);
      }
      key = cost_key(sum.value());
      bool opened = false;
      const CostOutcome outcome = insert_cost(table, key, reached, letter, opened, counters);
      classes += opened ? 1 : 0;
      fresh = outcome == CostOutcome::cheaper && reached < launch.last;
    }
    const unsigned lanes = __ballot_sync(kAllLanes, fresh);
    if (lanes == 0) continue;
    const unsigned which = launch.found[0].cost == reached ? 0 : 1;
    const unsigned lane = threadIdx.x % kWarp;
    Word begin = 0;
    if (lane == 0)
      begin = atomicAdd(&counters->found[which], Word{static_cast<Word>(__popc(lanes))});
    begin = __shfl_sync(kAllLanes, begin, 0);
    if (!fresh) continue;
    const FoundView& found = launch.found[which];
    const std::uint64_t at = found.begin + begin + __popc(lanes & ((1U << lane) - 1));
    found.waiting.keys[at] = key;
    for (unsigned row = 0; row < kCostDimension; ++row) {
      found.waiting.states[at * kCostDimension + row] =
          row_times_state(letters.rows, kCostDimension, letter, row, parent);
    }
  }
  classes = sum_over_warp(classes);
  if (threadIdx.x % kWarp == 0) atomicAdd(&counters->classes, classes);
}

/// Moves all classes to another table. Each thread handles several slots.
static __global__ void __launch_bounds__(kThreads)
    move_classes(CostTableView from, CostTableView to, CostCounters* counters) {
  Word classes = 0;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < from.size;
       i += stride) {
    const CostSlot here = from.slots[i];
    if (here.key == 0) continue;
    std::uint64_t slot = home_slot(here.key, to.size);
    unsigned searched = 0;
    while (atomicCAS(&to.slots[slot].key, Word{0}, here.key) != 0) {
      if (++slot == to.size) slot = 0;
      if (++searched == kMaxProbeLength) break;
    }
    if (searched == kMaxProbeLength) {
      atomicAdd(&counters->overflow, Word{1});
      continue;
    }
    to.slots[slot].known = here.known;
    ++classes;
  }
  __syncwarp();
  classes = sum_over_warp(classes);
  if (threadIdx.x % kWarp == 0) atomicAdd(&counters->classes, classes);
}

/// Counts the classes of each cost. Each thread handles several slots.
static __global__ void __launch_bounds__(kThreads) count_costs(CostTableView table, Word* counts) {
  __shared__ Word own[kMaxCosts];
  if (threadIdx.x < kMaxCosts) own[threadIdx.x] = 0;
  __syncthreads();
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < table.size;
       i += stride) {
    const CostSlot here = table.slots[i];
    if (here.key != 0) atomicAdd(&own[CostedClasses::cost_of(here.known)], Word{1});
  }
  __syncthreads();
  if (threadIdx.x < kMaxCosts) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

/// Selects the classes whose keys are in one of `parts` equal parts, in any order. Each thread
/// handles several slots. `counters->classes` counts them; those beyond the capacity are dropped.
static __global__ void __launch_bounds__(kThreads)
    select_part(CostTableView table, std::uint64_t part, std::uint64_t parts, Word* keys,
                Word* knowns, std::uint64_t capacity, CostCounters* counters) {
  // The slots of a part are contiguous, except where slots were full: its last classes may be in
  // the slots of the next part, and those past the end of the table are at its beginning.
  const std::uint64_t begin = part == 0 ? 0 : table.size / parts * part - 1;
  const std::uint64_t end = part + 1 == parts
                                ? table.size + (parts == 1 ? 0 : kMaxProbeLength)
                                : table.size / parts * (part + 1) + parts + kMaxProbeLength;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  const unsigned lane = threadIdx.x % kWarp;
  for (std::uint64_t base = begin + std::uint64_t{blockIdx.x} * kThreads; base < end;
       base += stride) {
    const std::uint64_t i = base + threadIdx.x;
    CostSlot here{0, 0};
    if (i < end) here = table.slots[i < table.size ? i : i - table.size];
    const bool mine = here.key != 0 && home_slot(here.key, parts) == part;
    const unsigned lanes = __ballot_sync(kAllLanes, mine);
    if (lanes == 0) continue;
    Word first = 0;
    if (lane == 0) first = atomicAdd(&counters->classes, Word{static_cast<Word>(__popc(lanes))});
    first = __shfl_sync(kAllLanes, first, 0);
    const std::uint64_t at = first + __popc(lanes & ((1U << lane) - 1));
    if (mine && at < capacity) {
      keys[at] = here.key;
      knowns[at] = here.known;
    }
  }
}

}  // namespace quartz::classes::cuda
