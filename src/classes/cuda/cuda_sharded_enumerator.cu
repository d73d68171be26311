#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "classes/backend/identity_key.hpp"
#include "classes/cuda/cuda_backend.hpp"
#include "classes/cuda/device_level_tables.cuh"
#include "classes/cuda/device_memory.cuh"
#include "classes/cuda/exchange_kernels.cuh"
#include "classes/cuda/level_kernels.cuh"

/// Enumeration by levels on several devices of one host.
///
/// Each device has a share of the keys, determined by their places (share_of), and a table for it.
/// A class belongs to the device that found it, which keeps its link and later extends it. Only
/// keys are sent, 16 bytes each, and one byte comes back that says whether the key was new. The
/// devices work in rounds. In round r one kernel forms the keys of the extensions of some classes,
/// looks up those of its own share and writes the others to the memory of their devices; in their
/// place it looks up the keys that the others wrote to this device in round r - 2. Two rounds later
/// the answers have arrived, and the links of the new classes are kept. Two rounds are in progress
/// at a time: one begins where the other runs out of work. Devices that cannot access each other's
/// memory copy the keys while round r - 1 is in progress. The first levels are found by the first
/// device and then distributed.
namespace quartz::classes {
namespace cuda {
namespace {

/// Number of keys that a device forms in a round.
constexpr std::uint64_t kRoundKeys = std::uint64_t{1} << 26U;
/// Number of rounds until keys are looked up; the answers take as many again.
constexpr unsigned kLag = 2;
/// Number of rounds until the buffers of one are reused.
constexpr unsigned kRounds = 2 * kLag;
/// Number of rounds whose kernels may run at a time. The host starts a round when all
/// kernels of the round kLag before it are done, so this number is at most kLag.
constexpr unsigned kStreams = 2;
static_assert(kStreams <= kLag && kRounds % kStreams == 0);
/// Up to this number of keys formed in a round, the buffers have room for all of them on one
/// device. Beyond it they have room for the expected part, and a round that exceeds it is repeated.
constexpr std::uint64_t kFewKeys = std::uint64_t{1} << 20U;
/// Number of classes from which a level is distributed over the devices.
constexpr std::uint64_t kDealt = std::uint64_t{1} << 16U;
constexpr double kPreferredLoad = 0.5;
constexpr double kAcceptedLoad = 0.7;  ///< for an existing table
constexpr double kMaxLoad = 0.85;
constexpr double kMemoryShare = 0.95;
/// Largest share of the memory used for rounds, and share of the remaining memory for the table.
constexpr double kRoundsShare = 0.25;
constexpr double kTableShare = 0.5;
constexpr std::uint64_t kMinSlots = std::uint64_t{1} << 22U;
/// Number of slots, 16 GiB, that a table to which more levels will be added gets at once. Look-ups
/// in it take no longer than in a smaller one, and rebuilding it for each level would take longer
/// than clearing it.
constexpr std::uint64_t kForesightSlots = std::uint64_t{1} << 31U;
constexpr unsigned kKeysPerThread = 4;

void use(int device) { check(cudaSetDevice(device), "selecting a device"); }

/// CUDA stream on the current device (RAII).
class Stream {
 public:
  Stream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  [[nodiscard]] cudaStream_t get() const { return stream_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "waiting for a stream"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// CUDA event on the current device (RAII).
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  void record(const Stream& stream) const {
    check(cudaEventRecord(event_, stream.get()), "recording an event");
  }
  void synchronize() const { check(cudaEventSynchronize(event_), "waiting for an event"); }
  void hold_up(const Stream& stream) const {
    check(cudaStreamWaitEvent(stream.get(), event_, 0), "waiting for an event");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Pinned host memory, to which a device can copy asynchronously.
class PinnedWords {
 public:
  explicit PinnedWords(std::size_t size) {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, size * sizeof(Word)), "allocating pinned memory");
    words_ = static_cast<Word*>(memory);
  }
  PinnedWords(const PinnedWords&) = delete;
  PinnedWords& operator=(const PinnedWords&) = delete;
  ~PinnedWords() { static_cast<void>(cudaFreeHost(words_)); }
  [[nodiscard]] Word* data() const { return words_; }

 private:
  Word* words_ = nullptr;
};

/// The buffers of a round on one device, with room for `capacity` keys for each device.
struct RoundBuffers {
  RoundBuffers(std::size_t devices, std::uint32_t room, bool direct)
      : capacity(room),
        outgoing(direct ? 0 : devices * room),
        links(devices * room),
        incoming(devices * room),
        answers(devices * room),
        answered(devices * room),
        cursors(devices * kCursorStride),
        counts(devices * kCursorStride) {}
  [[nodiscard]] static std::uint64_t bytes(std::size_t devices, std::uint64_t room, bool direct) {
    return devices * room * ((direct ? 1 : 2) * sizeof(ulonglong2) + sizeof(Word) + 2);
  }
  /// Returns the number of places requested for the keys for a device; count_to() returns how many
  /// of them existed. Both are known after `formed`.
  [[nodiscard]] std::uint64_t wanted_for(std::size_t device) const {
    return counts.data()[device * kCursorStride];
  }
  [[nodiscard]] std::uint64_t count_to(std::size_t device) const {
    return std::min<std::uint64_t>(wanted_for(device), capacity);
  }

