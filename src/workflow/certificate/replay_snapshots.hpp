#pragma once

#include <cstddef>
#include <cstdint>
#include <list>

#include "circuit/history.hpp"
#include "workflow/certificate/history_replay.hpp"

namespace quartz::workflow {

/// Copies of the replay of a history at some of its steps. A history that branches off from it is
/// replayed from the copy before the branch, rather than from the beginning.
///
/// The distances between the copies grow with their distances from the last step, so that a few of
/// them suffice for histories of any length.
class ReplaySnapshots {
 public:
  /// Sets how many operations the circuits of the histories have. There are fewer copies of larger
  /// circuits, and none of very large ones.
  void set_operations(std::size_t operations);

  /// Returns the number of steps after which the next copy is due.
  [[nodiscard]] std::uint64_t steps_of_next() const;
  /// Copies a replay if a copy is due.
  void add(const HistoryReplay& replay);
  /// Returns the copy with the most steps that a history continues, or null.
  [[nodiscard]] const HistoryReplay* find(const circuit::HistoryPointer& history) const;
  /// Removes the copies that a history does not continue.
  void keep_only(const circuit::HistoryPointer& history);
  void clear() { copies_.clear(); }

 private:
  /// Removes the copy without which the distances grow most evenly.
  void thin_out();

  std::size_t most_copies_ = 0;
  std::uint64_t spacing_ = 0;        ///< steps between the last copies
  std::list<HistoryReplay> copies_;  ///< by steps
};

}  // namespace quartz::workflow
