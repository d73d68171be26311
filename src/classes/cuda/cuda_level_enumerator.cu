#include <algorithm>
#include <array>
#include <utility>

#include "classes/backend/identity_key.hpp"
#include "classes/cuda/cuda_backend.hpp"
#include "classes/cuda/device_level_tables.cuh"
#include "classes/cuda/device_memory.cuh"
#include "classes/cuda/level_kernels.cuh"

namespace quartz::classes {
namespace cuda {
namespace {

/// Number of classes extended by one launch. Stop requests are checked between launches.
constexpr std::uint64_t kLaunch = std::uint64_t{1} << 26U;
constexpr double kPreferredLoad = 0.5;
constexpr double kAcceptedLoad = 0.7;  ///< for an existing table
constexpr double kMaxLoad = 0.92;
/// Share of the free memory that is used; the driver needs the rest.
constexpr double kMemoryShare = 0.97;
constexpr std::uint64_t kMinSlots = std::uint64_t{1} << 25U;
/// Size of a table in bytes from which keys are inserted in batches, each of which stays within a
/// part of the table of this size.
constexpr std::uint64_t kMaxWindow = std::uint64_t{32} << 30U;
/// Memory for the records of all batches together.
constexpr std::uint64_t kRecordBytes = std::uint64_t{12} << 30U;
constexpr std::uint64_t kRecordWords = 3;

struct Level {
  DeviceArray<std::uint64_t> links;
  std::uint64_t size = 0;
  DeviceArray<algebra::Goldilocks>
      states;  ///< present once the level is extended, except by the last level
};

/// The extensions of some classes, sorted into batches by the part of the table for their keys.
struct SortedRecords {
  DeviceArray<Word> cursors = DeviceArray<Word>(kMaxBatches * kCursorStride);
  DeviceArray<std::uint64_t> records;
  std::array<std::uint64_t, kMaxBatches> batch_sizes{};

  [[nodiscard]] Records view(std::uint32_t batches) const {
    return {records.data(), records.size() / kRecordWords / batches, batches, cursors.data()};
  }
  /// Reads the sizes of the batches after a kernel sorted extensions into them. Returns their sum,
  /// or nothing if a batch is too small.
  [[nodiscard]] std::optional<std::uint64_t> read_batch_sizes(const Records& view) {
    std::array<Word, kMaxBatches * kCursorStride> read{};
    cursors.copy_out(read);
    std::uint64_t sum = 0;
    for (std::uint32_t batch = 0; batch < view.batches; ++batch) {
      batch_sizes[batch] = read[batch * kCursorStride];
      if (batch_sizes[batch] > view.capacity) return std::nullopt;
      sum += batch_sizes[batch];
    }
    return sum;
  }
};

class CudaLevelEnumerator final : public LevelEnumerator {
 public:
  CudaLevelEnumerator(LevelTables tables, const LevelEnumeratorOptions& options)
      : stop_(options.stop),
        window_bytes_(options.window != 0 ? options.window : kMaxWindow),
        dimension_(tables.fingerprints.dimension()),
        tables_(tables),
        counters_(1),
        kernels_(level_kernels(tables.fingerprints.qubits)),
        extensions_per_class_(tables_.letters()) {
    const std::vector<algebra::Goldilocks> identity = identity_functionals(tables.fingerprints);
    identity_ = DeviceArray<algebra::Goldilocks>(std::span<const algebra::Goldilocks>(identity));
    std::size_t free = 0;
    std::size_t all = 0;
    check(cudaMemGetInfo(&free, &all), "querying the free memory");
    memory_ = static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(free));
    if (options.memory != 0) memory_ = std::min(memory_, options.memory);
    const std::uint64_t root = ClassLink().pack();
    levels_.push_back({DeviceArray<std::uint64_t>(std::span(&root, 1)), 1, {}});
  }

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  [[nodiscard]] std::string_view instructions() const override { return {}; }

