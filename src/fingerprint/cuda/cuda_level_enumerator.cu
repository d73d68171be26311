#include <algorithm>
#include <array>
#include <utility>

#include "fingerprint/cuda/cuda_backend.hpp"
#include "fingerprint/cuda/device_memory.cuh"
#include "fingerprint/level_key.hpp"

namespace quartz {
namespace cuda {
namespace {

using Word = unsigned long long;  // what CUDA's atomics take
static_assert(sizeof(Word) == sizeof(std::uint64_t));

constexpr unsigned kWarp = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kAllLanes = 0xffff'ffff;
/// Links that a warp holds back until it writes them out together.
constexpr unsigned kLinkBuffer = 192;
/// Classes extended by one launch: a stop is heeded in between.
constexpr std::uint64_t kLaunch = std::uint64_t{1} << 26U;
/// A table that needs longer searches is as good as full.
constexpr unsigned kLongestSearch = 1U << 14U;
constexpr double kPreferredLoad = 0.5;
constexpr double kLargestLoad = 0.92;
/// Of the memory that is free; the rest is for what the driver needs.
constexpr double kMemoryShare = 0.97;
constexpr std::uint64_t kFewestSlots = std::uint64_t{1} << 22U;

/// Written by kernels.
struct Counters {
  Word links;
  Word classes;
  Word candidates;
  Word comparisons;
  Word digest;
  Word overflow;  ///< not 0: the table or the array of links is full
};

/// Keys of all classes found so far: open addressing, linear probing, 8 bytes a slot.
struct KeySet {
  Word* slots = nullptr;
  std::uint64_t size = 0;
};

struct KernelTables {
  LetterRows rows;
  const Goldilocks* functionals = nullptr;
  const std::uint64_t* followers = nullptr;
  std::uint32_t letters = 0;
  unsigned window = 0;
};

/// Classes of one level, or a part of them.
struct KernelLevel {
  const std::uint64_t* links = nullptr;
  const Goldilocks* parent_states = nullptr;
  Goldilocks* states = nullptr;  ///< to be written; may be null
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct KernelResult {
  std::uint64_t* links = nullptr;  ///< of the classes found; may be null
  std::uint64_t capacity = 0;
  Counters* counters = nullptr;
};

/// Whether the key was not there; it is afterwards.
__device__ bool insert(const KeySet& keys, const LevelKey& key, std::uint32_t& comparisons,
                       Counters* counters) {
  std::uint64_t slot = home_slot(key.place, keys.size);
  for (unsigned searched = 0; searched < kLongestSearch; ++searched) {
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
                           const Goldilocks* parent_states, Goldilocks (&state)[Dimension]) {
  // No letter is the identity, which stands after the letters.
  const std::uint32_t letter = min(link.letter(), tables.letters);
  const Goldilocks* parent = parent_states + link.parent * Dimension;
#pragma unroll
  for (unsigned row = 0; row < Dimension; ++row) {
    state[row] = row_times_state(tables.rows, Dimension, letter, row, parent);
  }
}

__device__ Word sum_over_warp(Word value) {
  for (unsigned offset = kWarp / 2; offset != 0; offset /= 2) {
    value += __shfl_down_sync(kAllLanes, value, offset);
  }
  return value;
}

/// New links of one warp, gathered in shared memory.
class LinkBuffer {
 public:
  __device__ LinkBuffer(std::uint64_t* buffer, const KernelResult& result)
      : buffer_(buffer), result_(result) {}

  /// By all lanes of a warp.
  __device__ void append(bool mine, const ClassLink& link) {
    const unsigned lanes = __ballot_sync(kAllLanes, mine);
    if (lanes == 0) return;
    const unsigned before = __popc(lanes & ((1U << lane()) - 1));
    if (mine) buffer_[size_ + before] = link.pack();
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

enum class Work {
  enumerate,  ///< look the keys up, insert them, and keep the links of the new classes
  form_keys,  ///< add up the keys of all extensions
};

/// One thread a class: forms its state from its parent's, then the key of each extension.
template <unsigned Dimension, Work work>
__global__ void __launch_bounds__(kThreads)
    extend_classes(KernelTables tables, KernelLevel level, KeySet keys, KernelResult result) {
  extern __shared__ Goldilocks functionals[];
  __shared__ std::uint64_t buffers[kThreads / kWarp][kLinkBuffer];
  for (unsigned i = threadIdx.x; i < tables.letters * 2 * Dimension; i += kThreads) {
    functionals[i] = tables.functionals[i];
  }
  __syncthreads();
  LinkBuffer links(buffers[threadIdx.x / kWarp], result);
  Word classes = 0;
  Word candidates = 0;
  std::uint32_t comparisons = 0;
  Word digest = 0;

  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  const std::uint64_t first =
      level.begin + std::uint64_t{blockIdx.x} * kThreads + threadIdx.x / kWarp * kWarp;
  for (std::uint64_t base = first; base < level.end; base += stride) {
    const std::uint64_t index = base + threadIdx.x % kWarp;
    const bool there = index < level.end;
    const ClassLink link = ClassLink::unpack(level.links[there ? index : base]);
    Goldilocks state[Dimension];
    form_state<Dimension>(tables, link, level.parent_states, state);
    if (there && level.states != nullptr) {
#pragma unroll
      for (unsigned i = 0; i < Dimension; ++i) level.states[index * Dimension + i] = state[i];
    }
    std::uint64_t followers = ~std::uint64_t{0};
    if constexpr (work == Work::enumerate) {
      followers = tables.followers[follower_index(link.suffix, tables.window, tables.letters)];
    }
    if (!there) followers = 0;
    for (std::uint32_t letter = 0; letter < tables.letters; ++letter) {
      const bool tried = (followers >> letter & 1U) != 0;
      if (!__any_sync(kAllLanes, tried)) continue;
      bool is_new = false;
      if (tried) {
        const LevelKey key = level_key(
            extension_quotient<Dimension>(state, functionals + letter * 2 * Dimension, Dimension));
        ++candidates;
        if constexpr (work == Work::form_keys) {
          digest += digest_of(key);
        } else {
          is_new = insert(keys, key, comparisons, result.counters);
          if (is_new) {
            ++classes;
            digest += digest_of(key);
          }
        }
      }
      if (result.links != nullptr) {
        links.append(is_new, ClassLink::extended(index, link.suffix, letter));
      }
    }
  }
  if (result.links != nullptr) links.flush();
  classes = sum_over_warp(classes);
  candidates = sum_over_warp(candidates);
  const Word all_comparisons = sum_over_warp(comparisons);
  digest = sum_over_warp(digest);
  if (threadIdx.x % kWarp == 0) {
    atomicAdd(&result.counters->classes, classes);
    atomicAdd(&result.counters->candidates, candidates);
    atomicAdd(&result.counters->comparisons, all_comparisons);
    atomicAdd(&result.counters->digest, digest);
  }
}

/// Puts the classes of a level into a fresh table.
template <unsigned Dimension>
__global__ void __launch_bounds__(kThreads)
    insert_classes(KernelTables tables, KernelLevel level, const Goldilocks* functionals,
                   KeySet keys, Counters* counters) {
  Word classes = 0;
  std::uint32_t comparisons = 0;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t index = level.begin + std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
       index < level.end; index += stride) {
    Goldilocks state[Dimension];
    form_state<Dimension>(tables, ClassLink::unpack(level.links[index]), level.parent_states,
                          state);
    const LevelKey key = level_key(extension_quotient<Dimension>(state, functionals, Dimension));
    if (insert(keys, key, comparisons, counters)) ++classes;
  }
  __syncwarp();
  classes = sum_over_warp(classes);
  if (threadIdx.x % kWarp == 0) atomicAdd(&counters->classes, classes);
}

/// The kernels for one number of qubits.
struct Kernels {
  using Extend = void (*)(KernelTables, KernelLevel, KeySet, KernelResult);
  using Insert = void (*)(KernelTables, KernelLevel, const Goldilocks*, KeySet, Counters*);
  Extend enumerate;
  Extend form_keys;
  Insert insert;
};

template <unsigned Dimension>
constexpr Kernels kernels_of_dimension() {
  return {&extend_classes<Dimension, Work::enumerate>, &extend_classes<Dimension, Work::form_keys>,
          &insert_classes<Dimension>};
}

const Kernels& kernels_for(unsigned qubits) {
  static constexpr std::array<Kernels, LevelTables::kMostQubits + 1> kernels = {
      kernels_of_dimension<1>(), kernels_of_dimension<2>(), kernels_of_dimension<4>(),
      kernels_of_dimension<8>(), kernels_of_dimension<16>()};
  return kernels[qubits];
}

/// As many blocks as run at a time.
unsigned resident_blocks(const void* kernel, std::size_t shared_bytes) {
  int device = 0;
  int processors = 0;
  int blocks = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "asking for the number of multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, shared_bytes),
        "asking for the occupancy");
  ensure(blocks > 0, "a kernel fits a multiprocessor");
  return static_cast<unsigned>(processors * blocks);
}

struct Level {
  DeviceArray<std::uint64_t> links;
  std::uint64_t size = 0;
  DeviceArray<Goldilocks> states;  ///< once it is extended, unless that was the last time
};

class CudaLevelEnumerator final : public LevelEnumerator {
 public:
  CudaLevelEnumerator(LevelTables tables, const LevelEnumeratorOptions& options)
      : stop_(options.stop),
        dimension_(tables.fingerprints.dimension()),
        letters_(static_cast<std::uint32_t>(tables.fingerprints.letters.size())),
        window_(tables.followers.window),
        rows_(tables.fingerprints),
        functionals_(std::span<const Goldilocks>(tables.fingerprints.functionals)),
        followers_(std::span<const std::uint64_t>(tables.followers.masks)),
        start_(std::span<const Goldilocks>(tables.fingerprints.probe.state)),
        counters_(1),
        kernels_(kernels_for(tables.fingerprints.qubits)) {
    std::vector<Goldilocks> identity = tables.fingerprints.probe.numerator;
    identity.insert(identity.end(), tables.fingerprints.probe.denominator.begin(),
                    tables.fingerprints.probe.denominator.end());
    identity_ = DeviceArray<Goldilocks>(std::span<const Goldilocks>(identity));
    std::size_t free = 0;
    std::size_t all = 0;
    check(cudaMemGetInfo(&free, &all), "asking for the free memory");
    memory_ = static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(free));
    if (options.memory != 0) memory_ = std::min(memory_, options.memory);
    const std::uint64_t root = ClassLink().pack();
    levels_.push_back({DeviceArray<std::uint64_t>(std::span(&root, 1)), 1, {}});
  }

  [[nodiscard]] std::string_view name() const override { return "cuda"; }

  [[nodiscard]] std::optional<LevelFigures> next(bool extended_later) override {
    const std::uint64_t expected = expected_classes();
    Level& last = levels_.back();
    const std::uint64_t capacity = extended_later ? expected : 0;
    const std::uint64_t state_elements = extended_later ? last.size * dimension_ : 0;
    const std::uint64_t arrays = (capacity + state_elements) * sizeof(std::uint64_t);
    if (!make_room_for(expected, arrays)) return std::nullopt;
    Level found{DeviceArray<std::uint64_t>(capacity), 0, {}};
    last.states = DeviceArray<Goldilocks>(state_elements);
    used_ += arrays;

    counters_.fill_with_zeros();
    Counters counters{};
    for (std::uint64_t begin = 0; begin < last.size; begin += kLaunch) {
      if (stop_.stop_requested()) throw Error("stopped while classes were counted");
      const std::uint64_t end = std::min(last.size, begin + kLaunch);
      launch(kernels_.enumerate, kernel_level(levels_.size() - 1, begin, end),
             {found.links.data(), capacity, counters_.data()});
      counters_.copy_out({&counters, 1});
      if (counters.overflow != 0) return std::nullopt;
    }
    found.size = counters.classes;
    classes_ += counters.classes;
    ensure(!extended_later || counters.links == counters.classes, "every new class has a link");
    levels_.push_back(std::move(found));
    return LevelFigures{counters.classes, counters.candidates, counters.comparisons,
                        counters.digest};
  }

  [[nodiscard]] LevelFigures form_keys() override {
    counters_.fill_with_zeros();
    KernelLevel level = kernel_level(levels_.size() - 1, 0, levels_.back().size);
    level.states = nullptr;
    launch(kernels_.form_keys, level, {nullptr, 0, counters_.data()});
    Counters counters{};
    counters_.copy_out({&counters, 1});
    return {0, counters.candidates, 0, counters.digest};
  }

 private:
  [[nodiscard]] KernelTables kernel_tables() const {
    return {rows_.view(), functionals_.data(), followers_.data(), letters_, window_};
  }
  [[nodiscard]] KernelLevel kernel_level(std::size_t level, std::uint64_t begin,
                                         std::uint64_t end) const {
    const Goldilocks* parents = level == 0 ? start_.data() : levels_[level - 1].states.data();
    return {levels_[level].links.data(), parents, levels_[level].states.data(), begin, end};
  }
  [[nodiscard]] KeySet key_set() const { return {slots_.data(), slots_.size()}; }

  void launch(Kernels::Extend kernel, const KernelLevel& level, const KernelResult& result) const {
    const std::size_t shared = functionals_.size() * sizeof(Goldilocks);
    const unsigned blocks = resident_blocks(reinterpret_cast<const void*>(kernel), shared);
    kernel<<<blocks, kThreads, shared>>>(kernel_tables(), level, key_set(), result);
    check(cudaGetLastError(), "extending classes");
  }

  /// Of the next level. The ratio of a level to the one before falls from level to level, once
  /// letters begin to repeat.
  [[nodiscard]] std::uint64_t expected_classes() const {
    const auto last = static_cast<double>(levels_.back().size);
    double ratio = letters_;
    if (levels_.size() > 2) {
      ratio = std::min(ratio, 1.05 * last / static_cast<double>(levels_.end()[-2].size));
    }
    return static_cast<std::uint64_t>(last * ratio) + 1024;
  }

  /// Whether a table for so many more classes and `arrays` bytes fit the memory.
  bool make_room_for(std::uint64_t classes, std::uint64_t arrays) {
    const auto keys = static_cast<double>(classes_ + classes);
    const auto largest = [&](double load) { return static_cast<std::uint64_t>(keys / load) + 1; };
    if (slots_.size() >= largest(kLargestLoad) && keys / slots_.size() <= 0.7 &&
        used_ + slots_.size() * sizeof(Word) + arrays <= memory_) {
      return true;
    }
    if (used_ + arrays > memory_) return false;
    const std::uint64_t room = (memory_ - used_ - arrays) / sizeof(Word);
    if (room < largest(kLargestLoad)) return false;
    const std::uint64_t wanted =
        std::max({largest(kPreferredLoad), kFewestSlots, slots_.size() * 8});
    rebuild(std::min(room, wanted));
    return true;
  }

  void rebuild(std::uint64_t slots) {
    slots_ = {};
    slots_ = DeviceArray<Word>(slots);
    slots_.fill_with_zeros();
    counters_.fill_with_zeros();
    const unsigned blocks = resident_blocks(reinterpret_cast<const void*>(kernels_.insert), 0);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      kernels_.insert<<<blocks, kThreads>>>(kernel_tables(),
                                            kernel_level(level, 0, levels_[level].size),
                                            identity_.data(), key_set(), counters_.data());
      check(cudaGetLastError(), "filling a larger table");
    }
    Counters counters{};
    counters_.copy_out({&counters, 1});
    ensure(counters.classes == classes_, "the classes of a table are all different");
  }

  std::stop_token stop_;
  std::size_t dimension_;
  std::uint32_t letters_;
  unsigned window_;
  DeviceLetterRows rows_;
  DeviceArray<Goldilocks> functionals_;
  DeviceArray<std::uint64_t> followers_;
  DeviceArray<Goldilocks> start_;
  DeviceArray<Goldilocks> identity_;
  DeviceArray<Counters> counters_;
  const Kernels& kernels_;
  std::uint64_t memory_ = 0;
  std::uint64_t used_ = 0;  ///< by the levels
  std::uint64_t classes_ = 1;
  std::vector<Level> levels_;
  DeviceArray<Word> slots_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<LevelEnumerator> make_cuda_level_enumerator(LevelTables tables,
                                                            const LevelEnumeratorOptions& options) {
  return std::make_unique<cuda::CudaLevelEnumerator>(std::move(tables), options);
}

}  // namespace quartz
