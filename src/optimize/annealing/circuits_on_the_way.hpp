#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/pace.hpp"
#include "circuit/history.hpp"
#include "optimize/annealing/annealing_chain.hpp"

namespace quartz::optimizer {

/// Copies of circuits through which a chain of annealing passes between two of its best circuits,
/// so that a long history can be followed and divided there. They are kept until the chain finds a
/// better circuit: it may also return to the best one, and then they lead nowhere.
class CircuitsOnTheWay {
 public:
  /// Changes between two copies, unless copies take long.
  static constexpr std::uint64_t kSpacing = 200'000;
  /// Most gates of all copies. Beyond it, there is one in twice as many changes.
  static constexpr std::size_t kMaxGates = 2'000'000;
  /// Least time between two copies.
  static constexpr std::chrono::milliseconds kInterval{100};

  /// Between two copies there are at least as many changes.
  explicit CircuitsOnTheWay(std::uint64_t spacing = kSpacing, std::size_t max_gates = kMaxGates,
                            std::chrono::milliseconds interval = kInterval)
      : first_spacing_(spacing), max_gates_(max_gates), pace_(interval) {}

  /// Copies the current circuit of the chain if it is time. To be called between sweeps.
  void follow(AnnealingChain& chain);
  /// Removes what is not on the way to the current circuit, after the chain has returned to an
  /// earlier one.
  void follow_return(const AnnealingChain& chain);
  /// Removes and returns, in order, the circuits on the way to one with this history.
  [[nodiscard]] std::vector<AnnealingChain::Best> take_up_to(const circuit::History* history);

 private:
  /// Removes every second circuit.
  void thin_out();

  std::uint64_t first_spacing_;
  std::size_t max_gates_;
  std::uint64_t spacing_ = first_spacing_;
  std::uint64_t last_change_ = 0;  ///< number of changes at the last copy
  Pace pace_;
  struct Copy {
    AnnealingChain::Best circuit;
    std::uint64_t steps = 0;  ///< the length of its history
  };
  std::vector<Copy> copies_;  ///< with more and more steps
};

}  // namespace quartz::optimizer
