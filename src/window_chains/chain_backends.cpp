#include "window_chains/chain_backends.hpp"

#include "window_chains/backend/emulated_chains.hpp"
#ifdef QUARTZ_WITH_CUDA
#include "window_chains/cuda/cuda_chains.hpp"
#endif

namespace quartz::window_chains {

std::span<const ChainBackend> chain_backends() {
  static constexpr ChainBackend kBackends[] = {
#ifdef QUARTZ_WITH_CUDA
      {"cuda", &cuda_chain_devices, &make_cuda_chains},
#endif
      {"emulator", [] { return 1U; }, &make_emulated_chains},
  };
  return kBackends;
}

}  // namespace quartz::window_chains
