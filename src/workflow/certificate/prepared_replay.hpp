#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "workflow/certificate/history_replay.hpp"

namespace quartz::workflow {

/// What histories begin with.
struct FirstCircuits {
  /// The circuit with which histories begin, and the one with which their replay begins, which
  /// obtains the first circuit by itself. Both must outlive all who use them.
  const Circuit* first = nullptr;
  const Circuit* input = nullptr;
};

/// A replay of histories that are not known yet. It has the first circuit in its own form, which
/// takes a tenth of a second for a million gates, so that it is made while another thread
/// translates the circuit.
class PreparedReplay {
 public:
  /// The time and the request to stop in the options are ignored.
  PreparedReplay(const FirstCircuits& circuits, const ReplayOptions& options);
  PreparedReplay(const PreparedReplay&) = delete;
  PreparedReplay& operator=(const PreparedReplay&) = delete;
  ~PreparedReplay() = default;

  /// Returns what ends the proof of a step.
  [[nodiscard]] const std::stop_source& stop() const { return stop_; }
  /// Returns the replay, which calls `after_block` as HistoryReplay does. It shares its memory with
  /// `prepared`.
  [[nodiscard]] static std::shared_ptr<HistoryReplay> taken(
      const std::shared_ptr<PreparedReplay>& prepared, std::function<void()> after_block);

 private:
  std::stop_source stop_;
  /// Copies of the replay call it, and may outlive this object.
  std::shared_ptr<std::function<void()>> after_block_ = std::make_shared<std::function<void()>>();
  HistoryReplay replay_;
};

/// Returns the options of replays without a limit of time, which this request stops.
[[nodiscard]] ReplayOptions without_time_limit(const ReplayOptions& options, std::stop_token stop);

}  // namespace quartz::workflow
