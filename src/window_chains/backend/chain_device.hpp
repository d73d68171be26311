#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "window_chains/chain/chain_circuit.hpp"
#include "window_chains/chain/chain_start.hpp"
#include "window_chains/chain/chain_tables.hpp"

namespace quartz::window_chains {

/// A class table on the host. The words must outlive what is made of them.
struct HostTable {
  ChainAlphabet alphabet;
  ClassWords classes;
};

/// The gates of a search, by their labels.
struct ChainLabels {
  std::vector<ChainLabel> labels;
  std::vector<std::uint16_t> label_of;  ///< labels by symbol and letter
  std::array<ChainTurns, 8> turns{};    ///< by the number of turns modulo 8
  bool moves_rotations = false;         ///< whether `turns` is known

  /// Returns what chains read, with arrays that are somewhere else.
  [[nodiscard]] ChainTables tables(const ChainAlphabet* alphabet, const ClassWords& classes,
                                   const ChainLabel* own_labels,
                                   const std::uint16_t* own_label_of) const {
    ChainTables result{alphabet, classes, own_labels, own_label_of, {}, moves_rotations};
    std::ranges::copy(turns, result.turns);
    return result;
  }
};

/// One run of many chains: chain i starts from circuit i modulo their number, and makes the moves
/// of its schedule, which is the quotient modulo the number of schedules.
struct ChainRound {
  ChainStarts starts;
  std::vector<std::vector<ChainStage>> schedules;  ///< all have the same length
  std::uint32_t chains = 0;
  std::uint64_t seed = 0;

  [[nodiscard]] std::uint32_t circuit_of(std::uint32_t chain) const {
    return static_cast<std::uint32_t>(chain % starts.circuits.size());
  }
  [[nodiscard]] const std::vector<ChainStage>& schedule_of(std::uint32_t chain) const {
    return schedules[chain / starts.circuits.size() % schedules.size()];
  }
};

/// Chains of a round that follow each other.
struct ChainRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// A device with a class table in its memory, on which chains of window moves run. They depend on
/// the round only, and are the same on every device.
class ChainDevice {
 public:
  ChainDevice() = default;
  ChainDevice(const ChainDevice&) = delete;
  ChainDevice& operator=(const ChainDevice&) = delete;
  virtual ~ChainDevice() = default;

  /// Returns the number of chains that suits the device.
  [[nodiscard]] virtual std::uint32_t chains() const = 0;
  /// Returns of how many devices it consists.
  [[nodiscard]] virtual std::uint32_t devices() const { return 1; }
  /// Runs some chains of a round, and returns what came of each. Thread-safe: rounds of several
  /// threads run one after the other. Throws DeviceError if the device fails.
  [[nodiscard]] virtual std::vector<ChainEnd> run(const ChainRound& round, ChainRange range,
                                                  const ChainLabels& labels) = 0;
  /// Does so for all chains of a round.
  [[nodiscard]] std::vector<ChainEnd> run(const ChainRound& round, const ChainLabels& labels) {
    return run(round, {0, round.chains}, labels);
  }
};

/// A kind of device that runs chains.
struct ChainBackend {
  std::string_view name;
  unsigned (*devices)();  ///< returns the number of devices of this kind that the program sees
  /// Copies a table to a device, by its number from 0. Throws DeviceError if that fails.
  std::unique_ptr<ChainDevice> (*make)(const HostTable& table, unsigned device);
};

}  // namespace quartz::window_chains
