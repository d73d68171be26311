#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/chains/chains_of_devices.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;

namespace {

/// Chains whose sets are texts.
class TextDevice {
 public:
  explicit TextDevice(std::vector<std::string> sets) : sets_(std::move(sets)) {}

  [[nodiscard]] std::uint32_t chains() const { return static_cast<std::uint32_t>(sets_.size()); }
  void append_sizes(std::vector<std::uint32_t>& sizes) const {
    for (const std::string& set : sets_) sizes.push_back(static_cast<std::uint32_t>(set.size()));
  }
  void continue_from(std::span<const std::uint32_t> from) {
    const std::vector<std::string> before = sets_;
    for (std::size_t i = 0; i < sets_.size(); ++i) sets_[i] = before[from[i]];
  }
  [[nodiscard]] std::string set_of(std::uint32_t chain) const { return sets_[chain]; }
  void set(std::uint32_t chain, const std::string& set) { sets_[chain] = set; }

 private:
  std::vector<std::string> sets_;
};

ChainsOfDevices<TextDevice> three_devices() {
  ChainsOfDevices<TextDevice> chains;
  chains.add(std::make_unique<TextDevice>(std::vector<std::string>{"a", "bb"}));
  chains.add(std::make_unique<TextDevice>(std::vector<std::string>{"ccc"}));
  chains.add(std::make_unique<TextDevice>(std::vector<std::string>{"dd", "e", "ff"}));
  return chains;
}

std::vector<std::string> sets_of(const ChainsOfDevices<TextDevice>& chains) {
  std::vector<std::string> sets;
  for (std::uint32_t i = 0; i < chains.chains(); ++i) sets.push_back(chains.set_of(i));
  return sets;
}

}  // namespace

TEST_CASE("chains of several devices are numbered through", "[chains_of_devices]") {
  ChainsOfDevices<TextDevice> chains = three_devices();
  CHECK(chains.chains() == 6);
  CHECK(chains.sizes() == std::vector<std::uint32_t>{1, 2, 3, 2, 1, 2});
  chains.set(3, std::string("x"));
  CHECK(sets_of(chains) == std::vector<std::string>{"a", "bb", "ccc", "x", "e", "ff"});
  CHECK_THROWS_AS(chains.set_of(6), InternalError);
}

TEST_CASE("chains go on from those of other devices, too", "[chains_of_devices]") {
  ChainsOfDevices<TextDevice> chains = three_devices();
  // 0 and 4 are the sources, which go on from their own sets.
  chains.continue_from(std::vector<std::uint32_t>{0, 0, 4, 0, 4, 4});
  CHECK(sets_of(chains) == std::vector<std::string>{"a", "a", "e", "a", "e", "e"});
}

TEST_CASE("devices run as many chains as they can, up to a number", "[chains_of_devices]") {
  const auto resident = [](int device) { return static_cast<std::uint32_t>(10 * (device + 1)); };
  CHECK(chains_by_device(3, 0, resident) == std::vector<std::uint32_t>{10, 20, 30});
  CHECK(chains_by_device(3, 25, resident) == std::vector<std::uint32_t>{10, 15});
  CHECK(chains_by_device(3, 4, resident) == std::vector<std::uint32_t>{4});
  CHECK(chains_by_device(0, 4, resident).empty());
}
