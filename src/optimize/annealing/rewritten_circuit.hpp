#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quartz/optimize/optimize.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// Sums over the gates of a circuit under annealing.
struct Totals {
  std::uint64_t value = 0;       ///< scalar cost, which the search minimizes
  std::uint64_t table_cost = 0;  ///< cost in the class table, which the Metropolis rule uses
  /// Global phase in units of pi/8: the first circuit equals e^{i pi phase / 8} times this one.
  int phase = 0;
};

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
  /// An entry of the log.
  struct Change {
    RewriteKind kind{};
    /// Whether the next entry is part of the same rewrite: only both together preserve the unitary.
    bool is_continued = false;
    std::size_t first_removed = 0;
    std::size_t first_inserted = 0;
    std::size_t first_gap = 0;
    Totals before;
  };

  /// A circuit with its totals, without links.
  struct Snapshot {
    std::vector<rewrite::PlainGate> gates;
    Totals totals;
  };

  RewrittenCircuit(rewrite::WireLists gates, const Totals& totals);

  [[nodiscard]] const rewrite::WireLists& gates() const { return gates_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
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
  /// Makes the best circuit the current one.
  void return_to_best();

  /// Empties the log to release its memory. Keeps a copy of the best circuit if that is not the
  /// current one, and orders the gates if many have changed.
  void forget_changes();
  /// Orders the gates in memory as they are in the circuit, so that neighbours are close, and gives
  /// them evenly spaced positions. The log must be empty.
  void order_gates();

 private:
  void undo_last();
  void clear_log();

  rewrite::WireLists gates_;
  Totals totals_;
  std::vector<Change> changes_;
  std::vector<rewrite::WireLists::RemovedGate> removed_;  ///< gates removed by all changes
  std::vector<rewrite::GateIndex> inserted_;
  std::vector<rewrite::WireLists::Gap> gaps_;
  Totals best_totals_;
  std::size_t best_size_ = 0;
  /// Position of the best circuit in the log; if empty, the best circuit is in `best_copy_`.
  std::optional<std::size_t> best_position_ = 0;
  std::vector<rewrite::PlainGate> best_copy_;
  std::uint64_t changes_since_ordered_ = 0;
};

}  // namespace quartz::optimizer
