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
/// in rounds: the extensions of some classes are keyed, those of the device's own share are looked
/// up at once, and the others are exchanged and looked up while the next round is under way, in
/// other buffers and on another stream. The first levels are found by the first device, and then
/// dealt out.
namespace quartz {
namespace cuda {
namespace {

/// Room for the keys of one device in a round.
constexpr std::uint64_t kRoundKeys = std::uint64_t{1} << 26U;
/// Room for the extensions of a block's classes, at least.
constexpr std::uint64_t kFewestPlaces = 2 * LevelTables::kMostLetters * kBlockClasses;
/// A level with so many classes is dealt out.
constexpr std::uint64_t kDealt = std::uint64_t{1} << 16U;
constexpr double kLargestLoad = 0.85;
constexpr double kMemoryShare = 0.95;
/// Of the memory, for the table. In 32 GiB a random access takes one and a half times as long.
constexpr double kTableShare = 0.4;
constexpr std::uint64_t kLargestTable = std::uint64_t{16} << 30U;
constexpr unsigned kKeysPerThread = 4;

void use(int device) { check(cudaSetDevice(device), "choosing a device"); }

/// On the device that is current.
class Stream {
 public:
  /// Blocks of an urgent stream's kernels come before those of others that wait.
  explicit Stream(bool urgent) {
    int least = 0;
    int greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities");
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, urgent ? greatest : least),
          "making a stream");
  }
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
  RoundBuffers(std::size_t devices, std::uint64_t room)
      : capacity(room),
        outgoing(3 * devices * room),
        incoming(2 * devices * room),
        answers(devices * room),
        answered(devices * room),
        cursors(devices * kCursorStride),
        counts(devices * kCursorStride) {}

  [[nodiscard]] Records records() const {
    return {outgoing.data(), capacity, static_cast<std::uint32_t>(cursors.size() / kCursorStride),
            cursors.data()};
  }
  /// For, or from, a device: tags, places and (outgoing only) links.
  [[nodiscard]] std::uint64_t* outgoing_to(std::size_t device, unsigned which) const {
    return records().array(which) + device * capacity;
  }
  [[nodiscard]] std::uint64_t* incoming_from(std::size_t device, unsigned which) const {
    return incoming.data() + which * (incoming.size() / 2) + device * capacity;
  }
  /// Known after `formed`.
  [[nodiscard]] std::uint64_t count_to(std::size_t device) const {
    return counts.data()[device * kCursorStride];
  }

  std::uint64_t capacity;
  DeviceArray<std::uint64_t> outgoing;
  DeviceArray<std::uint64_t> incoming;
  DeviceArray<std::uint8_t> answers;   ///< of this device to the incoming keys
  DeviceArray<std::uint8_t> answered;  ///< to the outgoing keys
  DeviceArray<Word> cursors;
  PinnedWords counts;
  Event formed;
  Event sent;     ///< the outgoing keys are where they belong
  Event replied;  ///< so are the answers
  Event done;
};

/// One device with its share of the keys. Made, and called, while its device is current.
struct Shard {
  Shard(int number, unsigned own_rank, const LevelTables& tables, std::size_t devices,
        std::uint64_t table_slots, std::uint64_t capacity)
      : device(number),
        rank(own_rank),
        rows(tables.fingerprints),
        functionals(std::span<const Goldilocks>(tables.fingerprints.functionals)),
        followers(std::span<const std::uint64_t>(tables.followers.masks)),
        counters(1),
        slots(table_slots),
        parents(std::span<const Goldilocks>(tables.fingerprints.probe.state)),
        forming(false),
        sending(true),
        looking_up(true) {
    slots.fill_with_zeros();
    check(cudaDeviceSynchronize(), "clearing device memory");
    for (auto& buffer : buffers) buffer = std::make_unique<RoundBuffers>(devices, capacity);
  }

  [[nodiscard]] KeySet key_set() const { return {slots.data(), slots.size()}; }
  [[nodiscard]] KernelResult result() const {
    return {found.data(), found.size(), counters.data()};
  }
  [[nodiscard]] Counters read_counters() const {
    Counters read{};
    counters.copy_out({&read, 1});
    return read;
  }

