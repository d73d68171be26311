#pragma once

#include <array>
#include <chrono>
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
  /// What sweeps depend on besides the circuits.
  struct Settings {
    bool records_history = false;
    unsigned threads = 1;  ///< on which the host runs chains again
    std::uint64_t seed = 0;
  };
  /// The arguments must outlive the object. The device must have the class table.
  DeviceSweeps(window_chains::ChainDevice& device, const window_chains::HostTable& table,
               const ClassTable& classes, const AnnealingLabels& labels, const Settings& settings);

  /// Runs a sweep on the circuits of all chains; null for circuits without gates. Returns its moves
  /// per gate.
  std::uint32_t run(std::span<const std::unique_ptr<AnnealingChain>> chains,
                    std::uint32_t moves_per_gate);
  /// Runs a sweep that takes a part of the time that is left, so that all sweeps have about as many
  /// moves. Returns 0 if the time is too short for a sweep.
  std::uint32_t run_within(std::span<const std::unique_ptr<AnnealingChain>> chains,
                           std::chrono::duration<double> left);
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

  /// What the next sweep anneals, and by how many chains.
  struct Plan {
    std::vector<CutCircuit> circuits;
    std::vector<ChosenSlice> slices;
    std::uint32_t chains = 0;
    std::size_t most_gates = 0;  ///< size of the largest slice
  };

  [[nodiscard]] Plan plan(std::span<const std::unique_ptr<AnnealingChain>> chains);
  void run(Plan plan, std::uint32_t moves_per_gate);
  [[nodiscard]] bool uses_all_chains(const Plan& plan) const {
    return plan.chains == device_.chains();
  }
  [[nodiscard]] std::vector<CutCircuit> cut(
      std::span<const std::unique_ptr<AnnealingChain>> chains);
  [[nodiscard]] std::vector<ChosenSlice> chosen(const std::vector<CutCircuit>& circuits);
  [[nodiscard]] window_chains::ChainRound round_of(const Plan& plan, std::uint32_t moves_per_gate);
  /// Returns the chain with the best result for a slice, a random one of those that are equal.
  [[nodiscard]] std::uint32_t best_chain(std::span<const window_chains::ChainEnd> ends,
                                         std::size_t slice, std::size_t slices);
  /// Runs the best chain of each slice again.
  void replay(Plan& plan, const window_chains::ChainRound& round,
              std::span<const window_chains::ChainEnd> ends);
  /// Has the chain of the host continue from the slices that were replaced.
  void join(CutCircuit& circuit) const;

  window_chains::ChainDevice& device_;
  const AnnealingLabels& labels_;
  const window_chains::ChainLabels chain_labels_;
  const bool records_history_;
  std::vector<std::unique_ptr<SliceReplay>> replays_;  ///< one for each thread
  FastRandom random_;
  DeviceAnnealing counts_;
  bool has_stagnated_ = false;  ///< whether the last sweep found nothing better
  /// Time of a move of each chain, if there are fewer chains than suit the device, and if there are
  /// as many. Before the first sweep, it is longer than on any device.
  std::array<double, 2> seconds_of_move_{45e-6, 60e-6};
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
