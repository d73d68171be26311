#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "window_chains/backend/chain_device.hpp"
#include "window_chains/chain/host_lanes.hpp"
#include "window_chains/chain/window_chain.hpp"

namespace quartz::window_chains {

/// A chain of a round that runs on the host: in the emulator, and once more for a result of a
/// device.
class HostChain {
 public:
  /// The arguments must outlive the object.
  HostChain(const HostTable& table, const ChainLabels& labels, const ChainRound& round,
            std::uint32_t chain)
      : tables_(labels.tables(&table.alphabet, table.classes, labels.labels.data(),
                              labels.label_of.data())),
        round_(round),
        chain_(chain),
        gates_(chain_capacity(start().gates)),
        free_(gates_.size()),
        order_(gates_.size()),
        wires_(kMostChainWires),
        parities_(chain_parities(static_cast<std::uint32_t>(gates_.size()))) {}

  /// Runs the chain from its start on, for at most this number of moves.
  template <typename Observer>
  ChainEnd run(Observer& observer,
               std::uint32_t moves = std::numeric_limits<std::uint32_t>::max()) {
    const std::vector<ChainStage>& stages = round_.schedule_of(chain_);
    const ChainMemory memory{gates_.data(),
                             free_.data(),
                             static_cast<std::uint32_t>(gates_.size()),
                             {order_.data(), wires_.data(), parities_.data(),
                              static_cast<std::uint32_t>(parities_.size())}};
    WindowChain<HostLanes, Observer> chain({}, observer, tables_, memory, scratch_,
                                           chain_seed(round_.seed, chain_));
    return chain.run(round_.starts.gates_of(round_.circuit_of(chain_)).data(), start(),
                     stages.data(), static_cast<std::uint32_t>(stages.size()), moves);
  }
  /// Returns the places of the circuit, some of which are free.
  [[nodiscard]] std::span<const ChainGate> places() const {
    return std::span(gates_).first(scratch_.places);
  }

 private:
  [[nodiscard]] const ChainStart& start() const {
    return round_.starts.circuits[round_.circuit_of(chain_)];
  }

  const ChainTables tables_;
  const ChainRound& round_;
  const std::uint32_t chain_;
  std::vector<ChainGate> gates_;
  std::vector<Place> free_;
  std::vector<Place> order_;
  std::vector<ChainWire> wires_;
  std::vector<ChainParity> parities_;
  ChainScratch scratch_{};
};

}  // namespace quartz::window_chains
