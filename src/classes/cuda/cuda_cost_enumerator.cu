#include <algorithm>
#include <array>
#include <cub/device/device_radix_sort.cuh>
#include <utility>
#include <vector>

#include "classes/cuda/cost_kernels.cuh"
#include "classes/cuda/cuda_backend.hpp"
#include "classes/cuda/device_memory.cuh"

/// Enumerates the classes of each cost on one device; class tables are made of them.
///
/// Unlike enumeration by levels this needs all extensions of each class, since each may be another
/// way to end a cheapest circuit, and the cost of a class may fall while classes are being found. A
/// slot of the table therefore contains the whole key and what is known of the class, 16 bytes, and
/// a class that waits to be extended has its state and its key, 72 bytes.
namespace quartz::classes {
namespace cuda {
namespace {

constexpr std::uint64_t kMinSlots = std::uint64_t{1} << 20U;
constexpr double kPreferredLoad = 0.5;
constexpr double kMaxLoad = 0.75;
/// Share of the free memory that is used; the driver needs the rest.
constexpr double kMemoryShare = 0.95;
/// Number of classes extended by one launch. The memory that all their extensions may need is
/// reserved before the launch.
constexpr std::uint64_t kLaunch = std::uint64_t{1} << 17U;
/// Largest number of waiting classes in a piece, unless a launch needs room for more.
constexpr std::uint64_t kPiece = std::uint64_t{1} << 25U;
/// Number of classes sorted and copied to the host at a time.
constexpr std::uint64_t kSorted = std::uint64_t{1} << 25U;

unsigned blocks_for(std::uint64_t threads) {
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>((threads + kThreads - 1) / kThreads, 1, 1U << 20U));
}

/// Some of the classes that wait to be extended.
struct Piece {
  explicit Piece(std::uint64_t capacity) : states(capacity * kCostDimension), keys(capacity) {}
  [[nodiscard]] WaitingView view() const { return {states.data(), keys.data()}; }
  DeviceArray<algebra::Goldilocks> states;
  DeviceArray<Word> keys;
  std::uint64_t size = 0;
};

/// All waiting classes of one cost.
struct Waiting {
  std::vector<Piece> pieces;
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t size = 0;
    for (const Piece& piece : pieces) size += piece.size;
    return size;
  }
};

class CudaCostEnumerator final : public CostEnumerator {
 public:
  CudaCostEnumerator(const CostTables& tables, CostEnumeratorOptions options)
      : options_(std::move(options)),
        letters_(static_cast<std::uint32_t>(tables.costs.size())),
        costs_(tables.costs),
        rows_(tables.fingerprints),
        counters_(1),
        waiting_(1) {
    const fingerprint::FingerprintTables& fingerprints = tables.fingerprints;
    ensure(fingerprints.dimension() == kCostDimension, "class tables are on three qubits");
    std::vector<algebra::Goldilocks> functionals;
    for (std::uint32_t letter = 0; letter < letters_; ++letter) {
      const auto own =
          std::span(fingerprints.functionals).subspan(letter * 2 * kCostDimension, kCostDimension);
      functionals.insert(functionals.end(), own.begin(), own.end());
    }
    functionals_ =
        DeviceArray<algebra::Goldilocks>(std::span<const algebra::Goldilocks>(functionals));
    std::vector<std::uint32_t> letter_costs(costs_.begin(), costs_.end());
    letter_costs_ = DeviceArray<std::uint32_t>(std::span<const std::uint32_t>(letter_costs));
    std::size_t free = 0;
    std::size_t all = 0;
    check(cudaMemGetInfo(&free, &all), "querying the free memory");
    memory_ = static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(free));
    if (options_.memory != 0) memory_ = std::min(memory_, options_.memory);
    slots_ = DeviceArray<CostSlot>(kMinSlots);
    slots_.fill_with_zeros();
    begin_with_identity(fingerprints.probe);
  }

  [[nodiscard]] std::uint64_t waiting(unsigned cost) const override {
    return cost < waiting_.size() ? waiting_[cost].size() : 0;
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] bool extend(unsigned cost, unsigned last) override {
    waiting_.resize(std::max<std::size_t>(waiting_.size(), last + 1));
    const Waiting parents = std::move(waiting_[cost]);
    waiting_[cost] = {};
    extending_ = &parents;
    const std::uint64_t expected = expected_classes(parents.size());
    static_cast<void>(make_room(expected, kPreferredLoad));
    for (const Piece& piece : parents.pieces) {
      for (std::uint64_t begin = 0; begin < piece.size; begin += kLaunch) {
        if (options_.stop.stop_requested()) throw Stopped("stopped while the class table was built");
        if (!extend(piece, begin, std::min(piece.size, begin + kLaunch), cost, last)) return false;
      }
    }
    extending_ = nullptr;
    last_ = parents.size();
    if (options_.on_progress) options_.on_progress(size_);
    return true;
  }