  [[nodiscard]] std::optional<LevelFigures> next(bool extended_later) override {
    // If more classes are found than expected, the level is repeated with more room.
    for (std::uint64_t expected = expected_classes();; expected *= 2) {
      const std::uint64_t capacity = extended_later ? expected : 0;
      const std::uint64_t state_elements = extended_later ? levels_.back().size * dimension_ : 0;
      const std::uint64_t arrays = (capacity + state_elements) * sizeof(std::uint64_t);
      if (!make_room_for(expected, arrays)) return std::nullopt;
      Level found{DeviceArray<std::uint64_t>(capacity), 0, {}};
      levels_.back().states = DeviceArray<algebra::Goldilocks>(state_elements);
      counters_.fill_with_zeros();
      const KernelResult result{found.links.data(), capacity, counters_.data()};
      const Counters counters = batches() == 1 ? extend_at_once(result) : extend_in_batches(result);
      if (counters.overflow == 0) {
        found.size = counters.classes;
        used_ += arrays;
        ensure(!extended_later || counters.links == counters.classes, "every new class has a link");
        return keep(std::move(found), counters);
      }
      levels_.back().states = {};
      slots_ = {};  // the table contains some of the level's keys
    }
  }

  [[nodiscard]] LevelFigures form_keys() override {
    counters_.fill_with_zeros();
    KernelLevel level = kernel_level(levels_.size() - 1, 0, levels_.back().size);
    level.states = nullptr;
    launch(kernels_.form_keys, level, key_set(), KernelResult{nullptr, 0, counters_.data()});
    const Counters counters = read_counters();
    return {0, counters.candidates, 0, counters.digest};
  }

 private:
  LevelFigures keep(Level found, const Counters& counters) {
    classes_ += counters.classes;
    extensions_per_class_ = std::max(
        1.0, static_cast<double>(counters.candidates) / static_cast<double>(levels_.back().size));
    levels_.push_back(std::move(found));
    return {counters.classes, counters.candidates, counters.comparisons, counters.digest};
  }

  [[nodiscard]] KernelLevel kernel_level(std::size_t level, std::uint64_t begin,
                                         std::uint64_t end) const {
    const algebra::Goldilocks* parents =
        level == 0 ? tables_.start() : levels_[level - 1].states.data();
    return {levels_[level].links.data(), parents, levels_[level].states.data(), begin, end};
  }
  [[nodiscard]] KeySet key_set() const { return {slots_.data(), slots_.size()}; }
  [[nodiscard]] Counters read_counters() const {
    Counters counters{};
    counters_.copy_out({&counters, 1});
    return counters;
  }
  /// Returns the number of parts of the table into which keys are inserted one after the other.
  [[nodiscard]] std::uint32_t batches() const {
    const std::uint64_t bytes = slots_.size() * sizeof(Word);
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>((bytes + window_bytes_ - 1) / window_bytes_, kMaxBatches));
  }

  /// Launches one of the kernels that extend the classes of a level.
  template <typename Kernel, typename... Arguments>
  void launch(Kernel kernel, const KernelLevel& level, const Arguments&... arguments) const {
    const std::size_t shared = tables_.functionals_bytes();
    kernel<<<resident_blocks(kernel, shared), kThreads, shared>>>(tables_.view(), level,
                                                                  arguments...);
    check(cudaGetLastError(), "extending classes");
  }

  void heed_stop() const {
    if (stop_.stop_requested()) throw Stopped("stopped while classes were counted");
  }

  [[nodiscard]] Counters extend_at_once(const KernelResult& result) const {
    const std::uint64_t size = levels_.back().size;
    Counters counters{};
    for (std::uint64_t begin = 0; begin < size && counters.overflow == 0; begin += kLaunch) {
      heed_stop();
      const std::uint64_t end = std::min(size, begin + kLaunch);
      launch(kernels_.enumerate, kernel_level(levels_.size() - 1, begin, end), key_set(), result);
      counters = read_counters();
    }
    return counters;
  }

  [[nodiscard]] Counters extend_in_batches(const KernelResult& result) {
    const std::uint64_t size = levels_.back().size;
    const Records records = sorted_.view(batches());
    double extensions = extensions_per_class_;  // current estimate
    Counters counters{};
    for (std::uint64_t begin = 0; begin < size && counters.overflow == 0;) {
      heed_stop();
      // Batches fill evenly, up to about the square root of their size.
      const double room = 0.95 * static_cast<double>(records.capacity) * records.batches;
      auto parents = static_cast<std::uint64_t>(room / extensions / 1.05);
      ensure(parents != 0, "there is room for the extensions of a class");
      const std::uint64_t end = std::min(size, begin + parents);
      const std::optional<std::uint64_t> sorted = sort(records, begin, end);
      if (!sorted) {
        extensions *= 2;
        continue;
      }
      extensions = std::max(1.0, static_cast<double>(*sorted) / static_cast<double>(end - begin));
      const unsigned blocks = resident_blocks(&insert_records, 0);
      for (std::uint32_t batch = 0; batch < records.batches; ++batch) {
        insert_records<<<blocks, kThreads>>>(records, batch, sorted_.batch_sizes[batch], key_set(),
                                             result);
        check(cudaGetLastError(), "inserting keys");
      }
      counters = read_counters();
      begin = end;
    }
    return counters;
  }

