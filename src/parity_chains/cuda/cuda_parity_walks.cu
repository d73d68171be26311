#include "parity_chains/cuda/cuda_parity_walks.hpp"

#include <cuda_runtime.h>

#include <numeric>

#include "base/chains/chains_of_devices.hpp"
#include "base/cuda/device_array.cuh"
#include "parity_chains/chain/chain_start.hpp"
#include "parity_chains/chain/parity_chain.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::parity_chains {
namespace {

using cuda::check;
using cuda::DeviceArray;

constexpr std::uint32_t kWarp = 32;

/// The threads of a warp.
struct WarpLanes {
  __device__ void wait() const { __syncwarp(); }
  template <typename Function>
  __device__ void leader(const Function& function) const {
    if (threadIdx.x % kWarp == 0) function();
  }
  template <typename Function>
  __device__ void for_each_below(std::uint32_t end, const Function& function) const {
    for (std::uint32_t i = threadIdx.x % kWarp; i < end; i += kWarp) function(i);
  }
  template <typename Function>
  [[nodiscard]] __device__ std::uint64_t max_of(std::uint32_t end, const Function& function) const {
    std::uint64_t most = 0;
    for (std::uint32_t i = threadIdx.x % kWarp; i < end; i += kWarp) {
      const std::uint64_t value = function(i);
      if (value > most) most = value;
    }
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
      const std::uint64_t other = __shfl_xor_sync(0xffffffffU, most, distance);
      if (other > most) most = other;
    }
    return most;
  }
  /// There are at most as many words as lanes.
  [[nodiscard]] __device__ std::uint32_t first_word(const std::uint64_t* words,
                                                    std::uint32_t count) const {
    const std::uint32_t lane = threadIdx.x % kWarp;
    const unsigned found = __ballot_sync(0xffffffffU, lane < count && words[lane] != 0);
    return found == 0 ? count : static_cast<std::uint32_t>(__ffs(static_cast<int>(found))) - 1;
  }
  template <typename Test>
  [[nodiscard]] __device__ std::uint32_t collect(std::uint32_t end, std::uint32_t* numbers,
                                                 std::uint32_t most, const Test& test) const {
    const std::uint32_t lane = threadIdx.x % kWarp;
    std::uint32_t count = 0;
    for (std::uint32_t begin = 0; begin < end && count < most; begin += kWarp) {
      const std::uint32_t i = begin + lane;
      const bool passes = i < end && test(i);
      const unsigned passed = __ballot_sync(0xffffffffU, passes);
      const std::uint32_t place =
          count + static_cast<std::uint32_t>(__popc(passed & ((1U << lane) - 1)));
      if (passes && place < most) numbers[place] = i;
      count += static_cast<std::uint32_t>(__popc(passed));
    }
    __syncwarp();
    return count < most ? count : most;
  }
};

/// The threads of a block.
struct BlockLanes {
  std::uint64_t* values;  ///< in shared memory, one for each warp

