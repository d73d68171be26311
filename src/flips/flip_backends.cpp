#include "flips/flip_backends.hpp"

#include "flips/backend/emulated_flip_walks.hpp"
#ifdef QUARTZ_WITH_CUDA
#include "flips/cuda/cuda_flip_walks.hpp"
#endif

namespace quartz::flips {

std::span<const FlipBackend> flip_backends() {
  static constexpr FlipBackend kBackends[] = {
#ifdef QUARTZ_WITH_CUDA
      {"cuda", &cuda_flips_available, &make_cuda_flip_walks},
#endif
      {"emulator", [] { return true; }, &make_emulated_flip_walks},
  };
  return kBackends;
}

}  // namespace quartz::flips
