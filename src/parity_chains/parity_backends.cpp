#include "parity_chains/parity_backends.hpp"

#include "parity_chains/backend/emulated_parity_walks.hpp"
#ifdef QUARTZ_WITH_CUDA
#include "parity_chains/cuda/cuda_parity_walks.hpp"
#endif

namespace quartz::parity_chains {

std::span<const ParityBackend> parity_backends() {
  static constexpr ParityBackend kBackends[] = {
#ifdef QUARTZ_WITH_CUDA
      {"cuda", &cuda_parities_available, &make_cuda_parity_walks},
#endif
      {"emulator", [] { return true; }, &make_emulated_parity_walks},
  };
  return kBackends;
}

}  // namespace quartz::parity_chains
