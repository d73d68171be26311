#pragma once

#include <array>
#include <cstdint>

#include "classes/backend/level_enumerator.hpp"
#include "classes/backend/level_key.hpp"
#include "classes/cuda/device_memory.cuh"

/// The kernels of enumeration by levels.
///
/// There are two ways from one level to the next. If the table of keys is small, one kernel forms
/// the keys of all extensions and inserts them. If it is large, a random access is limited by
/// address translation rather than by the memory: the keys are then first sorted, as records, into
/// batches by their places, and each batch stays within a few gigabytes of the table.
namespace quartz::classes::cuda {

using Word = unsigned long long;  // the type of CUDA's atomic functions
static_assert(sizeof(Word) == sizeof(std::uint64_t));

constexpr unsigned kWarp = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kAllLanes = 0xffff'ffff;
/// Number of links that a warp collects before it writes them out together.
constexpr unsigned kLinkBuffer = 192;
/// Longest probe sequence: a table that needs a longer one counts as full.
constexpr unsigned kMaxProbeLength = 1U << 14U;
/// Number of letters whose keys a thread sorts into batches at a time.
constexpr unsigned kSortedLetters = 4;
constexpr unsigned kMaxBatches = 128;
/// Words between two cursors, so that they lie in different cache lines.
constexpr unsigned kCursorStride = 16;

/// Written by kernels.
struct Counters {
  Word links;
  Word classes;
  Word candidates;
  Word comparisons;
  Word digest;
  Word overflow;  ///< not 0 if the table or the array of links is full
};

/// Keys of all classes found so far: open addressing, linear probing, 8 bytes for each slot.
struct KeySet {
  Word* slots = nullptr;
  std::uint64_t size = 0;
};

struct KernelTables {
  LetterRows rows;
  const algebra::Goldilocks* functionals = nullptr;
  const std::uint64_t* followers = nullptr;
  std::uint32_t letters = 0;
  unsigned window = 0;
};

/// Classes of one level, or a part of them.
struct KernelLevel {
  const std::uint64_t* links = nullptr;
  const algebra::Goldilocks* parent_states = nullptr;
  algebra::Goldilocks* states = nullptr;  ///< output; may be null
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct KernelResult {
  std::uint64_t* links = nullptr;  ///< links of the classes found; may be null
  std::uint64_t capacity = 0;
  Counters* counters = nullptr;
};

/// Extensions to be looked up, in batches by their places: first the array of the tags, then that
/// of the places, then that of the links.
struct Records {
  std::uint64_t* words = nullptr;
  std::uint64_t capacity = 0;  ///< capacity of each batch
  std::uint32_t batches = 0;
  Word* cursors = nullptr;  ///< one for each batch, kCursorStride apart

  [[nodiscard]] QUARTZ_HOST_DEVICE std::uint64_t* array(unsigned which) const {
    return words + which * batches * capacity;
  }
};

/// Inserts a key and returns whether it is new.
__device__ inline bool insert(const KeySet& keys, const LevelKey& key, std::uint32_t& comparisons,
                              Counters* counters) {
  std::uint64_t slot = home_slot(key.place, keys.size);
  for (unsigned searched = 0; searched < kMaxProbeLength; ++searched) {
    Word there = __ldcg(keys.slots + slot);  // other threads' insertions are in the L2 cache
    if (there == 0) {
      there = atomicCAS(keys.slots + slot, Word{0}, Word{key.tag});
      if (there == 0) return true;
    }
    ++comparisons;
    if (there == key.tag) return false;
    if (++slot == keys.size) slot = 0;
  }
  atomicAdd(&counters->overflow, Word{1});
  return false;
}

template <unsigned Dimension>
__device__ void form_state(const KernelTables& tables, const ClassLink& link,
                           const algebra::Goldilocks* parent_states,
                           algebra::Goldilocks (&state)[Dimension]) {
  // Without a last letter the matrix is the identity, which follows the letters.
  const std::uint32_t letter = min(link.letter(), tables.letters);
  const algebra::Goldilocks* parent = parent_states + link.parent * Dimension;
#pragma unroll
  for (unsigned row = 0; row < Dimension; ++row) {
    state[row] = row_times_state(tables.rows, Dimension, letter, row, parent);
  }
}

__device__ inline Word sum_over_warp(Word value) {
  for (unsigned offset = kWarp / 2; offset != 0; offset /= 2) {
    value += __shfl_down_sync(kAllLanes, value, offset);
  }
  return value;
}

/// Counts of one thread.
struct Tally {
  Word classes = 0;
  Word candidates = 0;
  Word comparisons = 0;
  Word digest = 0;

