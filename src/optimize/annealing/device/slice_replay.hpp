#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "circuit/history.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/device/chain_slices.hpp"
#include "optimize/annealing/moves/window_proofs.hpp"
#include "window_chains/backend/chain_device.hpp"

namespace quartz::optimizer {

/// What a chain made of a slice.
struct ReplayedSlice {
  std::vector<rewrite::PlainGate> gates;  ///< on the wires of the circuit
  Totals totals;                          ///< the slice equals e^{i pi phase / 8} times the gates
  circuit::HistoryPointer history;        ///< on the wires of the slice; null unless it is recorded
};

/// Runs chains of a device once more on the host, which proves each of their replacements. Moves of
/// rotations rest on random numbers of 64 bits, as those of the host do on 128.
class SliceReplay {
 public:
  /// The arguments must outlive the object.
  SliceReplay(const window_chains::HostTable& table, const ClassTable& classes,
              const AnnealingLabels& labels, bool records_history);

  /// Returns the best circuit of a chain, which started from the slice and came to the given end.
  /// Returns nothing if the host comes to another circuit, or cannot prove a replacement.
  [[nodiscard]] std::optional<ReplayedSlice> run(const ChainSlice& slice,
                                                 const window_chains::ChainRound& round,
                                                 const window_chains::ChainLabels& labels,
                                                 std::uint32_t chain,
                                                 const window_chains::ChainEnd& end);

 private:
  class Recorder;

  const window_chains::HostTable& table_;
  const AnnealingLabels& labels_;
  WindowProofs proofs_;
  /// The gates of all histories; null unless they are recorded.
  std::shared_ptr<circuit::RecordedGates> gates_;
};

}  // namespace quartz::optimizer