  std::uint32_t capacity;
  DeviceArray<ulonglong2> outgoing;  ///< device after device, like the arrays below; to be copied
  DeviceArray<std::uint64_t> links;  ///< links of the outgoing keys
  DeviceArray<ulonglong2> incoming;
  DeviceArray<std::uint8_t> answers;   ///< this device's answers to the incoming keys
  DeviceArray<std::uint8_t> answered;  ///< the other devices' answers to the outgoing keys
  DeviceArray<Word> cursors;
  PinnedWords counts;
  Event formed;
  Event sent;     ///< the outgoing keys have arrived
  Event replied;  ///< the answers have arrived
};

/// A device's classes of one level.
struct ShardLevel {
  DeviceArray<std::uint64_t> links;
  std::uint64_t size = 0;
  /// The states that the links of the next level refer to; present once the level is extended.
  DeviceArray<algebra::Goldilocks> states;
};

/// One device with its share of the keys. Constructed and called while its device is current.
struct Shard {
  Shard(int number, std::uint32_t own_rank, const LevelTables& host_tables, std::size_t devices,
        std::uint64_t table_slots, std::uint32_t round_capacity, bool direct)
      : device(number), rank(own_rank), tables(host_tables), counters(1), slots(table_slots) {
    std::vector<algebra::Goldilocks> padded = identity_functionals(host_tables.fingerprints);
    padded.resize(host_tables.fingerprints.functionals.size());
    identity = DeviceArray<algebra::Goldilocks>(std::span<const algebra::Goldilocks>(padded));
    const std::uint64_t first_alone = 1;
    first_letter = DeviceArray<std::uint64_t>(std::span(&first_alone, 1));
    for (auto& buffers : rounds) {
      buffers = std::make_unique<RoundBuffers>(devices, round_capacity, direct);
    }
  }

  [[nodiscard]] KernelResult result() const {
    return {found.data(), found.size(), counters.data()};
  }
  [[nodiscard]] Counters read_counters() const {
    Counters read{};
    counters.copy_out({&read, 1});
    return read;
  }
  /// Returns tables with a single letter, the identity.
  [[nodiscard]] KernelTables identity_table() const {
    return tables.with_one_letter(identity.data(), first_letter.data());
  }
  [[nodiscard]] const algebra::Goldilocks* parents(std::size_t level) const {
    return level == 0 ? tables.start() : levels[level - 1].states.data();
  }