  /// Must be called by all lanes of a warp.
  __device__ void add_to(Counters* counters) const {
    const Word sums[] = {sum_over_warp(classes), sum_over_warp(candidates),
                         sum_over_warp(comparisons), sum_over_warp(digest)};
    if (threadIdx.x % kWarp != 0) return;
    atomicAdd(&counters->classes, sums[0]);
    atomicAdd(&counters->candidates, sums[1]);
    atomicAdd(&counters->comparisons, sums[2]);
    atomicAdd(&counters->digest, sums[3]);
  }
};

/// New links of one warp, collected in shared memory.
class LinkBuffer {
 public:
  __device__ LinkBuffer(std::uint64_t* buffer, const KernelResult& result)
      : buffer_(buffer), result_(result) {}

  /// Must be called by all lanes of a warp.
  __device__ void append(bool mine, std::uint64_t link) {
    const unsigned lanes = __ballot_sync(kAllLanes, mine);
    if (lanes == 0) return;
    const unsigned before = __popc(lanes & ((1U << lane()) - 1));
    if (mine) buffer_[size_ + before] = link;
    size_ += __popc(lanes);
    if (size_ > kLinkBuffer - kWarp) flush();
  }
  __device__ void flush() {
    __syncwarp();
    Word begin = 0;
    if (lane() == 0 && size_ != 0) begin = atomicAdd(&result_.counters->links, Word{size_});
    begin = __shfl_sync(kAllLanes, begin, 0);
    for (unsigned i = lane(); i < size_; i += kWarp) {
      if (begin + i < result_.capacity) {
        result_.links[begin + i] = buffer_[i];
      } else {
        atomicAdd(&result_.counters->overflow, Word{1});
      }
    }
    __syncwarp();
    size_ = 0;
  }

 private:
  __device__ static unsigned lane() { return threadIdx.x % kWarp; }
  std::uint64_t* buffer_;
  const KernelResult& result_;
  unsigned size_ = 0;
};

/// A class being extended, one for each thread.
template <unsigned Dimension>
struct Extended {
  bool there = false;
  std::uint64_t index = 0;
  std::uint32_t suffix = 0;
  std::uint64_t followers = 0;  ///< 0 if the class does not exist
  algebra::Goldilocks state[Dimension];

