#pragma once

#include <array>
#include <cstdint>

#include "classes/cuda/level_kernels.cuh"

/// The kernels used by several devices in addition to those in level_kernels.cuh.
namespace quartz::classes::cuda {

constexpr unsigned kMaxDevices = 16;
static_assert(kMaxDevices <= kWarp);

/// Number of places that a warp reserves at a time for its keys for one device. Places left over
/// get the tag 0, which no key has.
constexpr unsigned kPlacesTaken = 64;
/// Number of records to prefetch into the L2 cache ahead of those being read.
constexpr unsigned kFetchedAhead = 64;
/// Returns the number of blocks of extend_share that a multiprocessor should hold, which limits
/// their registers.
constexpr unsigned share_blocks(unsigned dimension) { return dimension <= 8 ? 4 : 3; }

/// Keys of extensions on their way to the devices that own them: tag and place in one word of 16
/// bytes. The links are stored separately and stay on this device.
struct Outgoing {
  ulonglong2* keys[kMaxDevices] = {};  ///< for each device
  std::uint64_t* links = nullptr;      ///< device after device; null if no links are kept
  std::uint32_t capacity = 0;          ///< for each device
  std::uint32_t devices = 0;
  std::uint32_t own = 0;    ///< number of this device
  Word* cursors = nullptr;  ///< one for each device, kCursorStride apart
};

/// Keys of this device's share that other devices found.
struct Incoming {
  const ulonglong2* keys = nullptr;  ///< device after device
  std::uint8_t* is_new = nullptr;    ///< whether each key is new; null if no answer is needed
  std::uint32_t capacity = 0;        ///< for each device
  std::uint32_t devices = 0;
  std::uint32_t own = 0;  ///< number of this device
  std::uint32_t counts[kMaxDevices] = {};
};

__device__ inline unsigned lane_in_warp() { return threadIdx.x % kWarp; }
/// Returns the number of set lanes before this one.
__device__ inline unsigned rank_among(unsigned lanes) {
  return __popc(lanes & ((1U << lane_in_warp()) - 1));
}

/// Writes a warp's keys for other devices. Lane i keeps the reserved places for device i.
class KeySender {
 public:
  __device__ explicit KeySender(const Outgoing& outgoing) : outgoing_(outgoing) {}

  /// Must be called by all lanes. Lanes without a key to send pass `outgoing.devices`.
  __device__ void send(unsigned to, const LevelKey& key, std::uint64_t link) {
    unsigned together = 0;  // lanes whose keys go to the same device as this lane's key
    unsigned wanted = 0;
    for (unsigned device = 0; device < outgoing_.devices; ++device) {
      const unsigned lanes = __ballot_sync(kAllLanes, to == device);
      if (to == device) together = lanes;
      if (lane_in_warp() == device) wanted = __popc(lanes);
    }
    const unsigned left = end_ - next_;
    unsigned more = 0;
    if (wanted > left) {
      more = static_cast<unsigned>(
          atomicAdd(outgoing_.cursors + lane_in_warp() * kCursorStride, Word{kPlacesTaken}));
    }
    const unsigned keeper = to < outgoing_.devices ? to : 0;
    const unsigned keepers_next = __shfl_sync(kAllLanes, next_, keeper);
    const unsigned keepers_left = __shfl_sync(kAllLanes, left, keeper);
    const unsigned keepers_more = __shfl_sync(kAllLanes, more, keeper);
    const unsigned rank = rank_among(together);
    const unsigned at =
        rank < keepers_left ? keepers_next + rank : keepers_more + (rank - keepers_left);
    if (to < outgoing_.devices && at < outgoing_.capacity) {  // the cursor reports an overflow
      __stcs(outgoing_.keys[to] + at, make_ulonglong2(key.tag, key.place));
      if (outgoing_.links != nullptr) {
        __stcs(
            reinterpret_cast<Word*>(outgoing_.links) + std::uint64_t{to} * outgoing_.capacity + at,
            Word{link});
      }
    }
    next_ = wanted > left ? more + (wanted - left) : next_ + wanted;
    end_ = wanted > left ? more + kPlacesTaken : end_;
  }

  /// Marks the reserved places that are left over as empty. Must be called by all lanes.
  __device__ void finish() const {
    for (unsigned device = 0; device < outgoing_.devices; ++device) {
      const unsigned next = __shfl_sync(kAllLanes, next_, device);
      const unsigned end = min(__shfl_sync(kAllLanes, end_, device), outgoing_.capacity);
      for (unsigned at = next + lane_in_warp(); at < end; at += kWarp) {
        outgoing_.keys[device][at] = make_ulonglong2(0, 0);
      }
    }
  }

 private:
  const Outgoing& outgoing_;
  std::uint32_t next_ = 0;
  std::uint32_t end_ = 0;
};

/// Distributes a warp's part of the incoming keys over its lanes.
class KeyReceiver {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  __device__ explicit KeyReceiver(const Incoming& incoming) : incoming_(incoming) { find_next(); }

