#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "fingerprint/cuda/cuda_backend.hpp"
#include "fingerprint/cuda/device_memory.cuh"
#include "fingerprint/cuda/exchange_kernels.cuh"
#include "fingerprint/cuda/level_kernels.cuh"
#include "fingerprint/level_keys.hpp"

/// Enumeration by levels on several devices of one host.
///
/// Each device has a share of the keys, by their place (share_of), and a table for it. A class
/// belongs to the device that found it, which keeps its link and later extends it: only keys
/// travel, 16 bytes each, and one byte comes back that says whether the key was new. Devices work
/// in rounds. In round r one kernel forms the keys of the extensions of some classes, looks those
/// of its own share up and writes those of others to their devices' memory; in their place it looks
/// up what the others wrote here in round r - 2. Two rounds later their answers are there, and the
/// links of the new classes are kept. Two rounds are under way at a time: one begins where the
/// other runs out of work. Devices that do not reach each other's memory copy the keys while round
/// r - 1 is under way. The first levels are found by the first device, and then dealt out.
namespace quartz {
namespace cuda {
namespace {

/// Keys that a device forms in a round.
constexpr std::uint64_t kRoundKeys = std::uint64_t{1} << 26U;
/// Rounds that keys take to be looked up, and as many for the answers.
constexpr unsigned kLag = 2;
/// Rounds until the buffers of one are used again.
constexpr unsigned kRounds = 2 * kLag;
/// Rounds whose kernels may run at a time. Not more than kLag: the host starts a round when all
/// kernels of the one kLag before are done.
constexpr unsigned kStreams = 2;
static_assert(kStreams <= kLag && kRounds % kStreams == 0);
/// Keys formed in a round of which all could be for one device; of more, its part is what is to be
/// expected, unless a round turns out otherwise.
constexpr std::uint64_t kFewKeys = std::uint64_t{1} << 20U;
/// A level with so many classes is dealt out.
constexpr std::uint64_t kDealt = std::uint64_t{1} << 16U;
constexpr double kPreferredLoad = 0.5;
constexpr double kAcceptedLoad = 0.7;  ///< of a table that is there already
constexpr double kLargestLoad = 0.85;
constexpr double kMemoryShare = 0.95;
/// Of the memory, at most: for rounds, and of what is left for the table.
constexpr double kRoundsShare = 0.25;
constexpr double kTableShare = 0.5;
constexpr std::uint64_t kFewestSlots = std::uint64_t{1} << 22U;
/// A table that more levels are to come into has so many slots at once, 16 GiB: look-ups in it take
/// no longer than in a smaller one, and to make it anew for each level takes longer than to clear
/// it.
constexpr std::uint64_t kForesightSlots = std::uint64_t{1} << 31U;
constexpr unsigned kKeysPerThread = 4;

void use(int device) { check(cudaSetDevice(device), "choosing a device"); }

/// On the device that is current.
class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  [[nodiscard]] cudaStream_t get() const { return stream_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "waiting for a stream"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Likewise.
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event"); }
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

/// Host memory that a device copies to by itself.
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

/// What a round needs on one device, with room for `capacity` keys for each device.
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
  /// Places for a device's keys that were asked for, and those that there were. Known after
  /// `formed`.
  [[nodiscard]] std::uint64_t wanted_for(std::size_t device) const {
    return counts.data()[device * kCursorStride];
  }
  [[nodiscard]] std::uint64_t count_to(std::size_t device) const {
    return std::min<std::uint64_t>(wanted_for(device), capacity);
  }