  int device;
  std::uint32_t rank;  ///< number among the devices
  DeviceLevelTables tables;
  DeviceArray<algebra::Goldilocks>
      identity;                             ///< functionals of a first letter that is the identity
  DeviceArray<std::uint64_t> first_letter;  ///< the mask of the first letter alone
  DeviceArray<Counters> counters;
  DeviceArray<Word> slots;  ///< room for the largest table
  std::vector<ShardLevel> levels;
  DeviceArray<std::uint64_t> found;  ///< links of the next level
  std::array<std::unique_ptr<RoundBuffers>, kRounds> rounds;
  std::array<Stream, kStreams> extending;
  Stream sending;
};

/// The sizes of the rounds and of their buffers.
struct RoundSizes {
  /// Capacity of the buffers if keys are evenly distributed.
  std::uint64_t max_keys = kRoundKeys;
  std::uint64_t keys = 0;  ///< number of keys that a device forms in a round
  bool direct = false;     ///< kernels write keys to the memory of the device that owns them
  bool crowded = false;    ///< a device got more keys in a round of this pass than its buffers hold
};

class CudaShardedEnumerator final : public LevelEnumerator {
 public:
  CudaShardedEnumerator(LevelTables tables, const LevelEnumeratorOptions& options,
                        std::vector<int> devices)
      : tables_(std::move(tables)),
        stop_(options.stop),
        letters_(static_cast<std::uint32_t>(tables_.fingerprints.letters.size())),
        dimension_(tables_.fingerprints.dimension()),
        form_keys_(level_kernels(tables_.fingerprints.qubits).form_keys),
        extend_share_(extend_share_for(tables_.fingerprints.qubits)) {
    round_sizes_.direct = connect(devices);
    use(devices[0]);
    blocks_ = resident_blocks(extend_share_, shared_bytes());
    memory_ = usable_memory(devices, options.memory);
    if (options.round != 0) round_sizes_.max_keys = options.round;
    const auto most = static_cast<std::uint64_t>(kRoundsShare * static_cast<double>(memory_));
    while (rounds_bytes(devices.size()) > most && round_sizes_.max_keys > kFewKeys) {
      round_sizes_.max_keys /= 2;
    }
    round_sizes_.keys = round_sizes_.max_keys;
    memory_ -= std::min(memory_, rounds_bytes(devices.size()));
    const auto table = static_cast<std::uint64_t>(kTableShare * static_cast<double>(memory_));
    max_slots_ = std::max<std::uint64_t>(table / sizeof(Word), 1);
    memory_ -= table;
    for (const int device : devices) {
      use(device);
      shards_.push_back(std::make_unique<Shard>(
          device, static_cast<std::uint32_t>(shards_.size()), tables_, devices.size(), max_slots_,
          static_cast<std::uint32_t>(round_capacity(devices.size())), round_sizes_.direct));
    }
    for (const std::unique_ptr<Shard>& shard : shards_) shard->levels.emplace_back();
    const std::uint64_t root = ClassLink().pack();
    use(devices[0]);
    shards_[0]->levels[0].links = DeviceArray<std::uint64_t>(std::span(&root, 1));
    shards_[0]->levels[0].size = 1;
  }

  CudaShardedEnumerator(const CudaShardedEnumerator&) = delete;
  CudaShardedEnumerator& operator=(const CudaShardedEnumerator&) = delete;
  /// After an exception kernels may still write to the memory of other devices, so no memory is
  /// freed before all kernels have ended. Their errors are irrelevant by then.
  ~CudaShardedEnumerator() override {
    for (const std::unique_ptr<Shard>& shard : shards_) {
      (void)cudaSetDevice(shard->device);
      (void)cudaDeviceSynchronize();
    }
  }

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  [[nodiscard]] std::string_view instructions() const override { return {}; }