  /// Gives free lanes a key, as long as there are any, and returns its index or kNone. Must be
  /// called by all lanes.
  __device__ std::uint32_t take(bool free, LevelKey& key) {
    const unsigned lanes = __ballot_sync(kAllLanes, free);
    const std::uint32_t at = next_ + rank_among(lanes);
    const bool got = free && at < end_;
    if (got) {
      // Each key is read only once; the caches are left to the table.
      const ulonglong2 words = __ldcs(incoming_.keys + at);
      key = {words.x, words.y};
    }
    next_ = min(next_ + __popc(lanes), end_);
    if (next_ == end_) find_next();
    const std::uint32_t ahead = next_ + kFetchedAhead + lane_in_warp();
    if (ahead < end_) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(incoming_.keys + ahead));
    }
    return got ? at : kNone;
  }
  [[nodiscard]] __device__ bool any_left() const { return next_ != end_; }

 private:
  /// Finds this warp's part of the keys from the next device that sent any. Each receiver begins
  /// with the device after its own: the device whose keys are looked up first finds most of the
  /// classes, and has most to extend in the next level.
  __device__ void find_next() {
    const std::uint64_t warps = std::uint64_t{gridDim.x} * (kThreads / kWarp);
    const std::uint64_t warp = std::uint64_t{blockIdx.x} * (kThreads / kWarp) + threadIdx.x / kWarp;
    while (next_ == end_ && step_ < incoming_.devices) {
      const std::uint32_t from = (incoming_.own + step_) % incoming_.devices;
      const std::uint64_t count = incoming_.counts[from];
      const std::uint32_t first = from * incoming_.capacity;
      next_ = first + static_cast<std::uint32_t>(count * warp / warps);
      end_ = first + static_cast<std::uint32_t>(count * (warp + 1) / warps);
      ++step_;
    }
  }

  const Incoming& incoming_;
  std::uint32_t step_ = 1;
  std::uint32_t next_ = 0;
  std::uint32_t end_ = 0;
};

/// Looks up keys of the device's own share for one thread, and counts what it finds.
class ShareLookUp {
 public:
  __device__ ShareLookUp(const KeySet& keys, Counters* counters, const Outgoing& outgoing,
                         const Incoming& incoming)
      : keys_(keys), counters_(counters), outgoing_(outgoing), incoming_(incoming) {}

  /// Returns whether the lane has a key and the key is new. `received` is its index if another
  /// device sent it, which gets the answer.
  __device__ bool look_up(bool has_key, const LevelKey& key, std::uint32_t received) {
    bool is_new = false;
    if (has_key && key.tag != 0) {
      ++tally_.candidates;
      const KeyShare share = share_of(key.place, outgoing_.devices);
      is_new = insert(keys_, {key.tag, share.place}, comparisons_, counters_);
      if (is_new) {
        ++tally_.classes;
        tally_.digest += digest_of(key);
      }
    }
    if (received != KeyReceiver::kNone && incoming_.is_new != nullptr) {
      incoming_.is_new[received] = is_new ? 1 : 0;
    }
    return is_new;
  }

  /// Adds this thread's counts to the counters. Must be called by all lanes.
  __device__ void finish() {
    tally_.comparisons = comparisons_;
    tally_.add_to(counters_);
  }

 private:
  const KeySet& keys_;
  Counters* counters_;
  const Outgoing& outgoing_;
  const Incoming& incoming_;
  Tally tally_;
  std::uint32_t comparisons_ = 0;
};

/// One thread for each class. Keys of the device's own share are looked up, the others are sent. A
/// lane whose key was sent, or that had no key, looks up a received one instead: as on one device,
/// every lane waits for the table while other warps do arithmetic.
template <unsigned Dimension>
static __global__ void __launch_bounds__(kThreads, share_blocks(Dimension))
    extend_share(KernelTables tables, KernelLevel level, KeySet keys, KernelResult result,
                 const __grid_constant__ Outgoing outgoing,
                 const __grid_constant__ Incoming incoming) {
  extern __shared__ __align__(16) algebra::Goldilocks functionals[];
  __shared__ std::uint64_t buffers[kThreads / kWarp][kLinkBuffer];
  load_functionals<Dimension>(tables, functionals);
  LinkBuffer links(buffers[threadIdx.x / kWarp], result);
  KeySender sender(outgoing);
  KeyReceiver receiver(incoming);
  ShareLookUp share(keys, result.counters, outgoing, incoming);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t base = level.begin + std::uint64_t{blockIdx.x} * kThreads; base < level.end;
       base += stride) {
    const Extended<Dimension> extended(tables, level, base, false);
    for (std::uint32_t letter = 0; letter < tables.letters; ++letter) {
      const bool tried = extended.has(letter);
      if (!__any_sync(kAllLanes, tried)) continue;
      LevelKey key;
      unsigned to = outgoing.devices;
      if (tried) {
        key = extended.key(functionals, letter);
        to = static_cast<unsigned>(share_of(key.place, outgoing.devices).owner);
      }
      const bool own = to == outgoing.own;
      const std::uint64_t link = extended.link(letter);
      sender.send(own ? outgoing.devices : to, key, link);
      const std::uint32_t received = receiver.take(!own, key);
      const bool is_new = share.look_up(own || received != KeyReceiver::kNone, key, received);
      if (result.links != nullptr) links.append(own && is_new, link);
    }
  }
  if (result.links != nullptr) links.flush();
  sender.finish();
  while (receiver.any_left()) {
    LevelKey key;
    const std::uint32_t received = receiver.take(true, key);
    share.look_up(received != KeyReceiver::kNone, key, received);
  }
  __syncwarp();
  share.finish();
}

using ExtendShare = void (*)(KernelTables, KernelLevel, KeySet, KernelResult, Outgoing, Incoming);

inline ExtendShare extend_share_for(unsigned qubits) {
  constexpr std::array<ExtendShare, LevelTables::kMaxQubits + 1> kernels = {
      &extend_share<1>, &extend_share<2>, &extend_share<4>, &extend_share<8>, &extend_share<16>};
  return kernels[qubits];
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

}  // namespace quartz::classes::cuda