  /// Sorts the extensions of some classes of the last level into batches. Returns their number, or
  /// nothing if a batch is too small.
  [[nodiscard]] std::optional<std::uint64_t> sort(const Records& records, std::uint64_t begin,
                                                  std::uint64_t end) {
    sorted_.cursors.fill_with_zeros();
    launch(kernels_.sort, kernel_level(levels_.size() - 1, begin, end), records);
    return sorted_.read_batch_sizes(records);
  }

  /// Returns the expected number of classes of the next level. The ratio of a level to the one
  /// before falls from level to level once letters begin to repeat.
  [[nodiscard]] std::uint64_t expected_classes() const {
    const auto last = static_cast<double>(levels_.back().size);
    double ratio = tables_.letters();
    if (levels_.size() > 2) {
      ratio = std::min(ratio, 1.05 * last / static_cast<double>(levels_.end()[-2].size));
    }
    return static_cast<std::uint64_t>(last * ratio) + 1024;
  }

  /// Makes room for a table with `classes` more classes beside `arrays` bytes. Returns whether the
  /// memory suffices.
  bool make_room_for(std::uint64_t classes, std::uint64_t arrays) {
    const auto keys = static_cast<double>(classes_ + classes);
    const auto slots_at = [&](double load) { return static_cast<std::uint64_t>(keys / load) + 1; };
    const std::uint64_t others = used_ + sorted_.records.size() * sizeof(std::uint64_t) + arrays;
    if (slots_.size() >= slots_at(kAcceptedLoad) &&
        others + slots_.size() * sizeof(Word) <= memory_) {
      return true;
    }
    if (others > memory_) return false;
    std::uint64_t room = (memory_ - others) / sizeof(Word);
    const std::uint64_t wanted = std::max(slots_at(kPreferredLoad), kMinSlots);
    slots_ = {};
    if (sorted_.records.size() == 0 && std::min(room, wanted) * sizeof(Word) > window_bytes_) {
      const std::uint64_t bytes = std::min(kRecordBytes, room * sizeof(Word) / 8);
      sorted_.records = DeviceArray<std::uint64_t>(bytes / sizeof(std::uint64_t));
      room -= bytes / sizeof(Word);
    }
    if (room < slots_at(kMaxLoad)) return false;
    rebuild(std::min(room, wanted));
    return true;
  }

  /// Makes a larger table with all classes found so far.
  void rebuild(std::uint64_t slots) {
    slots_ = DeviceArray<Word>(slots);
    slots_.fill_with_zeros();
    counters_.fill_with_zeros();
    const unsigned blocks = resident_blocks(kernels_.insert, 0);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      kernels_.insert<<<blocks, kThreads>>>(tables_.view(),
                                            kernel_level(level, 0, levels_[level].size),
                                            identity_.data(), key_set(), counters_.data());
      check(cudaGetLastError(), "filling a larger table");
    }
    ensure(read_counters().classes == classes_, "the classes of a table are all different");
  }

  std::stop_token stop_;
  std::uint64_t window_bytes_;
  std::size_t dimension_;
  DeviceLevelTables tables_;
  DeviceArray<algebra::Goldilocks> identity_;
  DeviceArray<Counters> counters_;
  SortedRecords sorted_;
  const LevelKernels& kernels_;
  double extensions_per_class_;  ///< looked up when the last level was extended
  std::uint64_t memory_ = 0;
  std::uint64_t used_ = 0;  ///< bytes used by the levels
  std::uint64_t classes_ = 1;
  std::vector<Level> levels_;
  DeviceArray<Word> slots_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<LevelEnumerator> make_cuda_level_enumerator(LevelTables tables,
                                                            const LevelEnumeratorOptions& options) {
  if (options.devices != 0) return make_cuda_sharded_enumerator(std::move(tables), options);
  return std::make_unique<cuda::CudaLevelEnumerator>(std::move(tables), options);
}

}  // namespace quartz::classes
