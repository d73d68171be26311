#include "optimize/rank_reduction/device_walk.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/device_error.hpp"

namespace quartz::optimizer {

namespace {

using parity_chains::Points;

/// Points of a table for which a device is used, and the least time: starting it takes a third of a
/// second, which would exceed a shorter time.
constexpr std::size_t kMinPoints = 40;
constexpr double kMinSeconds = 1;
/// Tables that are drawn before the chains start.
constexpr std::size_t kDrawnStarts = 16;

}  // namespace

bool suits_device(const parity_chains::ParityBackend* device,
                  const parity_chains::ParityWalkStart& start, const Budget& budget) {
  return device != nullptr && parity_chains::fits_chains(start) &&
         std::ranges::max(start.tables, {}, &Points::size).size() >= kMinPoints &&
         (!budget.has_deadline() || budget.seconds_left() >= kMinSeconds) && device->available();
}

Points walked_on_device(const parity_chains::ParityBackend& device,
                        parity_chains::ParityWalkStart start,
                        const parity_chains::WalkCallbacks& callbacks, const Budget& budget) {
  const std::size_t most = std::ranges::max(start.tables, {}, &Points::size).size();
  const Points smallest = std::ranges::min(start.tables, {}, &Points::size);
  parity_chains::WalkCallbacks fitting = callbacks;
  if (callbacks.draw) {
    fitting.draw = [&]() -> std::optional<Points> {
      std::optional<Points> drawn = callbacks.draw();
      if (!drawn || drawn->empty() || drawn->size() > most) return std::nullopt;
      return drawn;
    };
    for (std::size_t i = 0; i < kDrawnStarts && !budget.spent(); ++i) {
      if (auto table = fitting.draw()) start.tables.push_back(*std::move(table));
    }
  }
  try {
    return parity_chains::walked_in_parallel(device, start, fitting, budget).points;
  } catch (const DeviceError&) {
    return smallest;
  }
}

}  // namespace quartz::optimizer
