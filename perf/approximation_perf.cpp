#include "approximation_perf.hpp"

#include <vector>

#include "base/random.hpp"
#include "benchmark_list.hpp"
#include "quartz/approximation/rotation.hpp"

namespace quartz::perf {
namespace {

constexpr std::size_t kAngles = 100;

/// Approximates rotations by random angles one after the other.
void approximate_at(benchmark::State& state, double epsilon) {
  FastRandom random(0);
  std::vector<Angle> angles;
  for (std::size_t i = 0; i < kAngles; ++i) {
    angles.push_back(Angle::radians({static_cast<int>(random.below(6'283'185)), 1'000'000}));
  }
  for (auto _ : state) {
    for (const Angle& angle : angles) {
      benchmark::DoNotOptimize(approximate_rotation(angle, epsilon));
    }
  }
  count_items(state, kAngles);
}

}  // namespace

void approximated_rotations_1e_3(benchmark::State& state) { approximate_at(state, 1e-3); }
void approximated_rotations_1e_5(benchmark::State& state) { approximate_at(state, 1e-5); }
void approximated_rotations_1e_10(benchmark::State& state) { approximate_at(state, 1e-10); }

}  // namespace quartz::perf
