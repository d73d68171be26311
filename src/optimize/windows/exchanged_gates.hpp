#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "circuit/history.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// A list of gates in which gates far apart are exchanged for others in their places, one exchange
/// after the other, with one history. The time for an exchange does not depend on the length of the
/// list, but on the number of empty places before its own.
class ExchangedGates {
 public:
  /// Index of a gate in the list before. What replaces the gate is at its place.
  using Place = std::uint32_t;
  struct Replacement {
    Place place = 0;
    std::vector<Operation> gates;
  };

  explicit ExchangedGates(std::span<const Operation> gates);

  [[nodiscard]] std::size_t places() const { return contents_.size(); }
  [[nodiscard]] std::span<const Operation> at(Place place) const {
    const Content& content = contents_[place];
    return std::span(gates_).subspan(content.first, content.count);
  }
  /// Replaces what is at some places, given in ascending order, by gates on the same wires, which
  /// together preserves the circuit: one exchange of the history.
  void exchange(std::span<const Replacement> replacements);

  /// Returns the gates in their order.
  [[nodiscard]] std::vector<Operation> gates() const;
  /// Returns the history of all exchanges; null if there were none. The object must not be used
  /// afterwards.
  [[nodiscard]] circuit::HistoryPointer finish_history() &&;

 private:
  /// What is at a place: gates with consecutive indices in `gates_` and consecutive numbers.
  struct Content {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    circuit::GateNumber number = 0;  ///< the number of the first gate
  };
  static constexpr Place kNone = ~Place{0};

  /// Returns the number of the last gate on a wire before a place plus 1; 0 if there is none.
  [[nodiscard]] circuit::GateNumber last_on(Qubit wire, Place place);
  void insert(const Replacement& replacement, std::vector<circuit::RecordedGate>& inserted,
              std::vector<circuit::RecordedPlace>& places);

  std::vector<Operation> gates_;  ///< those of the list before, and the inserted ones
  std::vector<Content> contents_;
  /// The place before each gate of the list on each of its wires; the wires of all gates in order.
  std::vector<Place> previous_;
  std::vector<std::uint32_t> first_operand_;  ///< index of each gate's first wire in `previous_`
  std::size_t size_;                          ///< number of gates in the list before
  circuit::GateNumber next_number_;
  circuit::HistoryRecorder recorder_;
};

}  // namespace quartz::optimizer