  [[nodiscard]] std::vector<std::uint64_t> count(unsigned last) const override {
    DeviceArray<Word> counts(kMaxCosts);
    counts.fill_with_zeros();
    count_costs<<<blocks_for(slots_.size()), kThreads>>>(view(), counts.data());
    check(cudaGetLastError(), "counting classes");
    std::array<Word, kMaxCosts> all{};
    counts.copy_out(all);
    std::vector<std::uint64_t> result(all.begin(), all.end());
    result.resize(last + 1);
    return result;
  }

  void for_each(const Visit& visit) override {
    waiting_.clear();
    const std::uint64_t parts = size_ / kSorted + 1;
    // Keys are evenly distributed, up to about the square root of their number.
    const std::uint64_t capacity = size_ / parts + size_ / parts / 16 + 4096;
    DeviceArray<Word> arrays[4] = {DeviceArray<Word>(capacity), DeviceArray<Word>(capacity),
                                   DeviceArray<Word>(capacity), DeviceArray<Word>(capacity)};
    std::vector<std::uint64_t> keys(capacity);
    std::vector<std::uint64_t> knowns(capacity);
    std::uint64_t visited = 0;
    for (std::uint64_t part = 0; part < parts; ++part) {
      if (options_.stop.stop_requested()) throw Stopped("stopped while the class table was built");
      const std::uint64_t size = sort_part(part, parts, arrays);
      check(cudaMemcpy(keys.data(), arrays[2].data(), size * sizeof(Word), cudaMemcpyDeviceToHost),
            "copying from the device");
      check(
          cudaMemcpy(knowns.data(), arrays[3].data(), size * sizeof(Word), cudaMemcpyDeviceToHost),
          "copying from the device");
      visit({std::span(keys).first(size), std::span(knowns).first(size)});
      visited += size;
    }
    ensure(visited == size_, "every class is visited once");
  }

 private:
  [[nodiscard]] CostTableView view() const { return {slots_.data(), slots_.size()}; }

  [[nodiscard]] CostCounters read_counters() const {
    CostCounters read{};
    counters_.copy_out({&read, 1});
    return read;
  }

  void begin_with_identity(const fingerprint::FingerprintProbe& probe) {
    algebra::GoldilocksSum sum;
    for (std::size_t i = 0; i < kCostDimension; ++i) {
      sum.add_product(probe.state[i], probe.numerator[i]);
    }
    const Word key = cost_key(sum.value());
    Piece& piece = waiting_[0].pieces.emplace_back(1);
    piece.states.copy_in(probe.state);
    piece.keys.copy_in({&key, 1});
    piece.size = 1;
    const CostSlot slot{key, CostedClasses::known(0, 0)};
    check(cudaMemcpy(slots_.data() + home_slot(key, slots_.size()), &slot, sizeof(slot),
                     cudaMemcpyHostToDevice),
          "copying to the device");
    size_ = 1;
  }

