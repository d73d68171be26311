#include "parity_perf.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <set>
#include <string_view>

#include "parity_chains/parity_backends.hpp"

namespace quartz::perf {

namespace {

const parity_chains::ParityBackend* parity_backend(std::string_view name) {
  const auto backends = parity_chains::parity_backends();
  const auto found = std::ranges::find(backends, name, &parity_chains::ParityBackend::name);
  return found == backends.end() ? nullptr : &*found;
}

/// Returns the parities of the products a_i b_j x^(i + j) modulo x^8 + x^4 + x^3 + x + 1, a
/// multiplier in the field of 256 elements, as points.
parity_chains::ParityWalkStart multiplier_of_8_bits() {
  constexpr unsigned kBits = 8;
  constexpr std::uint64_t kModulus = 0x11b;
  constexpr std::uint64_t kOrigin = std::uint64_t{1} << 3 * kBits;
  std::set<std::uint64_t> points;
  const auto exchange = [&](std::uint64_t parity) {
    const auto [place, is_new] = points.insert(parity | kOrigin);
    if (!is_new) points.erase(place);
  };
  for (unsigned i = 0; i < kBits; ++i) {
    for (unsigned j = 0; j < kBits; ++j) {
      std::uint64_t power = std::uint64_t{1} << (i + j);
      for (unsigned bit = 2 * kBits - 2; bit >= kBits; --bit) {
        if ((power >> bit & 1U) != 0) power ^= kModulus << (bit - kBits);
      }
      const std::uint64_t f = std::uint64_t{1} << i;
      const std::uint64_t g = std::uint64_t{1} << (kBits + j);
      const std::uint64_t h = power << 2 * kBits;
      for (const std::uint64_t sum : {f, g, h, f ^ g, f ^ h, g ^ h, f ^ g ^ h}) exchange(sum);
    }
  }
  if (points.size() % 2 != 0) exchange(0);
  return {{{points.begin(), points.end()}}, 3 * kBits + 1, true, 1};
}

/// Walks with chains, and counts the candidates that they test per second of elapsed time.
void parity_candidates(benchmark::State& state, std::string_view name, std::uint32_t chains,
                       std::uint32_t batches) {
  const auto walks = parity_backend(name)->make(multiplier_of_8_bits(), chains);
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    walks->begin(batches);
    benchmark::DoNotOptimize(walks->finish());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(seconds.count());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(walks->candidates()));
}

}  // namespace

bool has_parity_device() {
  const parity_chains::ParityBackend* const backend = parity_backend("cuda");
  return backend != nullptr && backend->available();
}

void parity_candidates_emulator(benchmark::State& state) {
  parity_candidates(state, "emulator", 1, 200);
}
void parity_candidates_cuda(benchmark::State& state) { parity_candidates(state, "cuda", 0, 4000); }

}  // namespace quartz::perf
