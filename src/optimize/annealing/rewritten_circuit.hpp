#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "circuit/history.hpp"
#include "optimize/annealing/change.hpp"
#include "optimize/annealing/history/change_history.hpp"
#include "optimize/annealing/path_levels.hpp"
#include "quartz/optimize/optimize.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// A rewrite that a move proposes: gates to remove, and gates to insert in their place. The spans
/// are valid until the next proposal of the move.
struct Exchange {
  RewriteKind kind{};  ///< the argument that makes the rewrite sound
  std::span<const rewrite::GateIndex> removed;
  std::span<const rewrite::WireLists::Gap> gaps;  ///< as in WireLists::replace
  std::span<const rewrite::PlainGate> inserted;
  Totals before;  ///< sums over the gates removed
  Totals after;   ///< sums over the gates inserted; the phase is the phase added by the rewrite
};

/// A circuit and the log of its changes. Each accepted rewrite is an entry: the gates removed and
/// their positions, the gates inserted, the argument that makes it sound, and the totals before it.
/// Undoing rewrites and the best circuit so far follow from the log. Only forget_changes,
/// order_gates and best_circuit take time proportional to the size of the circuit.
class RewrittenCircuit {
 public:
  /// A circuit with its totals, without links.
  struct Snapshot {
    std::vector<rewrite::PlainGate> gates;
    Totals totals;
    circuit::HistoryPointer history = {};  ///< null unless it is recorded
  };

  RewrittenCircuit(rewrite::WireLists gates, const Totals& totals);

  [[nodiscard]] const rewrite::WireLists& gates() const { return gates_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
  /// Records the history of the circuit from now on. The log must be empty, and the gates in the
  /// places 0, 1, ... The labels must outlive the object.
  void record_history(const AnnealingLabels& labels) { history_.emplace(labels, gates_.size()); }
  /// Sets whether histories leave out changes that undo each other, as soon as the log is empty.
  /// They are shorter then, but take more time to record.
  void leave_out_undone_changes(bool leaves_out) {
    leaves_out_next_ = leaves_out;
    if (changes_.empty()) leaves_out_undone_ = leaves_out;
  }

  /// Adds the longest chain of gates to the value: `lengths` has the length of each label, and
  /// `value_per_length` is the value of a unit. The log must be empty.
  void follow_paths(std::span<const PathLevels::Length> lengths, std::uint64_t value_per_length);
  /// Returns the levels of the gates; null unless paths are followed.
  [[nodiscard]] const PathLevels* levels() const { return paths_ ? &paths_->levels : nullptr; }

  void mark(rewrite::GateIndex gate, bool marked) { gates_.mark(gate, marked); }

  /// Makes the change and appends it to the log. `is_continued` says that the next change is part
  /// of the same rewrite.
  void apply(const Exchange& exchange, bool is_continued = false);
  /// Returns the number of changes in the log.
  [[nodiscard]] std::size_t position() const { return changes_.size(); }
  [[nodiscard]] std::span<const Change> changes() const { return changes_; }
  /// Undoes all changes after a position; restored gates are not marked. Takes time proportional to
  /// the number of changes undone.
  void undo_to(std::size_t position);

  // --- the best circuit so far, by value ---
  [[nodiscard]] const Totals& best_totals() const { return best_totals_; }
  [[nodiscard]] std::size_t best_size() const { return best_size_; }
  /// Returns whether the best circuit was reached after a position of the log.
  [[nodiscard]] bool is_best_after(std::size_t position) const {
    return best_position_ && *best_position_ > position;
  }
  [[nodiscard]] Snapshot best_circuit() const;
  /// Does the same, and lets the histories of circuits that are derived from it begin with its
  /// history, which may make them longer.
  [[nodiscard]] Snapshot share_best_circuit();
  [[nodiscard]] Snapshot current_circuit() const;
  /// Makes the best circuit the current one.
  void return_to_best();
  /// Continues from an equal circuit, with the totals and the history that lead to it. The paths
  /// must not be followed.
  void continue_from(const Snapshot& circuit);

  /// Empties the log to release its memory. Keeps a copy of the best circuit if that is not the
  /// current one, and orders the gates if many have changed.
  void forget_changes();
  /// Orders the gates in memory as they are in the circuit, so that neighbours are close, and gives
  /// them evenly spaced positions. The log must be empty.
  void order_gates();

 private:
  [[nodiscard]] ChangeLog log() const {
    return {changes_, removed_, inserted_, inserted_gates_, gaps_, shared_, leaves_out_undone_};
  }
  /// Returns the gates at a position of the log.
  [[nodiscard]] rewrite::WireLists gates_at(std::size_t position) const;
  /// Returns the circuit at a position of the log, where it has these gates.
  [[nodiscard]] Snapshot snapshot(const rewrite::WireLists& gates, std::size_t position,
                                  const Totals& totals) const;
  void undo_last(bool updates_levels);
  void rebuild_levels() {
    if (paths_) paths_->levels.rebuild(gates_);
  }
  void clear_log();

  rewrite::WireLists gates_;
  Totals totals_;
  std::vector<Change> changes_;
  std::vector<rewrite::WireLists::RemovedGate> removed_;  ///< gates removed by all changes
  std::vector<rewrite::GateIndex> inserted_;
  std::vector<rewrite::PlainGate> inserted_gates_;  ///< filled if the history is recorded
  std::vector<rewrite::WireLists::Gap> gaps_;
  std::vector<std::size_t> shared_;  ///< positions of share_best_circuit(), in ascending order
  bool leaves_out_undone_ = false;   ///< for the current log
  bool leaves_out_next_ = false;     ///< for the next one
  Totals best_totals_;
  std::size_t best_size_ = 0;
  /// Position of the best circuit in the log; if empty, the best circuit is in `best_copy_`.
  std::optional<std::size_t> best_position_ = 0;
  Snapshot best_copy_;
  std::optional<ChangeHistory> history_;  ///< up to the start of the log
  /// The chains of gates, if they are part of the value.
  struct Paths {
    PathLevels levels;
    std::uint64_t value_per_length = 0;
    std::vector<rewrite::GateIndex> restored = {};  ///< places; kept for its memory

    [[nodiscard]] std::uint64_t value() const { return value_per_length * levels.longest(); }
  };
  std::optional<Paths> paths_;
  std::uint64_t changes_since_ordered_ = 0;
};

}  // namespace quartz::optimizer