  /// Forms the class of this thread, if `base` is the first class of its block. `all`: tries every
  /// letter, regardless of the masks.
  __device__ Extended(const KernelTables& tables, const KernelLevel& level, std::uint64_t base,
                      bool all) {
    index = base + threadIdx.x;
    there = index < level.end;
    const ClassLink link = ClassLink::unpack(level.links[there ? index : base]);
    suffix = link.suffix;
    form_state<Dimension>(tables, link, level.parent_states, state);
    if (!there) return;
    if (level.states != nullptr) {
#pragma unroll
      for (unsigned i = 0; i < Dimension; ++i) level.states[index * Dimension + i] = state[i];
    }
    followers = all ? ~std::uint64_t{0}
                    : tables.followers[follower_index(suffix, tables.window, tables.letters)];
  }
  [[nodiscard]] __device__ bool has(std::uint32_t letter) const {
    return (followers >> letter & 1U) != 0;
  }
  [[nodiscard]] __device__ LevelKey key(const algebra::Goldilocks* functionals,
                                        std::uint32_t letter) const {
    return level_key(
        extension_quotient<Dimension>(state, functionals + letter * 2 * Dimension, Dimension));
  }
  [[nodiscard]] __device__ std::uint64_t link(std::uint32_t letter) const {
    return ClassLink::extended(index, suffix, letter).pack();
  }
};

/// Loads the functionals of all letters into shared memory. Must be called by all threads of a
/// block.
template <unsigned Dimension>
__device__ void load_functionals(const KernelTables& tables, algebra::Goldilocks* functionals) {
  for (unsigned i = threadIdx.x; i < tables.letters * 2 * Dimension; i += kThreads) {
    functionals[i] = tables.functionals[i];
  }
  __syncthreads();
}

enum class Work {
  enumerate,  ///< look the keys up, insert them, and keep the links of the new classes
  form_keys,  ///< add up the keys of all extensions
};

/// One thread for each class: forms its state from its parent's, then the key of each extension.
template <unsigned Dimension, Work work>
__global__ void __launch_bounds__(kThreads)
    extend_classes(KernelTables tables, KernelLevel level, KeySet keys, KernelResult result) {
  extern __shared__ __align__(16) algebra::Goldilocks functionals[];
  __shared__ std::uint64_t buffers[kThreads / kWarp][kLinkBuffer];
  load_functionals<Dimension>(tables, functionals);
  LinkBuffer links(buffers[threadIdx.x / kWarp], result);
  Tally tally;
  std::uint32_t comparisons = 0;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t base = level.begin + std::uint64_t{blockIdx.x} * kThreads; base < level.end;
       base += stride) {
    const Extended<Dimension> extended(tables, level, base, work == Work::form_keys);
    for (std::uint32_t letter = 0; letter < tables.letters; ++letter) {
      const bool tried = extended.has(letter);
      if (!__any_sync(kAllLanes, tried)) continue;
      bool is_new = false;
      if (tried) {
        const LevelKey key = extended.key(functionals, letter);
        ++tally.candidates;
        if constexpr (work == Work::enumerate)
          is_new = insert(keys, key, comparisons, result.counters);
        if (is_new) ++tally.classes;
        if (is_new || work == Work::form_keys) tally.digest += digest_of(key);
      }
      if (result.links != nullptr) links.append(is_new, extended.link(letter));
    }
  }
  if (result.links != nullptr) links.flush();
  tally.comparisons = comparisons;
  tally.add_to(result.counters);
}

/// One thread for each class: sorts the keys of its extensions into batches.
template <unsigned Dimension>
__global__ void __launch_bounds__(kThreads)
    sort_extensions(KernelTables tables, KernelLevel level, Records records) {
  extern __shared__ __align__(16) algebra::Goldilocks functionals[];
  __shared__ unsigned sizes[kMaxBatches];  // sizes of this block's parts of the batches
  __shared__ Word begins[kMaxBatches];
  if (threadIdx.x < kMaxBatches) sizes[threadIdx.x] = 0;
  load_functionals<Dimension>(tables, functionals);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t base = level.begin + std::uint64_t{blockIdx.x} * kThreads; base < level.end;
       base += stride) {
    const Extended<Dimension> extended(tables, level, base, false);
    for (std::uint32_t first = 0; first < tables.letters; first += kSortedLetters) {
      LevelKey keys[kSortedLetters];
      unsigned ranks[kSortedLetters];
#pragma unroll
      for (unsigned i = 0; i < kSortedLetters; ++i) {
        if (first + i >= tables.letters || !extended.has(first + i)) continue;
        keys[i] = extended.key(functionals, first + i);
        ranks[i] = atomicAdd(&sizes[home_slot(keys[i].place, records.batches)], 1U);
      }
      __syncthreads();
      if (threadIdx.x < records.batches) {
        const unsigned size = sizes[threadIdx.x];
        if (size != 0) {
          begins[threadIdx.x] =
              atomicAdd(records.cursors + threadIdx.x * kCursorStride, Word{size});
        }
        sizes[threadIdx.x] = 0;
      }
      __syncthreads();
#pragma unroll
      for (unsigned i = 0; i < kSortedLetters; ++i) {
        if (first + i >= tables.letters || !extended.has(first + i)) continue;
        const std::uint64_t batch = home_slot(keys[i].place, records.batches);
        const std::uint64_t at = begins[batch] + ranks[i];
        if (at >= records.capacity) continue;  // the cursor reports the overflow
        records.array(0)[batch * records.capacity + at] = keys[i].tag;
        records.array(1)[batch * records.capacity + at] = keys[i].place;
        records.array(2)[batch * records.capacity + at] = extended.link(first + i);
      }
    }
  }
}