  [[nodiscard]] std::optional<LevelFigures> next(bool extended_later) override {
    if (!dealt_ && shards_[0]->levels.back().size >= kDealt) deal_out();
    // If more classes are found than expected, the level is repeated with more room; if a device
    // got more of a round's keys than expected, it is repeated with smaller rounds.
    for (std::uint64_t expected = expected_classes();;) {
      if (!make_room_for(expected, extended_later)) return std::nullopt;
      const Counters total = run({last_level(), false, extended_later});
      if (total.overflow == 0 && !round_sizes_.crowded) return keep(total, extended_later);
      if (round_sizes_.crowded) {
        round_sizes_.keys /= 2;
        round_sizes_.crowded = false;
      } else {
        expected *= 2;
      }
      slots_ = 0;  // the table contains some of the level's keys
      for (const std::unique_ptr<Shard>& shard : shards_) {
        use(shard->device);
        shard->found = {};
        shard->levels.back().states = {};
      }
    }
  }

  [[nodiscard]] LevelFigures form_keys() override {
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      clear_counters(*shard);
      const ShardLevel& level = shard->levels.back();
      if (level.size == 0) continue;
      form_keys_<<<blocks_for(level.size), kThreads, shared_bytes(), shard->extending[0].get()>>>(
          shard->tables.view(),
          KernelLevel{level.links.data(), shard->parents(last_level()), nullptr, 0, level.size},
          KeySet{shard->slots.data(), slots_}, KernelResult{nullptr, 0, shard->counters.data()});
      check(cudaGetLastError(), "forming keys");
    }
    const Counters total = gather_counters();
    return {0, total.candidates, 0, total.digest};
  }

 private:
  /// An operation on the classes of a level, done in as many rounds as necessary.
  struct Pass {
    std::size_t level = 0;
    bool as_they_are = false;  ///< the classes themselves are looked up, not their extensions
    bool keep_links = false;   ///< the links of new classes are kept, and the states
  };

  [[nodiscard]] unsigned blocks_for(std::uint64_t threads) const {
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>((threads + kThreads - 1) / kThreads, 1, blocks_));
  }
  [[nodiscard]] std::size_t shared_bytes() const {
    return tables_.fingerprints.functionals.size() * sizeof(algebra::Goldilocks);
  }
  [[nodiscard]] std::size_t last_level() const { return shards_[0]->levels.size() - 1; }
  [[nodiscard]] std::uint64_t size_of(std::size_t level) const {
    std::uint64_t classes = 0;
    for (const std::unique_ptr<Shard>& shard : shards_) classes += shard->levels[level].size;
    return classes;
  }

  /// Returns the usable memory of the device that has the least.
  [[nodiscard]] static std::uint64_t usable_memory(std::span<const int> devices,
                                                   std::uint64_t wanted) {
    std::uint64_t memory = wanted != 0 ? wanted : ~std::uint64_t{0};
    for (const int device : devices) {
      use(device);
      std::size_t free = 0;
      std::size_t all = 0;
      check(cudaMemGetInfo(&free, &all), "querying the free memory");
      memory =
          std::min(memory, static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(free)));
    }
    return memory;
  }
  /// Returns the number of keys of a round that one device may form for another.
  [[nodiscard]] std::uint64_t keys_for_one(std::size_t devices) const {
    if (round_sizes_.max_keys <= kFewKeys) return round_sizes_.max_keys;
    // The keys of extensions are evenly distributed, up to about the square root of their number,
    // except for one key of each class: the letter that undoes a class's last letter leads back to
    // its parent, and parents lie in runs by their device, so that in a round all of these keys
    // could be for one device.
    const std::uint64_t parents = round_sizes_.max_keys / letters_;
    return round_sizes_.max_keys / devices + round_sizes_.max_keys / devices / 16 + parents;
  }
  /// Returns the room needed for these keys and for places that warps reserve and leave empty.
  [[nodiscard]] std::uint64_t round_capacity(std::size_t devices) const {
    return keys_for_one(devices) + std::uint64_t{blocks_} * kThreads / kWarp * kPlacesTaken;
  }
  [[nodiscard]] std::uint64_t rounds_bytes(std::size_t devices) const {
    return kRounds * RoundBuffers::bytes(devices, round_capacity(devices), round_sizes_.direct);
  }
  /// Returns the number of classes that a device handles in a round: equally many for each thread,
  /// if there are enough. If a level's classes themselves are looked up, they lie in runs by the
  /// device that owns their keys, so all keys of a round could be for one device.
  [[nodiscard]] std::uint64_t classes_in_round(const Pass& pass) const {
    const std::uint64_t classes =
        pass.as_they_are ? keys_for_one(shards_.size()) : round_sizes_.keys / letters_;
    const std::uint64_t threads = std::uint64_t{blocks_} * kThreads;
    return std::max<std::uint64_t>(classes < threads ? classes : classes / threads * threads, 1);
  }

