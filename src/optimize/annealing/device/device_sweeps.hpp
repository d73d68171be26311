#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/annealing/annealing_chain.hpp"
#include "optimize/annealing/device/chain_slices.hpp"
#include "optimize/annealing/device/slice_replay.hpp"
#include "window_chains/backend/chain_device.hpp"

namespace quartz::optimizer {

/// Chains on a device number labels with 16 bits.
inline constexpr std::size_t kMostChainLabels = 0xffff;

/// Cooling sweeps by thousands of chains of window moves on a device (window_chains/). A circuit is
/// cut into slices, and each slice is annealed by equally many chains. The best result for each
/// slice is found again by the host, which proves it, and becomes part of the circuit. Results that
/// are as good as what was there are taken, too: the next sweep then starts from another circuit,
/// which is cut into other slices.
class DeviceSweeps {
 public:
  /// The arguments must outlive the object. The device must have the class table.
  DeviceSweeps(window_chains::ChainDevice& device, const window_chains::HostTable& table,
               const ClassTable& classes, const AnnealingLabels& labels, bool records_history,
               std::uint64_t seed);

  /// Runs a sweep on the circuits of all chains; null for circuits without gates.
  void run(std::span<const std::unique_ptr<AnnealingChain>> chains, std::uint32_t moves_per_gate);
  [[nodiscard]] const DeviceAnnealing& counts() const { return counts_; }

 private:
  /// A circuit with its slices.
  struct CutCircuit {
    AnnealingChain* chain;
    AnnealingChain::Best before;
    std::vector<ChainSlice> slices;
    std::vector<std::optional<ReplayedSlice>> replaced;  ///< by slice; nothing if it stays
  };
  /// A slice that is annealed.
  struct ChosenSlice {
    std::size_t circuit;
    std::size_t slice;
  };

  [[nodiscard]] std::vector<CutCircuit> cut(
      std::span<const std::unique_ptr<AnnealingChain>> chains);
  [[nodiscard]] std::vector<ChosenSlice> chosen(const std::vector<CutCircuit>& circuits);
  [[nodiscard]] window_chains::ChainRound round_of(const std::vector<CutCircuit>& circuits,
                                                   std::span<const ChosenSlice> slices,
                                                   std::uint32_t moves_per_gate);
  /// Returns the chain with the best result for a slice, a random one of those that are equal.
  [[nodiscard]] std::uint32_t best_chain(std::span<const window_chains::ChainEnd> ends,
                                         std::size_t slice, std::size_t slices);
  /// Has the chain of the host continue from the slices that were replaced.
  void join(CutCircuit& circuit) const;

  window_chains::ChainDevice& device_;
  const AnnealingLabels& labels_;
  const window_chains::ChainLabels chain_labels_;
  const bool records_history_;
  SliceReplay replay_;
  FastRandom random_;
  DeviceAnnealing counts_;
};

/// Adds a slice of a circuit to those from which chains start.
void add_start(window_chains::ChainStarts& starts, const AnnealingLabels& labels,
               std::span<const rewrite::PlainGate> gates, const ChainSlice& slice);
/// Returns the schedules of a sweep of the device.
[[nodiscard]] std::vector<std::vector<window_chains::ChainStage>> device_schedules(
    std::uint32_t moves_per_gate);
/// Returns what chains on a device know of the labels of a table with this number of letters. There
/// must be at most kMostChainLabels labels.
[[nodiscard]] window_chains::ChainLabels chain_labels(const AnnealingLabels& labels,
                                                      std::size_t letters);

}  // namespace quartz::optimizer
