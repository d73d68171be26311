#include "flips/cuda/cuda_flip_walks.hpp"

#include <cuda_runtime.h>

#include <numeric>

#include "base/chains/chains_of_devices.hpp"
#include "base/cuda/device_array.cuh"
#include "flips/chain/chain_start.hpp"
#include "flips/chain/flip_chain.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::flips {
namespace {

using cuda::check;
using cuda::DeviceArray;

/// Chains of a block, each of which has a warp and 3 KiB of shared memory.
constexpr std::uint32_t kChainsPerBlock = 4;

/// The lanes of a warp.
struct WarpLanes {
  template <typename Test>
  [[nodiscard]] __device__ std::uint32_t ballot(const Test& test) const {
    return __ballot_sync(0xffffffffU, test(threadIdx.x % kLanes));
  }
  template <typename Function>
  __device__ void for_each_below(std::uint32_t end, const Function& function) const {
    for (std::uint32_t i = threadIdx.x % kLanes; i < end; i += kLanes) function(i);
  }
  __device__ void wait() const { __syncwarp(); }
};

__device__ void copy_set(const ProductSet& from, ProductSet& to) {
  const std::uint32_t size = from.size;
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    WarpLanes().for_each_below(size,
                               [&](std::uint32_t i) { to.forms[slot][i] = from.forms[slot][i]; });
  }
  to.size = size;
  __syncwarp();
}

__global__ void __launch_bounds__(kChainsPerBlock* kLanes)
    run_chains(FlipKind kind, ProductSet* current, ProductSet* best, ChainState* states,
               std::uint32_t chains, std::uint32_t draws, std::uint32_t sufficient) {
  __shared__ ProductSet sets[kChainsPerBlock];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t index = blockIdx.x * kChainsPerBlock + warp;
  if (index >= chains) return;
  copy_set(current[index], sets[warp]);
  FlipChain<WarpLanes> chain({}, kind, sets[warp], best[index], states[index]);
  chain.run(draws, sufficient);
  __syncwarp();
  copy_set(sets[warp], current[index]);
  states[index] = chain.state();
}

__global__ void gather_sizes(const ProductSet* sets, std::uint32_t chains, std::uint32_t* sizes) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < chains) sizes[i] = sets[i].size;
}

/// Copies best sets to both sets of other chains. No chain is both read and written.
__global__ void copy_best_sets(ProductSet* current, ProductSet* best, const std::uint32_t* from,
                               std::uint32_t chains) {
  const std::uint32_t index = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  if (index >= chains || from[index] == index) return;
  copy_set(best[from[index]], current[index]);
  copy_set(best[from[index]], best[index]);
}

unsigned blocks_for(std::uint32_t items, std::uint32_t per_block) {
  return (items + per_block - 1) / per_block;
}

/// The chains of one device.
class DeviceChains {
 public:
  DeviceChains(int device, const FlipWalkStart& start, std::span<const ChainState> states)
      : device_(device), kind_(start.kind), chains_(static_cast<std::uint32_t>(states.size())) {
    select();
    const std::vector<ProductSet> sets(chains_, product_set(start.products));
    current_ = DeviceArray<ProductSet>(std::span<const ProductSet>(sets));
    best_ = DeviceArray<ProductSet>(std::span<const ProductSet>(sets));
    states_ = DeviceArray<ChainState>(states);
    numbers_ = DeviceArray<std::uint32_t>(chains_);
  }