  /// Distributes the last level in turn, so that all devices get similar classes, together with all
  /// states that their links refer to.
  void deal_out() {
    dealt_ = true;
    ShardLevel& all = shards_[0]->levels.back();
    DeviceArray<algebra::Goldilocks>& states = shards_[0]->levels[last_level() - 1].states;
    use(shards_[0]->device);
    std::vector<std::uint64_t> links(all.size);
    all.links.copy_out(links);
    std::vector<algebra::Goldilocks> parents(states.size());
    states.copy_out(parents);
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      std::vector<std::uint64_t> own;
      for (std::size_t k = i; k < links.size(); k += shards_.size()) own.push_back(links[k]);
      Shard& shard = *shards_[i];
      use(shard.device);
      shard.levels.back().links = DeviceArray<std::uint64_t>(std::span<const std::uint64_t>(own));
      shard.levels.back().size = own.size();
      if (i == 0) continue;
      shard.levels[last_level() - 1].states =
          DeviceArray<algebra::Goldilocks>(std::span<const algebra::Goldilocks>(parents));
    }
  }

  /// Returns the expected number of classes of the next level. The ratio of a level to the one
  /// before falls from level to level once letters begin to repeat.
  [[nodiscard]] std::uint64_t expected_classes() const {
    const auto last = static_cast<double>(size_of(last_level()));
    double ratio = letters_;
    if (last_level() > 1) {
      ratio = std::min(ratio, 1.05 * last / static_cast<double>(size_of(last_level() - 1)));
    }
    return static_cast<std::uint64_t>(last * ratio) + 1024;
  }

  /// Makes room for `classes` more classes in the tables, and for their links. Returns whether the
  /// memory suffices.
  [[nodiscard]] bool make_room_for(std::uint64_t classes, bool extended_later) {
    const auto keys = static_cast<double>(classes_ + classes) / static_cast<double>(shards_.size());
    const auto slots_at = [&](double load) { return static_cast<std::uint64_t>(keys / load) + 1; };
    if (max_slots_ < slots_at(kMaxLoad)) return false;
    if (extended_later && !make_arrays(classes)) return false;
    if (slots_ >= std::min(slots_at(kAcceptedLoad), max_slots_)) return true;
    std::uint64_t slots = std::max(slots_at(kPreferredLoad), kMinSlots);
    if (dealt_ && extended_later) slots = std::max(slots, kForesightSlots);
    rebuild(std::min(slots, max_slots_));
    return true;
  }

  /// Allocates arrays for the links of a level with `classes` classes and for the states that they
  /// refer to. Returns whether the memory suffices.
  [[nodiscard]] bool make_arrays(std::uint64_t classes) {
    const double ratio = static_cast<double>(classes) / static_cast<double>(size_of(last_level()));
    for (const std::unique_ptr<Shard>& shard : shards_) {
      ShardLevel& last = shard->levels.back();
      if (last.size == 0) continue;
      const std::uint64_t links = std::min<std::uint64_t>(
          last.size * letters_,
          static_cast<std::uint64_t>(1.05 * ratio * static_cast<double>(last.size)) + 65536);
      std::uint64_t words = links + last.size * dimension_;
      for (const ShardLevel& level : shard->levels) {
        words += level.links.size() + level.states.size();
      }
      if (words * sizeof(Word) > memory_) return false;
      use(shard->device);
      shard->found = DeviceArray<std::uint64_t>(links);
      last.states = DeviceArray<algebra::Goldilocks>(last.size * dimension_);
    }
    return true;
  }