  std::uint32_t capacity;
  DeviceArray<ulonglong2> outgoing;  ///< device after device, like the arrays below; to be copied
  DeviceArray<std::uint64_t> links;  ///< of the outgoing keys
  DeviceArray<ulonglong2> incoming;
  DeviceArray<std::uint8_t> answers;   ///< of this device to the incoming keys
  DeviceArray<std::uint8_t> answered;  ///< to the outgoing keys
  DeviceArray<Word> cursors;
  PinnedWords counts;
  Event formed;
  Event sent;     ///< the outgoing keys are where they belong
  Event replied;  ///< so are the answers
};

/// A device's classes of one level.
struct ShardLevel {
  DeviceArray<std::uint64_t> links;
  std::uint64_t size = 0;
  /// That the links of the next level refer to, once the level is extended.
  DeviceArray<Goldilocks> states;
};

/// One device with its share of the keys. Made, and called, while its device is current.
struct Shard {
  Shard(int number, std::uint32_t own_rank, const LevelTables& tables, std::size_t devices,
        std::uint64_t table_slots, std::uint32_t round_capacity, bool direct)
      : device(number),
        rank(own_rank),
        rows(tables.fingerprints),
        functionals(std::span<const Goldilocks>(tables.fingerprints.functionals)),
        followers(std::span<const std::uint64_t>(tables.followers.masks)),
        start(std::span<const Goldilocks>(tables.fingerprints.probe.state)),
        counters(1),
        slots(table_slots) {
    std::vector<Goldilocks> padded = identity_functionals(tables.fingerprints);
    padded.resize(tables.fingerprints.functionals.size());
    identity = DeviceArray<Goldilocks>(std::span<const Goldilocks>(padded));
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
  [[nodiscard]] const Goldilocks* parents(std::size_t level) const {
    return level == 0 ? start.data() : levels[level - 1].states.data();
  }

  int device;
  std::uint32_t rank;  ///< among the devices
  DeviceLetterRows rows;
  DeviceArray<Goldilocks> functionals;
  DeviceArray<std::uint64_t> followers;
  DeviceArray<Goldilocks> start;
  DeviceArray<Goldilocks> identity;         ///< functionals of a first letter that does nothing
  DeviceArray<std::uint64_t> first_letter;  ///< the mask for it
  DeviceArray<Counters> counters;
  DeviceArray<Word> slots;  ///< room for the largest table
  std::vector<ShardLevel> levels;
  DeviceArray<std::uint64_t> found;  ///< links of the next level
  std::array<std::unique_ptr<RoundBuffers>, kRounds> rounds;
  std::array<Stream, kStreams> extending;
  Stream sending;
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
        extend_share_(extend_share_for(tables_.fingerprints.qubits)),
        direct_(connect(devices)) {
    use(devices[0]);
    blocks_ = resident_blocks(extend_share_, shared_bytes());
    memory_ = usable_memory(devices, options.memory);
    most_round_keys_ = options.round != 0 ? options.round : kRoundKeys;
    const auto most = static_cast<std::uint64_t>(kRoundsShare * static_cast<double>(memory_));
    while (rounds_bytes(devices.size()) > most && most_round_keys_ > kFewKeys) {
      most_round_keys_ /= 2;
    }
    round_keys_ = most_round_keys_;
    memory_ -= std::min(memory_, rounds_bytes(devices.size()));
    const auto table = static_cast<std::uint64_t>(kTableShare * static_cast<double>(memory_));
    most_slots_ = std::max<std::uint64_t>(table / sizeof(Word), 1);
    memory_ -= table;
    for (const int device : devices) {
      use(device);
      shards_.push_back(std::make_unique<Shard>(
          device, static_cast<std::uint32_t>(shards_.size()), tables_, devices.size(), most_slots_,
          static_cast<std::uint32_t>(round_capacity(devices.size())), direct_));
    }
    for (const std::unique_ptr<Shard>& shard : shards_) shard->levels.emplace_back();
    const std::uint64_t root = ClassLink().pack();
    use(devices[0]);
    shards_[0]->levels[0].links = DeviceArray<std::uint64_t>(std::span(&root, 1));
    shards_[0]->levels[0].size = 1;
  }

  CudaShardedEnumerator(const CudaShardedEnumerator&) = delete;
  CudaShardedEnumerator& operator=(const CudaShardedEnumerator&) = delete;
  /// After an exception kernels may still write to the memory of other devices: none is freed
  /// before all have ended. What they say of errors is no longer of use.
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
    // Where more classes are found than were expected there is another try with more room, where a
    // device got more of a round's keys than were expected, one with smaller rounds.
    for (std::uint64_t expected = expected_classes();;) {
      if (!make_room_for(expected, extended_later)) return std::nullopt;
      const Counters total = run({last_level(), false, extended_later});
      if (total.overflow == 0 && !crowded_) return keep(total, extended_later);
      if (crowded_) {
        round_keys_ /= 2;
        crowded_ = false;
      } else {
        expected *= 2;
      }
      slots_ = 0;  // some of the level's keys are in the table
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
          letters_of(*shard),
          KernelLevel{level.links.data(), shard->parents(last_level()), nullptr, 0, level.size},
          KeySet{shard->slots.data(), slots_}, KernelResult{nullptr, 0, shard->counters.data()});
      check(cudaGetLastError(), "forming keys");
    }
    const Counters total = gather_counters();
    return {0, total.candidates, 0, total.digest};
  }

 private:
  /// What is done with the classes of a level, in as many rounds as it takes.
  struct Pass {
    std::size_t level = 0;
    bool as_they_are = false;  ///< they are looked up themselves, not their extensions
    bool keep_links = false;   ///< and states
  };

