#include <utility>

#include "classes/backend/extension_key.hpp"
#include "classes/cuda/cuda_backend.hpp"
#include "classes/cuda/device_memory.cuh"

namespace quartz::classes {
namespace cuda {
namespace {

constexpr unsigned kThreads = 256;
/// Number of extensions on the device at a time, which bounds the device memory needed.
constexpr std::size_t kBatch = std::size_t{1} << 22U;

unsigned blocks_for(std::size_t threads) {
  return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

__global__ void form_extension_keys(const algebra::Goldilocks* states, const Extension* extensions,
                                    std::size_t count, const algebra::Goldilocks* functionals,
                                    std::size_t dimension, fingerprint::FingerprintKey* keys) {
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const Extension extension = extensions[i];
  const KeyQuotient quotient =
      extension_quotient<0>(states + extension.state * dimension,
                            functionals + extension.letter * 2 * dimension, dimension);
  // Each key has a division of its own, which takes less time than the transfer.
  keys[i] = quotient.denominator.is_zero()
                ? fingerprint::kInfiniteKey
                : (quotient.numerator * quotient.denominator.inverse()).value();
}

__global__ void form_extended_states(const algebra::Goldilocks* states, const Extension* extensions,
                                     std::size_t count, LetterRows rows, std::size_t dimension,
                                     algebra::Goldilocks* extended) {
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count * dimension) return;
  const Extension extension = extensions[i / dimension];
  extended[i] =
      row_times_state(rows, dimension, extension.letter, static_cast<std::uint32_t>(i % dimension),
                      states + extension.state * dimension);
}

class CudaFingerprintBackend final : public FingerprintBackend {
 public:
  explicit CudaFingerprintBackend(fingerprint::FingerprintTables tables)
      : dimension_(tables.dimension()),
        functionals_(std::span<const algebra::Goldilocks>(tables.functionals)),
        rows_(tables) {}

  [[nodiscard]] std::string_view name() const override { return "cuda"; }

  void extension_keys(std::span<const algebra::Goldilocks> states,
                      std::span<const Extension> extensions,
                      std::span<fingerprint::FingerprintKey> keys) override {
    ensure(keys.size() == extensions.size(), "one key for each extension");
    const DeviceArray<algebra::Goldilocks> device_states(states);
    for (std::size_t begin = 0; begin < extensions.size(); begin += kBatch) {
      const std::size_t size = std::min(kBatch, extensions.size() - begin);
      const DeviceArray<Extension> device_extensions(extensions.subspan(begin, size));
      const DeviceArray<fingerprint::FingerprintKey> device_keys(size);
      form_extension_keys<<<blocks_for(size), kThreads>>>(
          device_states.data(), device_extensions.data(), size, functionals_.data(), dimension_,
          device_keys.data());
      check(cudaGetLastError(), "forming keys");
      device_keys.copy_out(keys.subspan(begin, size));
    }
  }

  void extend(std::span<const algebra::Goldilocks> states, std::span<const Extension> extensions,
              std::span<algebra::Goldilocks> extended) override {
    ensure(extended.size() == extensions.size() * dimension_, "one state for each extension");
    const DeviceArray<algebra::Goldilocks> device_states(states);
    for (std::size_t begin = 0; begin < extensions.size(); begin += kBatch) {
      const std::size_t size = std::min(kBatch, extensions.size() - begin);
      const DeviceArray<Extension> device_extensions(extensions.subspan(begin, size));
      const DeviceArray<algebra::Goldilocks> device_extended(size * dimension_);
      form_extended_states<<<blocks_for(size * dimension_), kThreads>>>(
          device_states.data(), device_extensions.data(), size, rows_.view(), dimension_,
          device_extended.data());
      check(cudaGetLastError(), "extending states");
      device_extended.copy_out(extended.subspan(begin * dimension_, size * dimension_));
    }
  }

 private:
  std::size_t dimension_;
  DeviceArray<algebra::Goldilocks> functionals_;
  DeviceLetterRows rows_;
};

}  // namespace
}  // namespace cuda

bool cuda_available() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

std::unique_ptr<FingerprintBackend> make_cuda_fingerprint_backend(
    fingerprint::FingerprintTables tables, unsigned /*threads*/) {
  return std::make_unique<cuda::CudaFingerprintBackend>(std::move(tables));
}

}  // namespace quartz::classes
