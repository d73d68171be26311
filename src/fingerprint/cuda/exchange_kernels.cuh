#pragma once

#include <cstdint>

#include "fingerprint/cuda/level_kernels.cuh"

/// The kernels that several devices need besides those of one.
namespace quartz::cuda {

constexpr unsigned kMostDevices = 16;

/// Where a warp's keys for one device go: it takes so many places at a time. Those that are left
/// over have the tag 0, which is no key's.
constexpr unsigned kPlacesTaken = 64;
/// Classes that a block extends: so many that few places are left over, and so few that the blocks
/// of another kernel soon get their turn.
constexpr std::uint64_t kBlockClasses = 2 * kThreads;

/// Keys that are for other devices, gathered by one warp. `records` has a batch for each device.
class Outgoing {
 public:
  struct Places {
    Word next;
    Word end;
  };
  /// `places`: of the warp, one for each device.
  __device__ Outgoing(const Records& records, Places* places) : records_(records), places_(places) {
    for (unsigned to = lane(); to < records.batches; to += kWarp) places[to] = {0, 0};
    __syncwarp();
  }
  /// By all lanes; `mine` says whether the lane has a key for that device.
  __device__ void append(bool mine, unsigned to, const LevelKey& key, std::uint64_t link) {
    const unsigned lanes = __ballot_sync(kAllLanes, mine);
    if (lanes == 0) return;
    const unsigned count = __popc(lanes);
    const unsigned rank = __popc(lanes & ((1U << lane()) - 1));
    const Places before = places_[to];
    const auto left = static_cast<unsigned>(before.end - before.next);
    Word more = 0;
    if (count > left) {
      if (lane() == 0) more = atomicAdd(records_.cursors + to * kCursorStride, Word{kPlacesTaken});
      more = __shfl_sync(kAllLanes, more, 0);
    }
    const Word at = rank < left ? before.next + rank : more + (rank - left);
    if (mine && at < records_.capacity) {  // the cursor tells
      const std::uint64_t index = to * records_.capacity + at;
      records_.array(0)[index] = key.tag;
      records_.array(1)[index] = key.place;
      records_.array(2)[index] = link;
    }
    __syncwarp();
    if (lane() == 0) {
      places_[to] = count > left ? Places{more + (count - left), more + kPlacesTaken}
                                 : Places{before.next + count, before.end};
    }
    __syncwarp();
  }
  __device__ void finish() {
    for (unsigned to = 0; to < records_.batches; ++to) {
      for (Word at = places_[to].next + lane(); at < places_[to].end; at += kWarp) {
        if (at < records_.capacity) records_.array(0)[to * records_.capacity + at] = 0;
      }
    }
  }

 private:
  __device__ static unsigned lane() { return threadIdx.x % kWarp; }
  const Records& records_;
  Places* places_;
};

/// One thread a class, kBlockClasses a block: keys of the device's own share are looked up, the
/// others become records.
template <unsigned Dimension>
static __global__ void __launch_bounds__(kThreads)
    extend_share(KernelTables tables, KernelLevel level, KeySet keys, KernelResult result,
                 Records records, unsigned own) {
  extern __shared__ __align__(16) Goldilocks functionals[];
  __shared__ std::uint64_t buffers[kThreads / kWarp][kLinkBuffer];
  __shared__ Outgoing::Places places[kThreads / kWarp][kMostDevices];
  load_functionals<Dimension>(tables, functionals);
  LinkBuffer links(buffers[threadIdx.x / kWarp], result);
  Outgoing outgoing(records, places[threadIdx.x / kWarp]);
  Tally tally;
  std::uint32_t comparisons = 0;
  const std::uint64_t begin = level.begin + blockIdx.x * kBlockClasses;
  const std::uint64_t end = min(level.end, begin + kBlockClasses);
  for (std::uint64_t base = begin; base < end; base += kThreads) {
    const Extended<Dimension> extended(tables, level, base, false);
    for (std::uint32_t letter = 0; letter < tables.letters; ++letter) {
      const bool tried = extended.has(letter);
      if (!__any_sync(kAllLanes, tried)) continue;
      LevelKey key;
      unsigned owner = kMostDevices;
      bool is_new = false;
      if (tried) {
        key = extended.key(functionals, letter);
        const KeyShare share = share_of(key.place, records.batches);
        owner = static_cast<unsigned>(share.owner);
        if (owner == own) {
          ++tally.candidates;
          is_new = insert(keys, {key.tag, share.place}, comparisons, result.counters);
          if (is_new) {
            ++tally.classes;
            tally.digest += digest_of(key);
          }
        }
      }
      const std::uint64_t link = extended.link(letter);
      if (result.links != nullptr) links.append(is_new, link);
      for (unsigned to = 0; to < records.batches; ++to) {
        if (to != own) outgoing.append(owner == to, to, key, link);
      }
    }
  }
  if (result.links != nullptr) links.flush();
  outgoing.finish();
  tally.comparisons = comparisons;
  tally.add_to(result.counters);
}

using ExtendShare = void (*)(KernelTables, KernelLevel, KeySet, KernelResult, Records, unsigned);

inline ExtendShare extend_share_for(unsigned qubits) {
  constexpr std::array<ExtendShare, LevelTables::kMostQubits + 1> kernels = {
      &extend_share<1>, &extend_share<2>, &extend_share<4>, &extend_share<8>, &extend_share<16>};
  return kernels[qubits];
}

/// Keys that another device found; `is_new` is the answer to each.
struct ReceivedKeys {
  const std::uint64_t* tags = nullptr;
  const std::uint64_t* places = nullptr;
  std::uint64_t size = 0;
  std::uint8_t* is_new = nullptr;
};

/// One thread a key of this device's share.
static __global__ void __launch_bounds__(kThreads)
    insert_received(ReceivedKeys received, std::uint64_t shares, KeySet keys, Counters* counters) {
  Tally tally;
  std::uint32_t comparisons = 0;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < received.size;
       i += stride) {
    // Read once: the caches are for the table.
    const LevelKey key{__ldcs(received.tags + i), __ldcs(received.places + i)};
    bool is_new = false;
    if (key.tag != 0) {
      ++tally.candidates;
      is_new = insert(keys, {key.tag, share_of(key.place, shares).place}, comparisons, counters);
    }
    received.is_new[i] = is_new ? 1 : 0;
    if (!is_new) continue;
    ++tally.classes;
    tally.digest += digest_of(key);
  }
  __syncwarp();
  tally.comparisons = comparisons;
  tally.add_to(counters);
}

/// Keeps the links of the keys that were new.
static __global__ void __launch_bounds__(kThreads)
    collect_links(const std::uint8_t* is_new, const std::uint64_t* links, std::uint64_t size,
                  KernelResult result) {
  __shared__ std::uint64_t buffers[kThreads / kWarp][kLinkBuffer];
  LinkBuffer found(buffers[threadIdx.x / kWarp], result);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t base = std::uint64_t{blockIdx.x} * kThreads; base < size; base += stride) {
    const std::uint64_t i = base + threadIdx.x;
    const bool keep = i < size && __ldcs(is_new + i) != 0;
    found.append(keep, keep ? __ldcs(links + i) : 0);
  }
  found.flush();
}

}  // namespace quartz::cuda