  [[nodiscard]] unsigned blocks_for(std::uint64_t threads) const {
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>((threads + kThreads - 1) / kThreads, 1, blocks_));
  }
  [[nodiscard]] std::size_t shared_bytes() const {
    return tables_.fingerprints.functionals.size() * sizeof(Goldilocks);
  }
  [[nodiscard]] KernelTables letters_of(const Shard& shard) const {
    return {shard.rows.view(), shard.functionals.data(), shard.followers.data(), letters_,
            tables_.followers.window};
  }
  /// With one letter, the identity.
  [[nodiscard]] KernelTables identity_of(const Shard& shard) const {
    return {shard.rows.view(), shard.identity.data(), shard.first_letter.data(), letters_, 0};
  }
  [[nodiscard]] std::size_t last_level() const { return shards_[0]->levels.size() - 1; }
  [[nodiscard]] std::uint64_t size_of(std::size_t level) const {
    std::uint64_t classes = 0;
    for (const std::unique_ptr<Shard>& shard : shards_) classes += shard->levels[level].size;
    return classes;
  }

  /// Of the device that has least.
  [[nodiscard]] static std::uint64_t usable_memory(std::span<const int> devices,
                                                   std::uint64_t wanted) {
    std::uint64_t memory = wanted != 0 ? wanted : ~std::uint64_t{0};
    for (const int device : devices) {
      use(device);
      std::size_t free = 0;
      std::size_t all = 0;
      check(cudaMemGetInfo(&free, &all), "asking for the free memory");
      memory =
          std::min(memory, static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(free)));
    }
    return memory;
  }
  /// Keys of a round that one device may have for another.
  [[nodiscard]] std::uint64_t keys_for_one(std::size_t devices) const {
    if (most_round_keys_ <= kFewKeys) return most_round_keys_;
    // Those of extensions are spread evenly, but for the square root of their number, and for one
    // of each class: the letter that undoes its last one leads back to its parent, and parents lie
    // in runs by their device, so that in a round all of theirs could be for one.
    const std::uint64_t parents = most_round_keys_ / letters_;
    return most_round_keys_ / devices + most_round_keys_ / devices / 16 + parents;
  }
  /// Room for them, and for the places that warps take and leave empty.
  [[nodiscard]] std::uint64_t round_capacity(std::size_t devices) const {
    return keys_for_one(devices) + std::uint64_t{blocks_} * kThreads / kWarp * kPlacesTaken;
  }
  [[nodiscard]] std::uint64_t rounds_bytes(std::size_t devices) const {
    return kRounds * RoundBuffers::bytes(devices, round_capacity(devices), direct_);
  }
  /// As many for each thread, where they are enough for that. A level's classes as they are lie in
  /// runs by the device whose share they are, so all of a round could be for one.
  [[nodiscard]] std::uint64_t classes_in_round(const Pass& pass) const {
    const std::uint64_t classes =
        pass.as_they_are ? keys_for_one(shards_.size()) : round_keys_ / letters_;
    const std::uint64_t threads = std::uint64_t{blocks_} * kThreads;
    return std::max<std::uint64_t>(classes < threads ? classes : classes / threads * threads, 1);
  }