  __device__ void wait() const { __syncthreads(); }
  template <typename Function>
  __device__ void leader(const Function& function) const {
    if (threadIdx.x == 0) function();
  }
  template <typename Function>
  __device__ void for_each_below(std::uint32_t end, const Function& function) const {
    for (std::uint32_t i = threadIdx.x; i < end; i += kBatch) function(i);
  }
  template <typename Test, typename Function>
  __device__ void for_each_cell(std::uint32_t rows, std::uint32_t columns, const Test& test,
                                const Function& function) const {
    for (std::uint32_t row = threadIdx.x / kWarp; row < rows; row += kBatch / kWarp) {
      const bool passes = test(row);
      __syncwarp();
      if (!passes) continue;
      for (std::uint32_t column = threadIdx.x % kWarp; column < columns; column += kWarp) {
        function(row, column);
      }
    }
  }
  template <typename Function>
  [[nodiscard]] __device__ std::uint64_t xor_of(std::uint32_t end, const Function& function) const {
    return combined(end, function, [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
  }
  template <typename Function>
  [[nodiscard]] __device__ std::uint64_t sum_of(std::uint32_t end, const Function& function) const {
    return combined(end, function, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  }
  template <typename Function>
  [[nodiscard]] __device__ std::uint64_t max_of(std::uint32_t end, const Function& function) const {
    return combined(end, function, [](std::uint64_t a, std::uint64_t b) { return a < b ? b : a; });
  }
  /// Every warp finds the word by itself.
  [[nodiscard]] __device__ std::uint32_t first_word(const std::uint64_t* words,
                                                    std::uint32_t count) const {
    return WarpLanes().first_word(words, count);
  }
  [[nodiscard]] __device__ bool claim(std::uint32_t* place, std::uint32_t number) const {
    return atomicCAS(place, 0U, number) == 0;
  }
  __device__ void set_bit(std::uint32_t* words, std::uint32_t bit) const {
    atomicOr(words + bit / 32, std::uint32_t{1} << bit % 32);
  }
  template <typename Function>
  __device__ void for_each_item(std::uint32_t count, const Function& function) const {
    const std::uint32_t warp = threadIdx.x / kWarp;
    for (std::uint32_t i = warp; i < count; i += kGroups) function(i, warp, WarpLanes());
  }

 private:
  template <typename Function, typename Combine>
  [[nodiscard]] __device__ std::uint64_t combined(std::uint32_t end, const Function& function,
                                                  const Combine& combine) const {
    std::uint64_t value = 0;
    for (std::uint32_t i = threadIdx.x; i < end; i += kBatch) value = combine(value, function(i));
    for (std::uint32_t distance = kWarp / 2; distance > 0; distance /= 2) {
      value = combine(value, __shfl_xor_sync(0xffffffffU, value, static_cast<int>(distance)));
    }
    if (threadIdx.x % kWarp == 0) values[threadIdx.x / kWarp] = value;
    __syncthreads();
    std::uint64_t result = values[0];
    for (std::uint32_t i = 1; i < kBatch / kWarp; ++i) result = combine(result, values[i]);
    __syncthreads();
    return result;
  }
};

template <int kRows>
__global__ void __launch_bounds__(kBatch)
    run_chains(ChainShape shape, std::uint64_t* product_hashes, ChainTable* tables,
               ChainState* states, std::uint32_t batches) {
  extern __shared__ std::uint64_t shared[];
  __shared__ std::uint64_t values[kBatch / kWarp];
  ChainMemory memory{};
  memory.place(shared, shape);
  const std::uint32_t index = blockIdx.x;
  run_chain<kRows>(BlockLanes{values}, shape, memory,
                   product_hashes + index * product_hashes_of(shape), tables[index], states[index],
                   batches);
}

__global__ void gather_sizes(const ChainTable* tables, std::uint32_t chains, std::uint32_t* sizes) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < chains) sizes[i] = tables[i].size;
}

/// Copies tables to those of other chains. No chain is both read and written.
__global__ void copy_tables(ChainTable* tables, const std::uint32_t* from) {
  const std::uint32_t index = blockIdx.x;
  if (from[index] == index) return;
  const ChainTable& source = tables[from[index]];
  for (std::uint32_t i = threadIdx.x; i < source.size; i += blockDim.x) {
    tables[index].points[i] = source.points[i];
  }
  if (threadIdx.x == 0) tables[index].size = source.size;
}

/// The chains of one device.
class DeviceChains {
 public:
  DeviceChains(int device, const ChainShape& shape, std::span<const ChainTable> tables,
               std::span<const ChainState> states)
      : device_(device), shape_(shape), chains_(static_cast<std::uint32_t>(tables.size())) {
    select();
    tables_ = DeviceArray<ChainTable>(tables);
    states_ = DeviceArray<ChainState>(states);
    numbers_ = DeviceArray<std::uint32_t>(chains_);
    product_hashes_ = DeviceArray<std::uint64_t>(chains_ * product_hashes_of(shape));
  }

