#include "window_chains/backend/device_group.hpp"

#include <cstddef>

#include "quartz/base/parallel_for.hpp"

namespace quartz::window_chains {

std::uint32_t DeviceGroup::chains() const {
  std::uint32_t sum = 0;
  for (const std::unique_ptr<ChainDevice>& device : devices_) sum += device->chains();
  return sum;
}

std::vector<ChainEnd> DeviceGroup::run(const ChainRound& round, ChainRange range,
                                       const ChainLabels& labels) {
  const std::size_t count = devices_.size();
  const auto end_of = [&](std::size_t i) {
    return static_cast<std::uint32_t>(std::uint64_t{range.count} * i / count);
  };
  std::vector<std::vector<ChainEnd>> parts(count);
  on_threads(count, [&](std::size_t i) {
    parts[i] =
        devices_[i]->run(round, {range.first + end_of(i), end_of(i + 1) - end_of(i)}, labels);
  });
  std::vector<ChainEnd> ends;
  ends.reserve(range.count);
  for (const std::vector<ChainEnd>& part : parts) ends.insert(ends.end(), part.begin(), part.end());
  return ends;
}

}  // namespace quartz::window_chains