  int device;
  unsigned rank;  ///< among the devices
  DeviceLetterRows rows;
  DeviceArray<Goldilocks> functionals;
  DeviceArray<std::uint64_t> followers;
  DeviceArray<Counters> counters;
  DeviceArray<Word> slots;
  DeviceArray<std::uint64_t> links;  ///< of its classes of the last level
  std::uint64_t size = 0;            ///< so many
  std::uint64_t extended = 0;        ///< of which so many in the rounds so far
  DeviceArray<Goldilocks> parents;   ///< the states that the links refer to
  DeviceArray<Goldilocks> states;    ///< of the last level
  DeviceArray<std::uint64_t> found;  ///< links of the next one
  std::array<std::unique_ptr<RoundBuffers>, 2> buffers;
  Stream forming;
  Stream sending;
  Stream looking_up;
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
    connect(devices);
    const std::uint64_t most = options.round != 0 ? options.round : kRoundKeys;
    const std::uint64_t capacity = std::max<std::uint64_t>(most / devices.size(), kFewestPlaces);
    for (const int device : devices) {
      use(device);
      std::size_t free = 0;
      std::size_t all = 0;
      check(cudaMemGetInfo(&free, &all), "asking for the free memory");
      auto memory = static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(free));
      if (options.memory != 0) memory = std::min(memory, options.memory);
      const auto share = static_cast<std::uint64_t>(kTableShare * static_cast<double>(memory));
      const std::uint64_t table = std::min(share, kLargestTable);
      shards_.push_back(std::make_unique<Shard>(device, static_cast<unsigned>(shards_.size()),
                                                tables_, devices.size(), table / sizeof(Word),
                                                capacity));
      const std::uint64_t buffers = 2 * devices.size() * capacity * (5 * sizeof(Word) + 2);
      memory -= std::min(memory, table + buffers);
      memory_ = memory_ == 0 ? memory : std::min(memory_, memory);
    }
    begin_with_identity();
  }

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  [[nodiscard]] std::string_view instructions() const override { return {}; }

  [[nodiscard]] std::optional<LevelFigures> next(bool extended_later) override {
    if (!dealt_ && shards_[0]->size >= kDealt) deal_out();
    if (!prepare(extended_later)) return std::nullopt;
    extend_all();
    LevelFigures total;
    bool overflow = false;
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      const Counters counters = shard->read_counters();
      overflow = overflow || counters.overflow != 0;
      total.classes += counters.classes;
      total.candidates += counters.candidates;
      total.comparisons += counters.comparisons;
      total.digest += counters.digest;
      shard->parents = std::move(shard->states);
      shard->states = {};
      shard->links = std::move(shard->found);
      shard->found = {};
      shard->size = extended_later ? counters.links : 0;
    }
    if (overflow) return std::nullopt;
    classes_ += total.classes;
    ensure(!extended_later || total.classes == classes_here(), "every new class has a link");
    ratio_ = static_cast<double>(total.classes) / std::max(1.0, last_classes_);
    last_classes_ = static_cast<double>(total.classes);
    return total;
  }

  [[nodiscard]] LevelFigures form_keys() override {
    LevelFigures total;
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      shard->counters.fill_with_zeros();
      check(cudaDeviceSynchronize(), "clearing device memory");
      const KernelLevel level{shard->links.data(), shard->parents.data(), nullptr, 0, shard->size};
      if (shard->size == 0) continue;
      form_keys_<<<blocks_for(shard->size), kThreads, shared_bytes(*shard), shard->forming.get()>>>(
          kernel_tables(*shard), level, shard->key_set(),
          KernelResult{nullptr, 0, shard->counters.data()});
      check(cudaGetLastError(), "forming keys");
    }
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      shard->forming.synchronize();
      const Counters counters = shard->read_counters();
      total.candidates += counters.candidates;
      total.digest += counters.digest;
    }
    return total;
  }

 private:
  [[nodiscard]] static unsigned blocks_for(std::uint64_t threads) {
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>((threads + kThreads - 1) / kThreads, 1, 1U << 30U));
  }
  [[nodiscard]] static std::size_t shared_bytes(const Shard& shard) {
    return shard.functionals.size() * sizeof(Goldilocks);
  }
  [[nodiscard]] KernelTables kernel_tables(const Shard& shard) const {
    return {shard.rows.view(), shard.functionals.data(), shard.followers.data(), letters_,
            tables_.followers.window};
  }
  [[nodiscard]] std::uint64_t classes_here() const {
    std::uint64_t classes = 0;
    for (const std::unique_ptr<Shard>& shard : shards_) classes += shard->size;
    return classes;
  }

  void begin_with_identity() {
    Shard& first = *shards_[0];
    use(first.device);
    const std::uint64_t root = ClassLink().pack();
    first.links = DeviceArray<std::uint64_t>(std::span(&root, 1));
    first.size = 1;
    const LevelKey key = identity_key(tables_.fingerprints);
    const KeyShare share = share_of(key.place, shards_.size());
    Shard& owner = *shards_[share.owner];
    use(owner.device);
    const Word tag = key.tag;
    check(cudaMemcpy(owner.slots.data() + home_slot(share.place, owner.slots.size()), &tag,
                     sizeof(tag), cudaMemcpyHostToDevice),
          "copying to the device");
  }

  /// In turn, so that all devices get the like; with all states that their links refer to.
  void deal_out() {
    dealt_ = true;
    Shard& first = *shards_[0];
    use(first.device);
    std::vector<std::uint64_t> links(first.size);
    first.links.copy_out(links);
    std::vector<Goldilocks> parents(first.parents.size());
    first.parents.copy_out(parents);
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      std::vector<std::uint64_t> own;
      for (std::size_t k = i; k < links.size(); k += shards_.size()) own.push_back(links[k]);
      Shard& shard = *shards_[i];
      use(shard.device);
      shard.links = DeviceArray<std::uint64_t>(std::span<const std::uint64_t>(own));
      shard.size = own.size();
      if (i != 0) shard.parents = DeviceArray<Goldilocks>(std::span<const Goldilocks>(parents));
    }
  }

  /// Room for the next level, if the memory has it.
  bool prepare(bool extended_later) {
    const double ratio = std::min<double>(letters_, 1.1 * ratio_);
    const auto expected = static_cast<std::uint64_t>(ratio * last_classes_);
    const double most = kLargestLoad * static_cast<double>(shards_[0]->slots.size()) *
                        static_cast<double>(shards_.size());
    if (static_cast<double>(classes_ + expected) > most) return false;
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      shard->counters.fill_with_zeros();
      check(cudaDeviceSynchronize(), "clearing device memory");  // other streams do not wait
      shard->extended = 0;
      if (!extended_later || shard->size == 0) continue;
      const std::uint64_t links = std::min<std::uint64_t>(
          shard->size * letters_,
          static_cast<std::uint64_t>(1.2 * ratio * static_cast<double>(shard->size)) + 65536);
      const std::uint64_t states = shard->size * dimension_;
      const std::uint64_t words = shard->links.size() + shard->parents.size() + links + states;
      if (words * sizeof(Word) > memory_) return false;
      shard->found = DeviceArray<std::uint64_t>(links);
      shard->states = DeviceArray<Goldilocks>(states);
    }
    return true;
  }

  void extend_all() {
    unsigned formed = 0;
    for (; form_round(formed); ++formed) {
      if (formed != 0) exchange_round(formed - 1);  // while the one just begun is formed
    }
    if (formed != 0) exchange_round(formed - 1);
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      shard->looking_up.synchronize();
    }
  }

  /// Whether there was anything left.
  bool form_round(unsigned round) {
    if (stop_.stop_requested()) throw Error("stopped while classes were counted");
    bool any = false;
    for (const std::unique_ptr<Shard>& shard : shards_) any |= shard->extended < shard->size;
    if (!any) return false;
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      const RoundBuffers& buffers = *shard->buffers[round % 2];
      buffers.done.hold_up(shard->forming);
      const std::uint64_t begin = shard->extended;
      const std::uint64_t end = std::min(shard->size, begin + classes_in_round(buffers));
      shard->extended = end;
      check(cudaMemsetAsync(buffers.cursors.data(), 0, buffers.cursors.size() * sizeof(Word),
                            shard->forming.get()),
            "clearing device memory");
      if (begin < end) {
        const auto blocks =
            static_cast<unsigned>((end - begin + kBlockClasses - 1) / kBlockClasses);
        extend_share_<<<blocks, kThreads, shared_bytes(*shard), shard->forming.get()>>>(
            kernel_tables(*shard),
            KernelLevel{shard->links.data(), shard->parents.data(), shard->states.data(), begin,
                        end},
            shard->key_set(), shard->result(), buffers.records(), shard->rank);
        check(cudaGetLastError(), "extending classes");
      }
      check(cudaMemcpyAsync(buffers.counts.data(), buffers.cursors.data(),
                            buffers.cursors.size() * sizeof(Word), cudaMemcpyDeviceToHost,
                            shard->forming.get()),
            "copying from the device");
      buffers.formed.record(shard->forming);
    }
    return true;
  }

  /// So many that all their extensions fit, were they all for one device.
  [[nodiscard]] std::uint64_t classes_in_round(const RoundBuffers& buffers) const {
    constexpr std::uint64_t left_over = kPlacesTaken * kThreads / kWarp;  // by a block
    const std::uint64_t blocks =
        (buffers.capacity - left_over) / (letters_ * kBlockClasses + left_over);
    ensure(blocks != 0, "the extensions of a block's classes fit a round");
    return blocks * kBlockClasses;
  }

  void exchange_round(unsigned round) {
    for (const std::unique_ptr<Shard>& shard : shards_) {
      use(shard->device);
      const RoundBuffers& buffers = *shard->buffers[round % 2];
      buffers.formed.synchronize();
      for (std::size_t to = 0; to < shards_.size(); ++to) {
        ensure(buffers.count_to(to) <= buffers.capacity, "a round's keys fit their buffers");
      }
    }
    const unsigned which = round % 2;
    send_keys(which);
    look_up(which);
    for (const std::unique_ptr<Shard>& shard : shards_) collect(*shard, which);
  }

  [[nodiscard]] const RoundBuffers& buffers(std::size_t shard, unsigned which) const {
    return *shards_[shard]->buffers[which];
  }

  /// To the devices whose share they are, where nobody needs what the last round but one had there.
  void send_keys(unsigned which) const {
    for (std::size_t from = 0; from < shards_.size(); ++from) {
      const Shard& shard = *shards_[from];
      use(shard.device);
      for (std::size_t to = 0; to < shards_.size(); ++to) {
        buffers(to, which).done.hold_up(shard.sending);
        for (unsigned part = 0; part < 2 && to != from; ++part) {
          copy(buffers(from, which).outgoing_to(to, part), shard,
               buffers(to, which).incoming_from(from, part), *shards_[to],
               buffers(from, which).count_to(to) * sizeof(Word), shard.sending);
        }
      }
      buffers(from, which).sent.record(shard.sending);
    }
  }

  /// On each device the keys that it received; the answers go back.
  void look_up(unsigned which) const {
    for (std::size_t at = 0; at < shards_.size(); ++at) {
      const Shard& shard = *shards_[at];
      use(shard.device);
      const RoundBuffers& own = buffers(at, which);
      for (std::size_t from = 0; from < shards_.size(); ++from) {
        const std::uint64_t count = buffers(from, which).count_to(at);
        if (from == at || count == 0) continue;
        buffers(from, which).sent.hold_up(shard.looking_up);
        std::uint8_t* const answers = own.answers.data() + from * own.capacity;
        const ReceivedKeys keys{own.incoming_from(from, 0), own.incoming_from(from, 1), count,
                                answers};
        insert_received<<<blocks_for(count / kKeysPerThread), kThreads, 0,
                          shard.looking_up.get()>>>(keys, shards_.size(), shard.key_set(),
                                                    shard.counters.data());
        check(cudaGetLastError(), "looking keys up");
        copy(answers, shard, buffers(from, which).answered.data() + at * own.capacity,
             *shards_[from], count, shard.looking_up);
      }
      own.replied.record(shard.looking_up);
    }
  }

  /// The links of the device's keys that were new.
  void collect(const Shard& shard, unsigned which) const {
    use(shard.device);
    const RoundBuffers& own = *shard.buffers[which];
    for (std::size_t to = 0; to < shards_.size(); ++to) {
      buffers(to, which).replied.hold_up(shard.looking_up);
      const std::uint64_t count = own.count_to(to);
      if (count == 0 || shard.found.size() == 0) continue;
      collect_links<<<blocks_for(count / kKeysPerThread), kThreads, 0, shard.looking_up.get()>>>(
          own.answered.data() + to * own.capacity, own.outgoing_to(to, 2), count, shard.result());
      check(cudaGetLastError(), "collecting new classes");
    }
    own.done.record(shard.looking_up);
  }

  /// By the devices' copy engines, which leaves their processors to the kernels.
  static void copy(const void* source, const Shard& from, void* target, const Shard& to,
                   std::uint64_t bytes, const Stream& stream) {
    check(cudaMemcpyPeerAsync(target, to.device, source, from.device, bytes, stream.get()),
          "copying between devices");
  }

  /// Lets the devices copy to each other's memory directly, where they can.
  static void connect(std::span<const int> devices) {
    for (const int from : devices) {
      use(from);
      for (const int to : devices) {
        int possible = 0;
        if (from == to) continue;
        check(cudaDeviceCanAccessPeer(&possible, from, to), "asking how devices are connected");
        if (possible == 0) continue;
        const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
        if (status == cudaErrorPeerAccessAlreadyEnabled) {
          static_cast<void>(cudaGetLastError());
        } else {
          check(status, "connecting devices");
        }
      }
    }
  }

  LevelTables tables_;
  std::stop_token stop_;
  std::uint32_t letters_;
  std::size_t dimension_;
  LevelKernels::Extend form_keys_;
  ExtendShare extend_share_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::uint64_t memory_ = 0;  ///< of each device, for links and states
  std::uint64_t classes_ = 1;
  double last_classes_ = 1;
  double ratio_ = 64;
  bool dealt_ = false;
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