  [[nodiscard]] std::uint32_t chains() const { return chains_; }
  void begin(std::uint32_t draws, std::uint32_t sufficient) {
    select();
    run_chains<<<blocks_for(chains_, kChainsPerBlock), kChainsPerBlock * kLanes>>>(
        kind_, current_.data(), best_.data(), states_.data(), chains_, draws, sufficient);
    check(cudaGetLastError(), "starting chains of flips");
  }
  void append_sizes(std::vector<std::uint32_t>& sizes) {
    select();
    gather_sizes<<<blocks_for(chains_, 256), 256>>>(best_.data(), chains_, numbers_.data());
    check(cudaGetLastError(), "reading the sizes of sets of products");
    const std::size_t before = sizes.size();
    sizes.resize(before + chains_);
    numbers_.copy_out(std::span(sizes).subspan(before));
  }
  void continue_from(std::span<const std::uint32_t> from) {
    select();
    numbers_.copy_in(from);
    copy_best_sets<<<blocks_for(chains_, 256 / kLanes), 256>>>(current_.data(), best_.data(),
                                                               numbers_.data(), chains_);
    check(cudaGetLastError(), "copying sets of products");
  }
  [[nodiscard]] std::uint64_t flips() const {
    select();
    std::vector<ChainState> states(chains_);
    states_.copy_out(states);
    return flips_of(states);
  }
  [[nodiscard]] ProductSet set_of(std::uint32_t chain) const {
    select();
    ProductSet set{};
    check(cudaMemcpy(&set, best_.data() + chain, sizeof(set), cudaMemcpyDeviceToHost),
          "copying a set of products from the device");
    return set;
  }
  /// Replaces both sets of a chain.
  void set(std::uint32_t chain, const ProductSet& products) {
    select();
    for (ProductSet* const sets : {current_.data(), best_.data()}) {
      check(cudaMemcpy(sets + chain, &products, sizeof(products), cudaMemcpyHostToDevice),
            "copying a set of products to the device");
    }
  }

 private:
  void select() const { check(cudaSetDevice(device_), "selecting a device"); }

  int device_;
  FlipKind kind_;
  std::uint32_t chains_;
  DeviceArray<ProductSet> current_;
  DeviceArray<ProductSet> best_;
  DeviceArray<ChainState> states_;
  DeviceArray<std::uint32_t> numbers_;  ///< sizes, or the numbers of chains
};

int visible_devices() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

/// Returns how many chains a device runs at a time.
std::uint32_t resident_chains(int device) {
  check(cudaSetDevice(device), "selecting a device");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_chains, kChainsPerBlock * kLanes,
                                                      0),
        "reading the occupancy of a device");
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "reading the number of multiprocessors");
  return static_cast<std::uint32_t>(blocks * multiprocessors) * kChainsPerBlock;
}

/// Chains on all devices of the machine.
class CudaFlipWalks final : public FlipWalks {
 public:
  CudaFlipWalks(const FlipWalkStart& start, std::uint32_t most_chains) {
    const std::vector<std::uint32_t> counts =
        chains_by_device(visible_devices(), most_chains, resident_chains);
    const std::vector<ChainState> states =
        chain_states(start.seed, std::accumulate(counts.begin(), counts.end(), std::uint32_t{0}));
    std::span<const ChainState> rest = states;
    for (std::size_t device = 0; device < counts.size(); ++device) {
      chains_.add(std::make_unique<DeviceChains>(static_cast<int>(device), start,
                                                 rest.first(counts[device])));
      rest = rest.subspan(counts[device]);
    }
  }

  [[nodiscard]] std::uint32_t chains() const override { return chains_.chains(); }
  void begin(std::uint32_t draws, std::uint32_t sufficient) override {
    for (const auto& device : chains_.devices()) device->begin(draws, sufficient);
  }
  [[nodiscard]] std::vector<std::uint32_t> finish() override { return chains_.sizes(); }
  void continue_from(std::span<const std::uint32_t> chains) override {
    chains_.continue_from(chains);
  }
  [[nodiscard]] std::uint64_t flips() const override {
    std::uint64_t sum = 0;
    for (const auto& device : chains_.devices()) sum += device->flips();
    return sum;
  }
  [[nodiscard]] std::vector<WordProduct> best_of(std::uint32_t chain) const override {
    return products_of(chains_.set_of(chain));
  }

 private:
  ChainsOfDevices<DeviceChains> chains_;
};

}  // namespace

bool cuda_flips_available() { return visible_devices() > 0; }

std::unique_ptr<FlipWalks> make_cuda_flip_walks(const FlipWalkStart& start,
                                                std::uint32_t most_chains) {
  return std::make_unique<CudaFlipWalks>(start, most_chains);
}

}  // namespace quartz::flips