  [[nodiscard]] std::uint32_t chains() const { return chains_; }
  void begin(std::uint32_t batches) {
    select();
    for_rows(shape_.dimension, [&]<int kRows>() {
      run_chains<kRows><<<chains_, kBatch, memory_of(shape_)>>>(
          shape_, product_hashes_.data(), tables_.data(), states_.data(), batches);
    });
    check(cudaGetLastError(), "starting chains of parities");
  }
  void append_sizes(std::vector<std::uint32_t>& sizes) {
    select();
    gather_sizes<<<(chains_ + 255) / 256, 256>>>(tables_.data(), chains_, numbers_.data());
    check(cudaGetLastError(), "reading the sizes of tables of parities");
    const std::size_t before = sizes.size();
    sizes.resize(before + chains_);
    numbers_.copy_out(std::span(sizes).subspan(before));
  }
  void continue_from(std::span<const std::uint32_t> from) {
    select();
    numbers_.copy_in(from);
    copy_tables<<<chains_, 128>>>(tables_.data(), numbers_.data());
    check(cudaGetLastError(), "copying tables of parities");
  }
  [[nodiscard]] std::uint64_t candidates() const {
    select();
    std::vector<ChainState> states(chains_);
    states_.copy_out(states);
    return candidates_of(states);
  }
  [[nodiscard]] ChainTable set_of(std::uint32_t chain) const {
    select();
    ChainTable table{};
    check(cudaMemcpy(&table, tables_.data() + chain, sizeof(table), cudaMemcpyDeviceToHost),
          "copying a table of parities from the device");
    return table;
  }
  void set(std::uint32_t chain, const ChainTable& table) {
    select();
    check(cudaMemcpy(tables_.data() + chain, &table, sizeof(table), cudaMemcpyHostToDevice),
          "copying a table of parities to the device");
  }

 private:
  void select() const { check(cudaSetDevice(device_), "selecting a device"); }

  int device_;
  ChainShape shape_;
  std::uint32_t chains_;
  DeviceArray<ChainTable> tables_;
  DeviceArray<ChainState> states_;
  DeviceArray<std::uint32_t> numbers_;  ///< sizes, or the numbers of chains
  DeviceArray<std::uint64_t> product_hashes_;
};

int visible_devices() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

/// Returns how many chains a device runs at a time.
std::uint32_t resident_chains(int device, const ChainShape& shape) {
  check(cudaSetDevice(device), "selecting a device");
  int blocks = 0;
  for_rows(shape.dimension, [&]<int kRows>() {
    check(cudaFuncSetAttribute(run_chains<kRows>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(memory_of(shape))),
          "reserving shared memory for chains of parities");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_chains<kRows>, kBatch,
                                                        memory_of(shape)),
          "reading the occupancy of a device");
  });
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "reading the number of multiprocessors");
  return static_cast<std::uint32_t>(blocks * multiprocessors);
}

/// Chains on all devices of the machine.
class CudaParityWalks final : public ParityWalks {
 public:
  CudaParityWalks(const ParityWalkStart& start, std::uint32_t most_chains)
      : shape_(shape_of(start)) {
    const std::vector<std::uint32_t> counts =
        chains_by_device(visible_devices(), most_chains,
                         [&](int device) { return resident_chains(device, shape_); });
    const std::uint32_t chains = std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
    const std::vector<ChainTable> tables = chain_tables(start, chains);
    const std::vector<ChainState> states = chain_states(start.seed, chains);
    std::size_t first = 0;
    for (std::size_t device = 0; device < counts.size(); ++device) {
      if (counts[device] == 0) continue;
      chains_.add(std::make_unique<DeviceChains>(static_cast<int>(device), shape_,
                                                 std::span(tables).subspan(first, counts[device]),
                                                 std::span(states).subspan(first, counts[device])));
      first += counts[device];
    }
  }

  [[nodiscard]] std::uint32_t chains() const override { return chains_.chains(); }
  void begin(std::uint32_t batches) override {
    for (const auto& device : chains_.devices()) device->begin(batches);
  }
  [[nodiscard]] std::vector<std::uint32_t> finish() override { return chains_.sizes(); }
  void continue_from(std::span<const std::uint32_t> chains) override {
    chains_.continue_from(chains);
  }
  void restart(std::uint32_t chain, const Points& table) override {
    chains_.set(chain, chain_table(table, shape_));
  }
  [[nodiscard]] Points table_of(std::uint32_t chain) const override {
    return points_of(chains_.set_of(chain));
  }
  [[nodiscard]] std::uint64_t candidates() const override {
    std::uint64_t sum = 0;
    for (const auto& device : chains_.devices()) sum += device->candidates();
    return sum;
  }

 private:
  ChainShape shape_;
  ChainsOfDevices<DeviceChains> chains_;
};

}  // namespace

bool cuda_parities_available() { return visible_devices() > 0; }

std::unique_ptr<ParityWalks> make_cuda_parity_walks(const ParityWalkStart& start,
                                                    std::uint32_t most_chains) {
  return std::make_unique<CudaParityWalks>(start, most_chains);
}

}  // namespace quartz::parity_chains
