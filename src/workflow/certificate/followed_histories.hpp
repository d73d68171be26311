#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <utility>

#include "circuit/history.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "workflow/certificate/history_replay.hpp"
#include "workflow/certificate/prepared_replay.hpp"
#include "workflow/certificate/replay_snapshots.hpp"

namespace quartz::workflow {

/// Replays of a few histories of a search that branched off from each other, as those of its
/// threads do.
class FollowedHistories {
 public:
  /// Most histories that are followed at once, and most operations of their circuits together, of
  /// which one may have more. Each keeps a circuit in two forms.
  static constexpr std::size_t kMaxReplays = 4;
  static constexpr std::size_t kMaxOperations = 1'000'000;

  /// `after_block` is that of HistoryReplay. The time in the options is ignored: `stop` ends the
  /// proof of a step. `prepared`, which may be null, has the same circuits, options and request to
  /// stop; the first history that is followed takes it.
  FollowedHistories(FirstCircuits circuits, const ReplayOptions& options, std::stop_token stop,
                    std::function<void()> after_block,
                    std::shared_ptr<PreparedReplay> prepared = nullptr);

  [[nodiscard]] bool is_empty() const { return replays_.empty(); }
  /// Returns whether a history continues one of those that are followed.
  [[nodiscard]] bool follows(const circuit::HistoryPointer& history) const;

  /// Returns whether a history continues the one that was replayed last.
  [[nodiscard]] bool continues_last(const circuit::HistoryPointer& history) const;

  /// A circuit with its history.
  struct Target {
    std::size_t operations = 0;
    const circuit::HistoryPointer& history;
    const OutputPermutation& permutation;
    /// Returns the circuit. Called once its history is replayed, which may take long: a large
    /// circuit is not in the memory meanwhile.
    std::function<std::shared_ptr<const Circuit>()> circuit;
    ReplayThreads threads = ReplayThreads::one;
  };
  /// What replay() found out about a circuit.
  struct Replayed {
    EquivalenceReport report;  ///< undecided if the circuit is not certified
    std::uint64_t steps = 0;   ///< number of steps that were proved
  };
  /// Replays the history of a circuit: what is new in it if it is followed, and else what comes
  /// behind the last snapshot, in place of the history that was not used for longest. What
  /// `after_block` throws ends this replay.
  [[nodiscard]] Replayed replay(const Target& target);

  /// Returns the number of steps that the last replay, which may be going on, has proved.
  [[nodiscard]] std::uint64_t last_steps() const;
  /// Returns the time that a number of steps takes, in seconds.
  [[nodiscard]] double seconds_of(std::uint64_t steps) const;
  /// Returns the number of steps that take a time, given in seconds.
  [[nodiscard]] std::uint64_t steps_in(double seconds) const;
  /// Returns the time of the steps of a history that were not replayed, in seconds; infinity if one
  /// of the others is not proved.
  [[nodiscard]] double seconds_to(const circuit::HistoryPointer& history) const;
  /// Releases the memory of all replays.
  void clear() {
    replays_.clear();
    snapshots_.clear();
    prepared_.reset();
  }

 private:
  struct Followed {
    explicit Followed(std::shared_ptr<HistoryReplay> some_replay)
        : owned(std::move(some_replay)), replay(*owned) {}
    std::shared_ptr<HistoryReplay> owned;
    HistoryReplay& replay;
    std::uint64_t last_use = 0;
  };
  /// Returns the replay that was used last, or null.
  [[nodiscard]] const Followed* last() const;
  /// Returns the replay that a history continues, or null.
  [[nodiscard]] const Followed* find(const circuit::HistoryPointer& history) const;
  [[nodiscard]] Followed* find(const circuit::HistoryPointer& history);
  /// Returns the replay that the history of a circuit continues, or a new one.
  [[nodiscard]] Followed& replay_of(const Target& target);
  /// Replays the first part of a long history, and takes snapshots on the way.
  void take_snapshots(HistoryReplay& replay, const Target& target);

  const FirstCircuits circuits_;
  ReplayOptions options_;
  const std::function<void()> after_block_;
  std::shared_ptr<PreparedReplay> prepared_;  ///< null once it is used
  std::list<Followed> replays_;
  ReplaySnapshots snapshots_;
  std::uint64_t uses_ = 0;
  struct Speed {
    double seconds = 0;
    double steps = 0;
  } speed_;
};

}  // namespace quartz::workflow
