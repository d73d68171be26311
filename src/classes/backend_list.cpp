#include "classes/backend_list.hpp"

#include "classes/cpu/cpu_backend.hpp"
#include "classes/cpu/cpu_level_enumerator.hpp"
#ifdef QUARTZ_WITH_CUDA
#include "classes/cuda/cuda_backend.hpp"
#endif

namespace quartz::classes {

std::span<const FingerprintBackendEntry> fingerprint_backends() {
  static constexpr FingerprintBackendEntry kEntries[] = {
#ifdef QUARTZ_WITH_CUDA
      {"cuda", &cuda_available, &make_cuda_fingerprint_backend, &make_cuda_level_enumerator,
       &make_cuda_cost_enumerator},
#endif
      {"cpu", [] { return true; }, &make_cpu_fingerprint_backend, &make_cpu_level_enumerator,
       nullptr},
  };
  return kEntries;
}

}  // namespace quartz::classes
