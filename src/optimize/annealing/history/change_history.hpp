#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "circuit/history.hpp"
#include "optimize/annealing/change.hpp"
#include "optimize/annealing/history/undone_changes.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

class AnnealingLabels;

/// The history of a circuit under annealing up to the start of its log. Gates are known by their
/// places in the WireLists.
class ChangeHistory {
 public:
  /// Begins the history of a circuit whose gates are in the places 0, 1, ... The labels must
  /// outlive the object.
  ChangeHistory(const AnnealingLabels& labels, std::size_t gates)
      : labels_(&labels), gates_(std::make_shared<circuit::RecordedGates>()) {
    start_from(nullptr, gates);
  }

  /// Continues from a circuit with another history, whose gates are in the places 0, 1, ...
  void start_from(circuit::HistoryPointer history, std::size_t gates);
  /// Appends the changes from `first` to `last` of a log, without those that undo each other if the
  /// log says so; `after` is the circuit after them.
  void append(const ChangeLog& log, std::size_t first, std::size_t last,
              const rewrite::WireLists& after);
  /// Adapts the numbers of the gates to other places: place i has the gate that was in order[i].
  void move_gates(std::span<const rewrite::GateIndex> order);
  /// Returns the history that leads to the gates in this order of their places.
  [[nodiscard]] circuit::HistoryPointer in_order(std::span<const rewrite::GateIndex> order) const;

 private:
  /// What the history knows of the gate in a place.
  struct KnownGate {
    circuit::GateNumber number = 0;
    /// The change that inserted it, if that is left out because a later one undoes it; the gate has
    /// no number then.
    std::uint32_t left_out_change = UndoneChanges::kNone;
  };

  /// Keeps what is known of the gates that a change removes.
  void keep_removed(const ChangeLog& log, std::size_t change);
  /// Appends a rewrite, unless it is one of two changes of which the second one undoes the first.
  void append_rewrite(const ChangeLog& log, std::size_t change, circuit::HistoryRecorder& recorder);
  /// Appends a move of rotations, which consists of all changes from `first` on that are continued,
  /// and the next one. Returns the index of the change after it.
  [[nodiscard]] std::size_t append_rotations(const ChangeLog& log, std::size_t first,
                                             circuit::HistoryRecorder& recorder);
  [[nodiscard]] circuit::RecordedGate recorded(const rewrite::PlainGate& gate);
  [[nodiscard]] circuit::RecordedPlace place_after(const ChangeLog& log,
                                                   const rewrite::WireLists::Gap& gap) const;
  /// Returns the number of a gate; for one of a change that is left out, that of the last gate on
  /// the wire that the change replaced.
  [[nodiscard]] circuit::GateNumber number_on(const ChangeLog& log, rewrite::Wire wire,
                                              KnownGate gate) const;

  const AnnealingLabels* labels_;
  std::shared_ptr<circuit::RecordedGates> gates_;
  std::vector<circuit::RecordedGates::Code> codes_;  ///< by label
  circuit::HistoryPointer history_;
  std::vector<KnownGate> gates_in_places_;            ///< by place
  std::size_t size_ = 0;                              ///< number of gates that the history leads to
  std::vector<rewrite::GateIndex> places_by_number_;  ///< used by append()
  UndoneChanges undone_;
  std::vector<KnownGate> removed_gates_;  ///< by index in ChangeLog::removed
  // Parts of the current record; kept for their memory.
  struct Scratch {
    std::vector<circuit::GateNumber> removed;
    std::vector<Qubit> wires;  ///< those of the removed gates
    std::vector<circuit::RecordedPlace> places;
    std::vector<circuit::RecordedGate> inserted;
  };
  Scratch scratch_;
};

}  // namespace quartz::optimizer