/// One thread for each record of a batch. Static because two files include this kernel, and CUDA
/// has no inline kernels.
static __global__ void __launch_bounds__(kThreads)
    insert_records(Records records, std::uint64_t batch, std::uint64_t size, KeySet keys,
                   KernelResult result) {
  __shared__ std::uint64_t buffers[kThreads / kWarp][kLinkBuffer];
  LinkBuffer links(buffers[threadIdx.x / kWarp], result);
  Tally tally;
  std::uint32_t comparisons = 0;
  const std::uint64_t first = batch * records.capacity;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t base = std::uint64_t{blockIdx.x} * kThreads; base < size; base += stride) {
    const std::uint64_t index = base + threadIdx.x;
    bool is_new = false;
    if (index < size) {
      // Each record is read only once; the caches are left to the table.
      const LevelKey key{__ldcs(records.array(0) + first + index),
                         __ldcs(records.array(1) + first + index)};
      ++tally.candidates;
      is_new = insert(keys, key, comparisons, result.counters);
      if (is_new) {
        ++tally.classes;
        tally.digest += digest_of(key);
      }
    }
    if (result.links != nullptr) {
      links.append(is_new, is_new ? __ldcs(records.array(2) + first + index) : 0);
    }
  }
  if (result.links != nullptr) links.flush();
  tally.comparisons = comparisons;
  tally.add_to(result.counters);
}

/// Inserts the classes of a level into a new table.
template <unsigned Dimension>
__global__ void __launch_bounds__(kThreads)
    insert_classes(KernelTables tables, KernelLevel level, const algebra::Goldilocks* functionals,
                   KeySet keys, Counters* counters) {
  Tally tally;
  std::uint32_t comparisons = 0;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t index = level.begin + std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
       index < level.end; index += stride) {
    algebra::Goldilocks state[Dimension];
    form_state<Dimension>(tables, ClassLink::unpack(level.links[index]), level.parent_states,
                          state);
    const LevelKey key = level_key(extension_quotient<Dimension>(state, functionals, Dimension));
    if (insert(keys, key, comparisons, counters)) ++tally.classes;
  }
  __syncwarp();
  tally.add_to(counters);
}

/// The kernels for one number of qubits.
struct LevelKernels {
  using Extend = void (*)(KernelTables, KernelLevel, KeySet, KernelResult);
  using Sort = void (*)(KernelTables, KernelLevel, Records);
  using Insert = void (*)(KernelTables, KernelLevel, const algebra::Goldilocks*, KeySet, Counters*);
  Extend enumerate;
  Extend form_keys;
  Sort sort;
  Insert insert;
};

template <unsigned Dimension>
constexpr LevelKernels level_kernels_of_dimension() {
  return {&extend_classes<Dimension, Work::enumerate>, &extend_classes<Dimension, Work::form_keys>,
          &sort_extensions<Dimension>, &insert_classes<Dimension>};
}

inline const LevelKernels& level_kernels(unsigned qubits) {
  static constexpr std::array<LevelKernels, LevelTables::kMaxQubits + 1> kernels = {
      level_kernels_of_dimension<1>(), level_kernels_of_dimension<2>(),
      level_kernels_of_dimension<4>(), level_kernels_of_dimension<8>(),
      level_kernels_of_dimension<16>()};
  return kernels[qubits];
}

/// Returns the number of blocks that run at the same time on the current device.
template <typename Kernel>
[[nodiscard]] unsigned resident_blocks(Kernel kernel, std::size_t shared_bytes) {
  int device = 0;
  int processors = 0;
  int blocks = 0;
  check(cudaGetDevice(&device), "querying the current device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "querying the number of multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, shared_bytes),
        "querying the occupancy");
  ensure(blocks > 0, "a kernel fits a multiprocessor");
  return static_cast<unsigned>(processors * blocks);
}

}  // namespace quartz::classes::cuda
