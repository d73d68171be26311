#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "circuit/history.hpp"
#include "optimize/annealing/change.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

class AnnealingLabels;

/// The changes of a circuit under annealing, one after the other.
struct ChangeLog {
  std::span<const Change> changes;
  std::span<const rewrite::WireLists::RemovedGate> removed;
  std::span<const rewrite::GateIndex> inserted;        ///< places
  std::span<const rewrite::PlainGate> inserted_gates;  ///< the gates at these places
  std::span<const rewrite::WireLists::Gap> gaps;
};

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
  /// Appends the changes from `first` to `last` of a log; `after` is the circuit after them.
  void append(const ChangeLog& log, std::size_t first, std::size_t last,
              const rewrite::WireLists& after);
  /// Adapts the numbers of the gates to other places: place i has the gate that was in order[i].
  void move_gates(std::span<const rewrite::GateIndex> order);
  /// Returns the history that leads to the gates in this order of their places.
  [[nodiscard]] circuit::HistoryPointer in_order(std::span<const rewrite::GateIndex> order) const;

 private:
  /// The parts of a log that belong to one change.
  struct Entry {
    std::span<const rewrite::WireLists::RemovedGate> removed;
    std::span<const rewrite::GateIndex> inserted;
    std::span<const rewrite::PlainGate> inserted_gates;
    std::span<const rewrite::WireLists::Gap> gaps;
  };
  [[nodiscard]] static Entry entry_of(const ChangeLog& log, std::size_t change);

  /// A gate of one side of a rewrite.
  struct SideGate {
    rewrite::PlainGate gate;
    rewrite::GateIndex place = rewrite::kNoGate;
    circuit::GateNumber number = 0;
    std::uint64_t wires = 0;     ///< set of indices of gaps of the rewrite
    std::uint64_t position = 0;  ///< 0 for an inserted gate
    bool is_matched = false;     ///< whether it is also on the other side
    bool is_at_end = false;      ///< whether it was matched from the end of the window
  };
  void list_sides(const Entry& entry);
  /// Matches the gates that both sides have at their starts, in some order of each circuit. The
  /// sides are ranges of SideGate; with reverse iterators, the starts are their ends.
  template <typename Iterator>
  static void match(Iterator left, Iterator left_end, Iterator right, Iterator right_end);
  /// Returns the place of new gates on a wire on which only matched gates of the window are left.
  [[nodiscard]] circuit::RecordedPlace place_in_window(const Entry& entry, std::size_t wire) const;
  /// Appends a rewrite. Gates that both sides have at their starts or at their ends stay, with
  /// their numbers: this halves the time to replay the rewrite.
  void append_rewrite(const Entry& entry, circuit::HistoryRecorder& recorder);
  /// Appends a move of rotations, which consists of all changes from `first` on that are continued,
  /// and the next one. Returns the index of the change after it.
  [[nodiscard]] std::size_t append_rotations(const ChangeLog& log, std::size_t first,
                                             circuit::HistoryRecorder& recorder);
  [[nodiscard]] circuit::RecordedGate recorded(const rewrite::PlainGate& gate);
  [[nodiscard]] circuit::RecordedPlace place_after(const rewrite::WireLists::Gap& gap) const;
  void number(rewrite::GateIndex place, circuit::GateNumber number);

  const AnnealingLabels* labels_;
  std::shared_ptr<circuit::RecordedGates> gates_;
  std::vector<circuit::RecordedGates::Code> codes_;  ///< by label
  circuit::HistoryPointer history_;
  std::vector<circuit::GateNumber> numbers_;  ///< by place
  std::size_t size_ = 0;                      ///< number of gates that the history leads to
  /// Parts of the current record; kept for their memory.
  struct Sides {
    std::vector<SideGate> left;  ///< by position
    std::vector<SideGate> right;
  };
  Sides sides_;
  struct Scratch {
    std::vector<circuit::GateNumber> removed;
    std::vector<circuit::RecordedPlace> places;
    std::vector<circuit::RecordedGate> inserted;
  };
  Scratch scratch_;
};

}  // namespace quartz::optimizer