  /// In turn, so that all devices get the like; with all states that their links refer to.
  void deal_out() {
    dealt_ = true;
    ShardLevel& all = shards_[0]->levels.back();
    DeviceArray<Goldilocks>& states = shards_[0]->levels[last_level() - 1].states;
    use(shards_[0]->device);
    std::vector<std::uint64_t> links(all.size);
    all.links.copy_out(links);
    std::vector<Goldilocks> parents(states.size());
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
          DeviceArray<Goldilocks>(std::span<const Goldilocks>(parents));
    }
  }

  /// Of the next level. The ratio of a level to the one before falls from level to level, once
  /// letters begin to repeat.
  [[nodiscard]] std::uint64_t expected_classes() const {
    const auto last = static_cast<double>(size_of(last_level()));
    double ratio = letters_;
    if (last_level() > 1) {
      ratio = std::min(ratio, 1.05 * last / static_cast<double>(size_of(last_level() - 1)));
    }
    return static_cast<std::uint64_t>(last * ratio) + 1024;
  }

  /// Whether tables for so many more classes fit the memory, and their links.
  [[nodiscard]] bool make_room_for(std::uint64_t classes, bool extended_later) {
    const auto keys = static_cast<double>(classes_ + classes) / static_cast<double>(shards_.size());
    const auto slots_at = [&](double load) { return static_cast<std::uint64_t>(keys / load) + 1; };
    if (most_slots_ < slots_at(kLargestLoad)) return false;
    if (extended_later && !make_arrays(classes)) return false;
    if (slots_ >= std::min(slots_at(kAcceptedLoad), most_slots_)) return true;
    std::uint64_t slots = std::max(slots_at(kPreferredLoad), kFewestSlots);
    if (dealt_ && extended_later) slots = std::max(slots, kForesightSlots);
    rebuild(std::min(slots, most_slots_));
    return true;
  }

  /// For the links of a level of so many classes and for the states that these will refer to.
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
      last.states = DeviceArray<Goldilocks>(last.size * dimension_);
    }
    return true;
  }

  /// A larger table with all classes found so far.
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
  /// Of all devices, once they have done all that was asked of them.
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

  /// The sums of what all devices counted.
  [[nodiscard]] Counters run(const Pass& pass) {
    std::uint64_t most = 0;
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      clear_counters(*shard);
      check(cudaDeviceSynchronize(), "copying to the device");  // its streams would not wait
      most = std::max(most, shard->levels[pass.level].size);
    }
    const std::uint64_t classes = classes_in_round(pass);
    const std::uint64_t rounds = (most + classes - 1) / classes;
    for (std::uint64_t round = 0; round < rounds + (pass.keep_links ? 2 : 1) * kLag; ++round) {
      if (stop_.stop_requested()) throw Error("stopped while classes were counted");
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

  /// On every device the kernel of a round: its part of the classes, if there is any left, and the
  /// keys that others formed kLag rounds before.
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
            pass.as_they_are ? identity_of(shard) : letters_of(shard),
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
      outgoing.keys[to] = direct_ ? buffers(to, round).incoming.data() + at * own.capacity
                                  : own.outgoing.data() + to * own.capacity;
    }
    outgoing.links = keep_links ? own.links.data() : nullptr;
    outgoing.capacity = own.capacity;
    outgoing.devices = static_cast<std::uint32_t>(shards_.size());
    outgoing.own = static_cast<std::uint32_t>(at);
    outgoing.cursors = own.cursors.data();
    return outgoing;
  }

  /// What is to be looked up in a round; the kernel that comes next waits until it is there.
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

  /// Of a round, to the devices whose share they are, unless they are there already. Waits until
  /// all kernels of the round are done: nobody then needs what they read, and the next round but
  /// one may write to it.
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
        const std::size_t to = (from + step) % shards_.size();  // no two to the same at a time
        const std::uint64_t count = own.count_to(to);
        if (own.wanted_for(to) > own.capacity) crowded_ = true;
        if (direct_) continue;
        copy(own.outgoing.data() + to * own.capacity, shard,
             buffers(to, round).incoming.data() + from * own.capacity, *shards_[to],
             count * sizeof(ulonglong2), shard.sending);
      }
      own.sent.record(shard.sending);
    }
  }

  /// Sends the answers to a round's keys, which are known, and keeps the links of those that were
  /// new.
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

  /// By the devices' copy engines, which leaves their processors to the kernels.
  static void copy(const void* source, const Shard& from, void* target, const Shard& to,
                   std::uint64_t bytes, const Stream& stream) {
    if (bytes == 0) return;
    check(cudaMemcpyPeerAsync(target, to.device, source, from.device, bytes, stream.get()),
          "copying between devices");
  }

  /// Lets the devices reach each other's memory, where they can. Whether all do.
  [[nodiscard]] static bool connect(std::span<const int> devices) {
    bool all = true;
    for (const int from : devices) {
      use(from);
      for (const int to : devices) {
        int possible = 0;
        if (from == to) continue;
        check(cudaDeviceCanAccessPeer(&possible, from, to), "asking how devices are connected");
        if (possible == 0) {
          all = false;
          continue;
        }
        const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
        if (status == cudaErrorPeerAccessAlreadyEnabled) {
          static_cast<void>(cudaGetLastError());
        } else {
          check(status, "connecting devices");
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
  bool direct_;                   ///< kernels write keys to the memory of the device they are for
  unsigned blocks_ = 1;           ///< of extend_share_ that run at a time on a device
  std::uint64_t memory_ = 0;      ///< of each device, for links and states
  std::uint64_t most_slots_ = 0;  ///< of each device's table
  std::uint64_t slots_ = 0;       ///< in use
  std::uint64_t most_round_keys_ = 0;  ///< what the buffers have room for, spread evenly
  std::uint64_t round_keys_ = 0;
  bool crowded_ = false;  ///< a device got more keys of a round of this pass than its buffers hold
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
    throw UsageError("there are " + std::to_string(there) + " devices, not " +
                     std::to_string(options.devices));
  }
  if (options.devices > cuda::kMostDevices) {
    throw UsageError("at most " + std::to_string(cuda::kMostDevices) + " devices, not " +
                     std::to_string(options.devices));
  }
  std::vector<int> devices;
  for (unsigned i = 0; i < options.devices; ++i) devices.push_back(static_cast<int>(i));
  return std::make_unique<cuda::CudaShardedEnumerator>(std::move(tables), options,
                                                       std::move(devices));
}

}  // namespace quartz
