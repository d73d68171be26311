#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <sstream>
#include <utility>

#include "circuit/derivation.hpp"
#include "circuit/history.hpp"
#include "journal/history_writer.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"

namespace quartz::workflow {

/// Proves histories, each of which continues the one before: their journal is written, and what is
/// new is replayed block by block. Neither the journal nor the bytes of a block are kept.
class HistoryReplay {
 public:
  /// `first` is the circuit with which journals begin, and `input` the one with which the replay
  /// begins, which obtains the first circuit by itself. `after_block` is called after each block,
  /// and may throw to end the replay, which must not be used then. The circuits need not outlive
  /// the object.
  HistoryReplay(const Circuit& first, const Circuit& input, const ReplayOptions& options,
                std::function<void()> after_block);
  /// Begins with a circuit on the way, which is `start` for the replay: histories continue the one
  /// that leads to it from a circuit of `first_size` operations, and what they have more is
  /// replayed.
  HistoryReplay(const circuit::DerivedCircuit& found, std::size_t first_size,
                const CircuitOnTheWay& start, const ReplayOptions& options,
                std::function<void()> after_block);

  /// Returns whether a history begins with what was replayed.
  [[nodiscard]] bool can_continue_to(const circuit::HistoryPointer& history) const {
    return journal_.can_continue_to(history);
  }
  /// Replays the steps of a history that follow those before, and returns the report about the
  /// circuit to which it leads. Throws InternalError unless can_continue_to(history).
  [[nodiscard]] ReplayReport continued_to(const circuit::HistoryPointer& history,
                                          const Circuit& output,
                                          const OutputPermutation& permutation);
  /// Returns the number of steps that were proved.
  [[nodiscard]] std::uint64_t steps() const { return blocks_.steps(); }
  /// Returns the exchanges among them.
  [[nodiscard]] RunningReplay::Exchanges exchanges() const { return blocks_.exchanges(); }
  /// Returns whether a step was not proved; nothing behind it ever is.
  [[nodiscard]] bool has_failed() const { return blocks_.has_failed(); }

 private:
  /// Replays what is written to a stream whenever that is flushed.
  class Blocks final : public std::stringbuf {
   public:
    Blocks(RunningReplay replay, std::function<void()> after_block)
        : std::stringbuf(std::ios::out),
          replay_(std::move(replay)),
          after_block_(std::move(after_block)) {}

    [[nodiscard]] ReplayReport report_for(const Circuit& output,
                                          const OutputPermutation& permutation) {
      return replay_.report_for(output, permutation);
    }
    [[nodiscard]] std::uint64_t steps() const { return replay_.steps(); }
    [[nodiscard]] RunningReplay::Exchanges exchanges() const { return replay_.exchanges(); }
    [[nodiscard]] bool has_failed() const { return has_failed_; }

   private:
    int sync() override;

    RunningReplay replay_;
    std::function<void()> after_block_;
    bool has_failed_ = false;
  };

  Blocks blocks_;
  std::ostream stream_;
  journal::GrowingJournal journal_;
};

}  // namespace quartz::workflow