  /// Makes larger tables with all classes found so far.
  void rebuild(std::uint64_t slots) {
    slots_ = slots;
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      check(
          cudaMemsetAsync(shard->slots.data(), 0, slots * sizeof(Word), shard->extending[0].get()),
          "clearing device memory");
    }
    std::uint64_t classes = 0;
    for (std::size_t level = 0; level <= last_level(); ++level) {
      classes += run({level, true, false}).classes;
    }
    ensure(classes == classes_, "the classes of a table are all different");
  }

  LevelFigures keep(const Counters& total, bool extended_later) {
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      const std::uint64_t links = extended_later ? shard->read_counters().links : 0;
      shard->levels.push_back({std::move(shard->found), links, {}});
      shard->found = {};
    }
    ensure(!extended_later || size_of(last_level()) == total.classes, "every new class has a link");
    classes_ += total.classes;
    return {total.classes, total.candidates, total.comparisons, total.digest};
  }

  static void clear_counters(const Shard& shard) {
    check(cudaMemsetAsync(shard.counters.data(), 0, sizeof(Counters), shard.extending[0].get()),
          "clearing device memory");
  }
  /// Waits for all devices and returns the sums of their counters.
  [[nodiscard]] Counters gather_counters() const {
    Counters total{};
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      for (const Stream& stream : shard->extending) stream.synchronize();
      const Counters counters = shard->read_counters();
      total.classes += counters.classes;
      total.candidates += counters.candidates;
      total.comparisons += counters.comparisons;
      total.digest += counters.digest;
      total.overflow += counters.overflow;
    }
    return total;
  }

  /// Runs a pass on all devices and returns the sums of their counters.
  [[nodiscard]] Counters run(const Pass& pass) {
    std::uint64_t most = 0;
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      clear_counters(*shard);
      check(cudaDeviceSynchronize(), "copying to the device");  // non-blocking streams do not wait
      most = std::max(most, shard->levels[pass.level].size);
    }
    const std::uint64_t classes = classes_in_round(pass);
    const std::uint64_t rounds = (most + classes - 1) / classes;
    for (std::uint64_t round = 0; round < rounds + (pass.keep_links ? 2 : 1) * kLag; ++round) {
      if (stop_.stop_requested()) throw Stopped("stopped while classes were counted");
      if (round >= kLag) send_keys(round - kLag);
      if (pass.keep_links && round >= 2 * kLag) collect(round - 2 * kLag);
      if (round < rounds + kLag) extend(pass, round);
    }
    return gather_counters();
  }

  [[nodiscard]] static const Stream& stream_of(const Shard& shard, std::uint64_t round) {
    return shard.extending[round % kStreams];
  }
  [[nodiscard]] const RoundBuffers& buffers(std::size_t shard, std::uint64_t round) const {
    return *shards_[shard]->rounds[round % kRounds];
  }

  /// Launches the kernel of a round on every device: it extends the device's part of the classes,
  /// if any are left, and looks up the keys that others formed kLag rounds before.
  void extend(const Pass& pass, std::uint64_t round) const {
    for (std::size_t at = 0; at < shards_.size(); ++at) {
      const Shard& shard = *shards_[at];
      use(shard.device);
      const RoundBuffers& own = buffers(at, round);
      const Stream& stream = stream_of(shard, round);
      const Incoming received = incoming(at, round, pass.keep_links);
      std::uint64_t keys = 0;
      for (const std::uint32_t count : received.counts) keys += count;
      const ShardLevel& level = shard.levels[pass.level];
      const std::uint64_t classes = classes_in_round(pass);
      const std::uint64_t begin = std::min(level.size, round * classes);
      const std::uint64_t end = std::min(level.size, begin + classes);
      check(cudaMemsetAsync(own.cursors.data(), 0, own.cursors.size() * sizeof(Word), stream.get()),
            "clearing device memory");
      if (begin != end || keys != 0) {
        extend_share_<<<blocks_for(std::max(end - begin, keys / kKeysPerThread)), kThreads,
                        shared_bytes(), stream.get()>>>(
            pass.as_they_are ? shard.identity_table() : shard.tables.view(),
            KernelLevel{level.links.data(), shard.parents(pass.level),
                        pass.keep_links ? level.states.data() : nullptr, begin, end},
            KeySet{shard.slots.data(), slots_},
            KernelResult{pass.keep_links ? shard.found.data() : nullptr, shard.found.size(),
                         shard.counters.data()},
            outgoing(at, round, pass.keep_links), received);
        check(cudaGetLastError(), "extending classes");
      }
      check(
          cudaMemcpyAsync(own.counts.data(), own.cursors.data(), own.cursors.size() * sizeof(Word),
                          cudaMemcpyDeviceToHost, stream.get()),
          "copying from the device");
      own.formed.record(stream);
    }
  }

  [[nodiscard]] Outgoing outgoing(std::size_t at, std::uint64_t round, bool keep_links) const {
    const RoundBuffers& own = buffers(at, round);
    Outgoing outgoing;
    for (std::size_t to = 0; to < shards_.size(); ++to) {
      outgoing.keys[to] = round_sizes_.direct
                              ? buffers(to, round).incoming.data() + at * own.capacity
                              : own.outgoing.data() + to * own.capacity;
    }
    outgoing.links = keep_links ? own.links.data() : nullptr;
    outgoing.capacity = own.capacity;
    outgoing.devices = static_cast<std::uint32_t>(shards_.size());
    outgoing.own = static_cast<std::uint32_t>(at);
    outgoing.cursors = own.cursors.data();
    return outgoing;
  }

  /// Returns the keys to look up in a round. The next kernel in the round's stream waits until they
  /// have arrived.
  [[nodiscard]] Incoming incoming(std::size_t at, std::uint64_t round, bool keep_links) const {
    Incoming incoming;
    if (round < kLag) return incoming;
    const RoundBuffers& own = buffers(at, round - kLag);
    incoming.keys = own.incoming.data();
    incoming.is_new = keep_links ? own.answers.data() : nullptr;
    incoming.capacity = own.capacity;
    incoming.devices = static_cast<std::uint32_t>(shards_.size());
    incoming.own = static_cast<std::uint32_t>(at);
    for (std::size_t from = 0; from < shards_.size(); ++from) {
      const RoundBuffers& others = buffers(from, round - kLag);
      if (from == at) continue;
      incoming.counts[from] = static_cast<std::uint32_t>(others.count_to(at));
      others.sent.hold_up(stream_of(*shards_[at], round));
    }
    return incoming;
  }

  /// Sends the keys of a round to the devices that own them, unless kernels wrote them there. Waits
  /// until all kernels of the round are done: the data that they read is then no longer needed, and
  /// round + 2 may overwrite it.
  void send_keys(std::uint64_t round) {
    for (std::size_t from = 0; from < shards_.size(); ++from) {
      use(shards_[from]->device);
      buffers(from, round).formed.synchronize();
    }
    for (std::size_t from = 0; from < shards_.size(); ++from) {
      const Shard& shard = *shards_[from];
      const RoundBuffers& own = buffers(from, round);
      use(shard.device);
      for (std::size_t step = 1; step < shards_.size(); ++step) {
        const std::size_t to = (from + step) % shards_.size();  // no two send to the same device
        const std::uint64_t count = own.count_to(to);
        if (own.wanted_for(to) > own.capacity) round_sizes_.crowded = true;
        if (round_sizes_.direct) continue;
        copy(own.outgoing.data() + to * own.capacity, shard,
             buffers(to, round).incoming.data() + from * own.capacity, *shards_[to],
             count * sizeof(ulonglong2), shard.sending);
      }
      own.sent.record(shard.sending);
    }
  }

  /// Sends the answers to a round's keys, which are all known by now, and keeps the links of the
  /// new ones.
  void collect(std::uint64_t round) const {
    for (std::size_t at = 0; at < shards_.size(); ++at) {
      const Shard& shard = *shards_[at];
      const RoundBuffers& own = buffers(at, round);
      use(shard.device);
      for (std::size_t step = 1; step < shards_.size(); ++step) {
        const std::size_t from = (at + step) % shards_.size();
        copy(own.answers.data() + from * own.capacity, shard,
             buffers(from, round).answered.data() + at * own.capacity, *shards_[from],
             buffers(from, round).count_to(at), shard.sending);
      }
      own.replied.record(shard.sending);
    }
    for (std::size_t from = 0; from < shards_.size(); ++from) {
      const Shard& shard = *shards_[from];
      const RoundBuffers& own = buffers(from, round);
      use(shard.device);
      for (std::size_t at = 0; at < shards_.size(); ++at) {
        const std::uint64_t count = own.count_to(at);
        if (at == from || count == 0) continue;
        buffers(at, round).replied.hold_up(stream_of(shard, round));
        collect_links<<<blocks_for(count / kKeysPerThread), kThreads, 0,
                        stream_of(shard, round).get()>>>(own.answered.data() + at * own.capacity,
                                                         own.links.data() + at * own.capacity,
                                                         count, shard.result());
        check(cudaGetLastError(), "collecting new classes");
      }
    }
  }

  /// Copies with the devices' copy engines, which leaves the multiprocessors to the kernels.
  static void copy(const void* source, const Shard& from, void* target, const Shard& to,
                   std::uint64_t bytes, const Stream& stream) {
    if (bytes == 0) return;
    check(cudaMemcpyPeerAsync(target, to.device, source, from.device, bytes, stream.get()),
          "copying between devices");
  }

  /// Lets the devices access each other's memory where possible. Returns whether all of them can.
  [[nodiscard]] static bool connect(std::span<const int> devices) {
    bool all = true;
    for (const int from : devices) {
      use(from);
      for (const int to : devices) {
        int possible = 0;
        if (from == to) continue;
        check(cudaDeviceCanAccessPeer(&possible, from, to), "querying peer access");
        if (possible == 0) {
          all = false;
          continue;
        }
        const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
        if (status == cudaErrorPeerAccessAlreadyEnabled) {
          static_cast<void>(cudaGetLastError());
        } else {
          check(status, "enabling peer access");
        }
      }
    }
    return all;
  }

  LevelTables tables_;
  std::stop_token stop_;
  std::uint32_t letters_;
  std::size_t dimension_;
  LevelKernels::Extend form_keys_;
  ExtendShare extend_share_;
  unsigned blocks_ = 1;          ///< blocks of extend_share_ that run at a time on a device
  std::uint64_t memory_ = 0;     ///< bytes of each device for links and states
  std::uint64_t max_slots_ = 0;  ///< slots of each device's table
  std::uint64_t slots_ = 0;      ///< slots in use
  RoundSizes round_sizes_;
  std::uint64_t classes_ = 1;
  bool dealt_ = false;
  std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<LevelEnumerator> make_cuda_sharded_enumerator(
    LevelTables tables, const LevelEnumeratorOptions& options) {
  int there = 0;
  cuda::check(cudaGetDeviceCount(&there), "counting devices");
  if (options.devices > static_cast<unsigned>(there)) {
    throw UsageError("this machine has " + std::to_string(there) + " devices, not " +
                     std::to_string(options.devices));
  }
  if (options.devices > cuda::kMaxDevices) {
    throw UsageError("at most " + std::to_string(cuda::kMaxDevices) +
                     " devices are supported, not " + std::to_string(options.devices));
  }
  std::vector<int> devices;
  for (unsigned i = 0; i < options.devices; ++i) devices.push_back(static_cast<int>(i));
  return std::make_unique<cuda::CudaShardedEnumerator>(std::move(tables), options,
                                                       std::move(devices));
}

}  // namespace quartz::classes