  /// Returns the expected number of new classes among the extensions of `parents` classes, from the
  /// ratio at the previous cost.
  [[nodiscard]] std::uint64_t expected_classes(std::uint64_t parents) const {
    double ratio = letters_;
    if (last_ != 0) ratio = std::min<double>(ratio, 1.1 * static_cast<double>(parents) / last_);
    return static_cast<std::uint64_t>(ratio * static_cast<double>(parents));
  }

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t classes = 0;
    const auto add = [&](const Waiting& waiting) {
      for (const Piece& piece : waiting.pieces) classes += piece.keys.size();
    };
    for (const Waiting& waiting : waiting_) add(waiting);
    if (extending_ != nullptr) add(*extending_);
    return slots_.size() * sizeof(CostSlot) + classes * kWaitingBytes;
  }

  /// Makes room in the table for `more` classes at a load of at most `load`. Returns whether the
  /// memory suffices.
  bool make_room(std::uint64_t more, double load) {
    auto slots = static_cast<std::uint64_t>(static_cast<double>(size_ + more) / load) + 1;
    if (slots <= slots_.size()) return true;
    // Both tables exist while the classes move. The table grows by half, so that it moves rarely.
    const auto fits = [&](std::uint64_t wanted) {
      return bytes() + wanted * sizeof(CostSlot) <= memory_;
    };
    if (!fits(slots)) return false;
    if (const std::uint64_t more_slots = slots_.size() / 2 * 3; fits(more_slots)) {
      slots = std::max(slots, more_slots);
    }
    DeviceArray<CostSlot> larger(slots);
    larger.fill_with_zeros();
    counters_.fill_with_zeros();
    const CostTableView target{larger.data(), larger.size()};
    move_classes<<<blocks_for(slots_.size()), kThreads>>>(view(), target, counters_.data());
    check(cudaGetLastError(), "filling a larger table");
    const CostCounters moved = read_counters();
    ensure(moved.classes == size_ && moved.overflow == 0, "all classes move to a larger table");
    slots_ = std::move(larger);
    return true;
  }

  /// Returns the piece for classes of a cost, with room for `room` of them, or null if the memory
  /// does not suffice.
  [[nodiscard]] Piece* piece_for(unsigned cost, std::uint64_t room) {
    std::vector<Piece>& pieces = waiting_[cost].pieces;
    if (!pieces.empty() && pieces.back().keys.size() - pieces.back().size >= room) {
      return &pieces.back();
    }
    const std::uint64_t capacity = std::max(room, std::min(kPiece, size_));
    if (bytes() + capacity * kWaitingBytes > memory_) return nullptr;
    return &pieces.emplace_back(capacity);
  }

  [[nodiscard]] bool extend(const Piece& parents, std::uint64_t begin, std::uint64_t end,
                            unsigned cost, unsigned last) {
    const std::uint64_t candidates = (end - begin) * letters_;
    if (!make_room(candidates, kMaxLoad)) return false;
    // Letters have at most kMaxLetterCosts different costs.
    std::vector<unsigned> reached;
    for (const unsigned letter_cost : costs_) reached.push_back(cost + letter_cost);
    std::sort(reached.begin(), reached.end());
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
    std::erase_if(reached, [&](unsigned each) { return each >= last; });
    ensure(reached.size() <= kMaxLetterCosts, "letters have few different costs");
    CostLaunch launch;
    std::array<Piece*, kMaxLetterCosts> found{};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      found[i] = piece_for(reached[i], candidates);
      if (found[i] == nullptr) return false;
      launch.found[i] = {found[i]->view(), reached[i], found[i]->size};
    }
    launch.parents = parents.view();
    launch.begin = begin;
    launch.end = end;
    launch.cost = cost;
    launch.last = last;
    counters_.fill_with_zeros();
    const CostLetters letters{rows_.view(), functionals_.data(), letter_costs_.data(), letters_};
    const std::size_t shared = functionals_.size() * sizeof(algebra::Goldilocks);
    extend_by_cost<<<blocks_for(end - begin), kThreads, shared>>>(letters, launch, view(),
                                                                  counters_.data());
    check(cudaGetLastError(), "extending classes");
    const CostCounters counters = read_counters();
    ensure(counters.overflow == 0, "there is room for all extensions");
    size_ += counters.classes;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      found[i]->size += counters.found[i];
      ensure(found[i]->size <= found[i]->keys.size(), "there is room for all classes found");
    }
    return true;
  }

  /// Sorts the classes whose keys are in this part of all keys, into the last two arrays. Returns
  /// their number.
  [[nodiscard]] std::uint64_t sort_part(std::uint64_t part, std::uint64_t parts,
                                        DeviceArray<Word> (&arrays)[4]) {
    counters_.fill_with_zeros();
    select_part<<<blocks_for(slots_.size()), kThreads>>>(view(), part, parts, arrays[0].data(),
                                                         arrays[1].data(), arrays[0].size(),
                                                         counters_.data());
    check(cudaGetLastError(), "selecting classes");
    const std::uint64_t size = read_counters().classes;
    ensure(size <= arrays[0].size(), "keys are spread evenly");
    const auto sort = [&](void* room, std::size_t& bytes) {
      check(cub::DeviceRadixSort::SortPairs(room, bytes, arrays[0].data(), arrays[2].data(),
                                            arrays[1].data(), arrays[3].data(), size),
            "sorting keys");
    };
    std::size_t bytes = 0;
    sort(nullptr, bytes);
    const DeviceArray<std::byte> room(bytes);
    sort(room.data(), bytes);
    return size;
  }

  static constexpr std::uint64_t kWaitingBytes =
      kCostDimension * sizeof(algebra::Goldilocks) + sizeof(Word);

  CostEnumeratorOptions options_;
  std::uint32_t letters_;
  std::vector<unsigned> costs_;
  DeviceLetterRows rows_;
  DeviceArray<algebra::Goldilocks> functionals_;
  DeviceArray<std::uint32_t> letter_costs_;
  DeviceArray<CostCounters> counters_;
  DeviceArray<CostSlot> slots_;
  std::uint64_t memory_ = 0;
  std::uint64_t size_ = 0;
  std::vector<Waiting> waiting_;        ///< waiting classes by cost
  const Waiting* extending_ = nullptr;  ///< the classes being extended, taken out of waiting_
  std::uint64_t last_ = 0;              ///< number of classes of the cost extended last
};

}  // namespace
}  // namespace cuda

std::unique_ptr<CostEnumerator> make_cuda_cost_enumerator(CostTables tables,
                                                          CostEnumeratorOptions options) {
  return std::make_unique<cuda::CudaCostEnumerator>(tables, std::move(options));
}

}  // namespace quartz::classes
