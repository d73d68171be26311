#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "circuit/history.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "workflow/certificate/history_part.hpp"

namespace quartz::workflow {

/// Replays of a few histories of a search that branched off from each other, as those of its
/// threads do.
class FollowedHistories {
 public:
  /// Most histories that are followed at once. Each keeps a circuit in two forms.
  static constexpr std::size_t kMaxReplays = 4;

  /// `after_block` is that of HistoryReplay; the threads of a replay that is divided call it. The
  /// time in the options is ignored: `stop` ends the proof of a step.
  FollowedHistories(FirstCircuits circuits, const ReplayOptions& options, std::stop_token stop,
                    std::function<void()> after_block);

  [[nodiscard]] bool is_empty() const { return replays_.empty(); }
  /// Returns whether a history continues one of those that are followed.
  [[nodiscard]] bool follows(const circuit::HistoryPointer& history) const;

  /// Returns whether a history continues the one that was replayed last.
  [[nodiscard]] bool continues_last(const circuit::HistoryPointer& history) const;

  /// A circuit with its history.
  struct Target {
    const Circuit& circuit;
    const circuit::HistoryPointer& history;
    const OutputPermutation& permutation;
  };
  /// A division of a history into parts that are replayed at the same time. Each part but the first
  /// one begins with a circuit on the way, in which the part before must end.
  class Division {
   public:
    /// Returns the number of parts.
    [[nodiscard]] std::size_t size() const { return later_.size() + 1; }
    /// Returns the time that the replay takes, in seconds; infinity if a step is not proved.
    [[nodiscard]] double seconds() const { return seconds_; }
    /// Returns the same for the parts up to the first circuit that may be a result.
    [[nodiscard]] double seconds_of_first() const { return seconds_of_first_; }

   private:
    friend class FollowedHistories;
    std::list<HistoryPart> later_;  ///< the parts but the first one, in order
    unsigned threads_ = 1;
    double seconds_ = 0;
    double seconds_of_first_ = 0;
  };
  /// Does not divide the part of a history that was not replayed.
  [[nodiscard]] Division undivided(const circuit::HistoryPointer& history) const;
  /// How a history is divided.
  struct Parts {
    unsigned threads = 1;
    std::uint64_t least_steps = 0;  ///< of a part, besides those for its start
  };
  /// Divides the part of a history that was not replayed at those of these circuits that are on the
  /// way. They have more and more steps.
  [[nodiscard]] Division divided(const circuit::HistoryPointer& history,
                                 std::span<const CertifiableCircuit> circuits,
                                 const Parts& parts) const;

  /// What replay() found out about a circuit.
  struct Replayed {
    EquivalenceReport report;  ///< undecided if the circuit is not certified
    std::uint64_t steps = 0;   ///< number of steps that were proved
    /// If it is not certified: the last circuit at the end of a part that is and may be a result,
    /// and its report.
    std::optional<FormedCircuit> reached = {};
    EquivalenceReport report_of_reached = {};
    /// What ended the replay early, if anything did: what `after_block` throws, for example.
    std::exception_ptr interruption = {};
  };
  /// Replays the history of a circuit: what is new in it if it is followed, and else all of it, in
  /// place of the history that was not used for longest.
  [[nodiscard]] Replayed replay(const Target& target, Division division);
  /// Does the same without a division.
  [[nodiscard]] Replayed replay(const Target& target) {
    return replay(target, undivided(target.history));
  }

  /// Returns the number of steps that the last replay has proved.
  [[nodiscard]] std::uint64_t last_steps() const { return last_steps_; }
  /// Returns the time that a number of steps takes, in seconds.
  [[nodiscard]] double seconds_of(std::uint64_t steps) const;
  /// Returns the number of steps that take a time, given in seconds.
  [[nodiscard]] std::uint64_t steps_in(double seconds) const;
  /// Returns the time of the steps of a history that were not replayed, in seconds; infinity if one
  /// of the others is not proved.
  [[nodiscard]] double seconds_to(const circuit::HistoryPointer& history) const;
  /// Returns whether a circuit is on the way to one with this history.
  [[nodiscard]] bool leads_to(const CertifiableCircuit& circuit,
                              const circuit::HistoryPointer& history) const;
  /// Releases the memory of all replays.
  void clear() {
    replays_.clear();
    last_steps_ = 0;
  }

 private:
  struct Followed {
    HistoryPart part;
    /// What is known about the steps before the part; nothing if it begins with the input.
    std::optional<ReplayedPart> before = {};
    std::uint64_t last_use = 0;
  };
  using Position = std::list<Followed>::iterator;

  /// Returns the replay that a history continues, or null.
  [[nodiscard]] const Followed* find(const circuit::HistoryPointer& history) const;
  /// Returns the replay that a history continues, or a new one.
  [[nodiscard]] Position replay_of(const circuit::HistoryPointer& history);
  struct StepRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  /// Returns replays that begin with circuits on the way to a history, in order, each at least as
  /// many steps behind the one before, behind the begin and before the end of a range.
  [[nodiscard]] std::list<HistoryPart> parts_on_the_way(
      const circuit::HistoryPointer& history, StepRange range, std::uint64_t least,
      std::span<const CertifiableCircuit> circuits) const;
  /// Replays all parts. Returns their outcomes, in order.
  [[nodiscard]] static std::vector<HistoryPart::Outcome> replay_parts(const HistoryPart::End& end,
                                                                      HistoryPart& first,
                                                                      Division& division);
  /// Returns what the outcomes of the parts, the first of which is followed, are together, and
  /// follows the last one that is certified.
  [[nodiscard]] Replayed joined(Position followed, std::list<HistoryPart> later,
                                const std::vector<HistoryPart::Outcome>& outcomes);

  const FirstCircuits circuits_;
  ReplayOptions options_;
  const std::function<void()> after_block_;
  std::list<Followed> replays_;
  std::uint64_t uses_ = 0;
  std::uint64_t last_steps_ = 0;
  struct Speed {
    double seconds = 0;
    double steps = 0;
  } speed_;
};

}  // namespace quartz::workflow
