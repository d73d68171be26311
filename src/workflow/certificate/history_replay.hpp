#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <sstream>
#include <utility>

#include "circuit/history.hpp"
#include "journal/history_writer.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "workflow/certificate/replay_thread.hpp"

namespace quartz::workflow {

/// Whether the journal of a history is written on the same thread as its steps are replayed, or on
/// another one.
enum class ReplayThreads : bool { one, two };

/// Proves histories, each of which continues the one before: their journal is written, and what is
/// new is replayed block by block. Neither the journal nor the bytes of a block are kept.
class HistoryReplay {
 public:
  /// `first` is the circuit with which journals begin, and `input` the one with which the replay
  /// begins, which obtains the first circuit by itself. `after_block` is called after each block,
  /// and after another thread could not prove a step, and may throw to end the replay, which must
  /// not be used then. The circuits need not outlive the object.
  HistoryReplay(const Circuit& first, const Circuit& input, const ReplayOptions& options,
                std::function<void()> after_block);
  /// Goes on from where another one is, independently of it. One thread must use both.
  HistoryReplay(const HistoryReplay& other);
  HistoryReplay& operator=(const HistoryReplay&) = delete;
  ~HistoryReplay() = default;

  /// Returns whether a history begins with what was replayed.
  [[nodiscard]] bool can_continue_to(const circuit::HistoryPointer& history) const {
    return journal_.can_continue_to(history);
  }
  /// Replays the steps of a history that follow those before. Throws InternalError unless
  /// can_continue_to(history).
  void continue_to(const circuit::HistoryPointer& history, ReplayThreads threads);
  /// Returns the processor time of the other threads so far, in seconds.
  [[nodiscard]] double seconds_of_others() const { return blocks_.seconds_of_others(); }
  /// Returns the report about the circuit to which the history that was replayed last leads.
  [[nodiscard]] ReplayReport report_for(const Circuit& output,
                                        const OutputPermutation& permutation) {
    return blocks_.report_for(output, permutation);
  }
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
    Blocks(const Circuit& input, const ReplayOptions& options, std::function<void()> after_block)
        : std::stringbuf(std::ios::out),
          replay_(input, "the journal", options),
          after_block_(std::move(after_block)) {}
    Blocks(const Blocks& other)
        : std::stringbuf(other.str(), std::ios::out | std::ios::ate),
          replay_(other.replay_),
          after_block_(other.after_block_),
          has_failed_(other.has_failed_),
          seconds_of_others_(other.seconds_of_others_) {}
    Blocks& operator=(const Blocks&) = delete;
    ~Blocks() override = default;

    [[nodiscard]] ReplayReport report_for(const Circuit& output,
                                          const OutputPermutation& permutation) {
      return replay_.report_for(output, permutation);
    }
    [[nodiscard]] std::uint64_t steps() const { return replay_.steps(); }
    [[nodiscard]] RunningReplay::Exchanges exchanges() const { return replay_.exchanges(); }
    [[nodiscard]] bool has_failed() const { return has_failed_; }
    [[nodiscard]] double seconds_of_others() const { return seconds_of_others_; }
    /// Has another thread replay the blocks up to end_thread(), if the system can create it.
    void begin_thread();
    void end_thread();

   private:
    int sync() override;

    RunningReplay replay_;
    std::function<void()> after_block_;
    bool has_failed_ = false;
    double seconds_of_others_ = 0;
    std::optional<ReplayThread> thread_;  ///< uses `replay_`
  };

  Blocks blocks_;
  std::ostream stream_;
  journal::GrowingJournal journal_;
};

}  // namespace quartz::workflow
