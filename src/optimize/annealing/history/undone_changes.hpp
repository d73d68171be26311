#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "optimize/annealing/change.hpp"
#include "optimize/annealing/history/window_sides.hpp"

namespace quartz::optimizer {

/// Finds pairs of changes in a log of which the second one undoes the first: it replaces exactly
/// the gates that the first one inserted, by those that the first one removed. A history needs
/// neither of them. On adders, where most moves only exchange gates that commute, a third of the
/// changes are in such pairs.
///
/// Let the first change replace gates X by gates Y, and the second one Y by X. The changes between
/// them were made to a circuit with Y, and must be valid for the circuit with X: each window must
/// be consecutive on its wires, and no path may leave it and return. This holds if X and Y are on
/// the same wires, no window between the two changes is between gates of Y, and each path through X
/// has one through Y that begins and ends on the same wires. A gate of Y that is replaced and comes
/// back stays in the history all the time, so that a window beside the gates that replace it may be
/// between gates of Y as well.
class UndoneChanges {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// Reduces the changes from `first` to `last`, and finds pairs among them if the log says that
  /// histories leave them out. The circuit of the log has this
  /// number of places. No pair extends over one of its shared positions, or over a move of
  /// rotations.
  void find(const ChangeLog& log, std::size_t first, std::size_t last, std::size_t places);
  /// Returns the change that a change undoes, or by which it is undone; kNone if there is none.
  [[nodiscard]] std::uint32_t partner(std::size_t change) const {
    return states_[change - first_].partner;
  }
  /// A gate that is not new after a change: because it stays, or because the change undoes another
  /// one.
  struct OldGate {
    std::uint32_t inserted = 0;  ///< its index in ChangeLog::inserted
    std::uint32_t removed = 0;   ///< in ChangeLog::removed
  };
  /// A wire of a change on which gates are inserted and none replaced.
  struct NewWire {
    std::uint32_t gap = 0;  ///< its index in LoggedChange::gaps
    /// Index in ChangeLog::removed of the gate that stays in front of the new ones; kNone if that
    /// is not a gate of the window.
    std::uint32_t before = kNone;
  };
  /// A change without the gates that stay.
  struct Reduced {
    std::span<const std::uint32_t> removed;  ///< indices in ChangeLog::removed, by position
    /// Indices in ChangeLog::inserted; empty if the change undoes another one.
    std::span<const std::uint32_t> inserted;
    std::span<const OldGate> old_gates;
    std::span<const NewWire> new_wires;
  };
  [[nodiscard]] Reduced reduced(std::size_t change) const;
  /// Returns the index in ChangeLog::removed of the last gate on a wire that a change replaced. The
  /// change is undone by another one, so that there is such a gate.
  [[nodiscard]] std::uint32_t last_replaced(const ChangeLog& log, std::uint32_t change,
                                            rewrite::Wire wire) const;

 private:
  struct State {
    std::uint32_t partner = kNone;
    std::uint32_t inserted = 0;  ///< number of gates that it inserts
    std::uint32_t alive = 0;     ///< number of these that are in the circuit
    /// Whether a later window was between two of them, where some may have been replaced.
    bool is_split = false;
    // Where its parts begin in the lists below.
    std::uint32_t first_removed = 0;
    std::uint32_t first_inserted = 0;
    std::uint32_t first_old_gate = 0;
    std::uint32_t first_new_wire = 0;
  };

  [[nodiscard]] State& state_of(std::uint32_t change) { return states_[change - first_]; }
  [[nodiscard]] std::uint32_t& owner_of_removed(std::uint32_t index) {
    return owners_of_removed_[index - first_removed_];
  }
  /// Returns the change that inserted the gate in a place, or kNone.
  [[nodiscard]] std::uint32_t owner_of(rewrite::GateIndex place) const;
  /// Notes where the parts of a change begin.
  void begin_change(std::uint32_t change);
  void add_rewrite(const ChangeLog& log, std::uint32_t change);
  /// Lists the replaced gates of the current change.
  void list_replaced();
  /// Takes the replaced gates of the current change out of the circuit. Returns the change whose
  /// gates these are, if they are all of its gates and no others; else kNone.
  [[nodiscard]] std::uint32_t take_replaced(const ChangeLog& log);
  /// Returns the change that inserted the first or last gate on a wire that a change replaced, or
  /// kNone.
  [[nodiscard]] std::uint32_t owner_before(const ChangeLog& log, std::uint32_t change,
                                           rewrite::Wire wire, bool is_last);
  /// Marks the change between whose gates the current one is on a wire, if there is one. The gates
  /// beside the window belong to the changes `before` and `after`, and may have replaced its gates.
  void note_split(const ChangeLog& log, rewrite::Wire wire, std::uint32_t before,
                  std::uint32_t after);
  /// Lists the new wires of the current change, and if changes are left out marks those between
  /// whose gates it is.
  void look_around(const ChangeLog& log, std::span<const rewrite::WireLists::Gap> gaps);
  /// Returns whether the current change inserts the gates that an earlier one replaced, in the same
  /// order on each wire, and lists them as old gates.
  [[nodiscard]] bool brings_back(const ChangeLog& log, std::uint32_t earlier);
  /// Returns whether the current change inserts gates on the wires of those that it replaces, and
  /// each path through them has one through these.
  [[nodiscard]] bool adds_no_path(std::size_t wires) const;

  std::size_t first_ = 0;
  std::size_t first_removed_ = 0;
  std::uint32_t barrier_ = 0;  ///< pairs begin behind it
  std::vector<State> states_;  ///< one for each change, and where the last one ends
  // The parts of all changes, as in Reduced.
  std::vector<std::uint32_t> removed_;
  std::vector<std::uint32_t> inserted_;
  std::vector<OldGate> old_gates_;
  std::vector<NewWire> new_wires_;
  std::vector<std::uint32_t> owners_;             ///< by place
  std::vector<std::uint32_t> owners_of_removed_;  ///< by index in ChangeLog::removed
  WindowSides sides_;                             ///< those of the current change
};

}  // namespace quartz::optimizer
