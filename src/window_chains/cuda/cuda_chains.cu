#include "window_chains/cuda/cuda_chains.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <mutex>

#include "base/cuda/device_array.cuh"
#include "quartz/base/errors.hpp"
#include "window_chains/cuda/chain_kernels.cuh"

namespace quartz::window_chains {
namespace {

using cuda::check;
using cuda::DeviceArray;

/// Chains of a warp, and blocks of a multiprocessor.
constexpr unsigned kGroups = 1;
constexpr unsigned kBlocks = 8;

/// An event at which the host waits without using its processor.
class BlockingEvent {
 public:
  BlockingEvent() {
    check(cudaEventCreateWithFlags(&event_, cudaEventBlockingSync | cudaEventDisableTiming),
          "creating an event");
  }
  BlockingEvent(const BlockingEvent&) = delete;
  BlockingEvent& operator=(const BlockingEvent&) = delete;
  ~BlockingEvent() { static_cast<void>(cudaEventDestroy(event_)); }

  /// Waits until all that was started is done.
  void wait() {
    check(cudaEventRecord(event_), "starting an event");
    check(cudaEventSynchronize(event_), "waiting for chains of window moves");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Grows an array without keeping its contents.
template <typename T>
void reserve(DeviceArray<T>& array, std::size_t size) {
  if (array.size() >= size) return;
  array = DeviceArray<T>();  // releases the memory first
  array = DeviceArray<T>(size);
}
template <typename T>
void assign(DeviceArray<T>& array, std::span<const T> values) {
  reserve(array, values.size());
  array.copy_in(values);
}

class CudaChains final : public ChainDevice {
 public:
  CudaChains(const HostTable& table, unsigned device)
      : device_(selected(static_cast<int>(device))), classes_(table.classes) {
    alphabet_ = DeviceArray<ChainAlphabet>(std::span(&table.alphabet, 1));
    words_ = DeviceArray<std::uint64_t>(
        std::span(table.classes.words, table.classes.lines * kWordsOfLine));
    classes_.words = words_.data();
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device_),
          "reading the number of multiprocessors");
    chains_ = static_cast<std::uint32_t>(multiprocessors) * kBlocks * kWarpsPerBlock * kGroups;
  }

  [[nodiscard]] std::uint32_t chains() const override { return chains_; }
  using ChainDevice::run;
  [[nodiscard]] std::vector<ChainEnd> run(const ChainRound& round, ChainRange range,
                                          const ChainLabels& labels) override {
    if (range.count == 0) return {};
    const std::lock_guard lock(mutex_);
    selected(device_);
    const RoundView view = uploaded(round, range, labels);
    constexpr unsigned kChainsOfBlock = kWarpsPerBlock * kGroups;
    run_chains<kGroups, kBlocks>
        <<<(range.count + kChainsOfBlock - 1) / kChainsOfBlock, kWarpsPerBlock * kWarp>>>(view);
    check(cudaGetLastError(), "starting chains of window moves");
    done_.wait();
    std::vector<ChainEnd> ends(range.count);
    ends_.copy_out(ends);
    return ends;
  }

 private:
  /// Has the calls of this thread use a device, and returns its number.
  static int selected(int device) {
    check(cudaSetDevice(device), "selecting a device");
    return device;
  }

  RoundView uploaded(const ChainRound& round, ChainRange range, const ChainLabels& labels) {
    assign(labels_, std::span<const ChainLabel>(labels.labels));
    assign(label_of_, std::span<const std::uint16_t>(labels.label_of));
    assign(start_gates_, std::span<const ChainGate>(round.starts.gates));
    assign(starts_, std::span<const ChainStart>(round.starts.circuits));
    std::vector<ChainStage> stages;
    for (const std::vector<ChainStage>& schedule : round.schedules) {
      stages.insert(stages.end(), schedule.begin(), schedule.end());
    }
    assign(stages_, std::span<const ChainStage>(stages));
    std::uint32_t most = 0;
    for (const ChainStart& start : round.starts.circuits) most = std::max(most, start.gates);
    const std::uint32_t capacity = chain_capacity(most);
    reserve(gates_, std::size_t{capacity} * range.count);
    reserve(free_, std::size_t{capacity} * range.count);
    const std::uint32_t parities = chain_parities(capacity);
    reserve(order_, std::size_t{capacity} * range.count);
    reserve(wires_, std::size_t{kMostChainWires} * range.count);
    reserve(parities_, std::size_t{parities} * range.count);
    reserve(ends_, range.count);
    return {.tables = labels.tables(alphabet_.data(), classes_, labels_.data(), label_of_.data()),
            .start_gates = start_gates_.data(),
            .starts = starts_.data(),
            .start_count = static_cast<std::uint32_t>(round.starts.circuits.size()),
            .stages = stages_.data(),
            .stage_count = static_cast<std::uint32_t>(round.schedules.front().size()),
            .schedules = static_cast<std::uint32_t>(round.schedules.size()),
            .first = range.first,
            .chains = range.count,
            .seed = round.seed,
            .gates = gates_.data(),
            .free = free_.data(),
            .capacity = capacity,
            .rotations = {order_.data(), wires_.data(), parities_.data(), parities},
            .ends = ends_.data()};
  }

  std::mutex mutex_;
  const int device_;  ///< selected before the other members are made, which belong to it
  ClassWords classes_;
  std::uint32_t chains_ = 0;
  BlockingEvent done_;
  DeviceArray<ChainAlphabet> alphabet_;
  DeviceArray<std::uint64_t> words_;
  DeviceArray<ChainLabel> labels_;
  DeviceArray<std::uint16_t> label_of_;
  DeviceArray<ChainGate> start_gates_;
  DeviceArray<ChainStart> starts_;
  DeviceArray<ChainStage> stages_;
  DeviceArray<ChainGate> gates_;
  DeviceArray<Place> free_;
  DeviceArray<Place> order_;
  DeviceArray<ChainWire> wires_;
  DeviceArray<ChainParity> parities_;
  DeviceArray<ChainEnd> ends_;
};

}  // namespace

unsigned cuda_chain_devices() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) return 0;
  return static_cast<unsigned>(std::max(devices, 0));
}

std::unique_ptr<ChainDevice> make_cuda_chains(const HostTable& table, unsigned device) {
  return std::make_unique<CudaChains>(table, device);
}

}  // namespace quartz::window_chains
