#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "circuit/history.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// A list of gates in which windows are replaced one after the other, in time that depends on the
/// windows and not on the length of the list. All replacements together become one history.
///
/// The order is a linked list with order labels (Dietz, Sleator, STOC 1987, in the simplest form:
/// all gates get new labels when a gap is used up).
class EditedGates {
 public:
  /// Number of a gate: its index in the list before, or the next number for each inserted gate.
  using Index = circuit::GateNumber;
  /// Stands for the end of the list.
  static constexpr Index kEnd = std::numeric_limits<Index>::max();

  explicit EditedGates(std::span<const Operation> gates);

  [[nodiscard]] const Operation& operator[](Index gate) const { return gates_[gate]; }
  [[nodiscard]] Index first() const { return first_; }
  /// Returns the next gate of the list, or kEnd.
  [[nodiscard]] Index next(Index gate) const { return links_[gate].next; }
  /// Returns the gate before one of the list, or kEnd for the first one.
  [[nodiscard]] Index previous(Index gate) const { return links_[gate].previous; }
  /// Returns the next gate on the qubit of an operand, or kEnd. Only gates on one or two qubits
  /// know it.
  [[nodiscard]] Index next_on(Index gate, std::size_t operand) const {
    return links_[gate].next_on.at(operand);
  }
  /// Returns whether gate `a` precedes gate `b`. All gates precede kEnd.
  [[nodiscard]] bool precedes(Index a, Index b) const {
    return a != kEnd && (b == kEnd || links_[a].label < links_[b].label);
  }

  /// Replaces gates on one or two qubits, given in the order of the list, by others on these
  /// qubits, which are put before `anchor`. On each qubit, the removed gates follow each other, and
  /// all of them may be where the new gates are put. Returns the gate that then follows the one
  /// before the first removed gate, or kEnd.
  Index replace(std::span<const Index> removed, Index anchor, std::span<const Operation> inserted);

  /// Returns the gates in their order.
  [[nodiscard]] std::vector<Operation> gates() const;
  /// Returns the history of all replacements; null if there were none. The object must not be used
  /// afterwards.
  [[nodiscard]] circuit::HistoryPointer finish_history() &&;

 private:
  struct Links {
    std::uint64_t label = 0;
    Index next = kEnd;
    Index previous = kEnd;
    std::array<Index, 2> next_on{kEnd, kEnd};      ///< next gate on the qubit of each operand
    std::array<Index, 2> previous_on{kEnd, kEnd};  ///< previous gate on it
  };
  /// The interval of a qubit that a replacement fills.
  struct Gap {
    Qubit qubit = 0;
    Index before = kEnd;
    Index after = kEnd;
  };

  /// Removes gates and returns the gaps that they leave.
  [[nodiscard]] std::vector<Gap> remove(std::span<const Index> removed);
  void insert_before(Index anchor, std::span<const Operation> inserted);
  /// Connects two consecutive gates on a qubit.
  void connect(Qubit qubit, Index before, Index after);
  void relabel();

  std::vector<Operation> gates_;  ///< by number; those that were removed stay
  std::vector<Links> links_;
  Index first_ = kEnd;
  Index last_ = kEnd;
  circuit::HistoryRecorder recorder_;
};

}  // namespace quartz::optimizer
