#include "window_chains/backend/emulated_chains.hpp"

#include "window_chains/backend/host_chain.hpp"

namespace quartz::window_chains {

namespace {

constexpr std::uint32_t kEmulatedChains = 8;

class EmulatedChains final : public ChainDevice {
 public:
  explicit EmulatedChains(const HostTable& table) : table_(table) {}

  [[nodiscard]] std::uint32_t chains() const override { return kEmulatedChains; }
  using ChainDevice::run;
  [[nodiscard]] std::vector<ChainEnd> run(const ChainRound& round, ChainRange range,
                                          const ChainLabels& labels) override {
    std::vector<ChainEnd> ends;
    NoObserver observer;
    for (std::uint32_t i = 0; i < range.count; ++i) {
      HostChain chain(table_, labels, round, range.first + i);
      ends.push_back(chain.run(observer));
    }
    return ends;
  }

 private:
  const HostTable table_;
};

}  // namespace

std::unique_ptr<ChainDevice> make_emulated_chains(const HostTable& table, unsigned /*device*/) {
  return std::make_unique<EmulatedChains>(table);
}

}  // namespace quartz::window_chains
