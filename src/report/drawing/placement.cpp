#include "report/drawing/placement.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "quartz/circuit/gate.hpp"
#include "report/drawing/label.hpp"
#include "report/drawing/repetitions.hpp"

namespace quartz::report {
namespace {

/// Returns how an operation that is not a gate is drawn.
GateSymbol symbol_of_boundary(const Circuit& circuit, const Operation& operation) {
  GateSymbol symbol{std::vector(operation.qubits.size(), OperandSign::box), "", false};
  if (operation.kind == OperationKind::reset) symbol.name = "|0⟩";
  if (operation.kind == OperationKind::opaque) {
    symbol.name = operation.classical->opaque_name;
    symbol.numbered = operation.qubits.size() > 1;
  }
  if (operation.kind == OperationKind::measure) {
    const bool has_bit = operation.classical != nullptr && !operation.classical->bits.empty();
    symbol.name =
        has_bit ? "M " + element_name(circuit.bit_registers, operation.classical->bits.front())
                : "M";
  }
  return symbol;
}

PlacedOperation place(const Circuit& circuit, const Operation& operation, std::size_t column) {
  PlacedOperation placed{&operation, column, {}, {}};
  placed.symbol = operation.kind == OperationKind::gate ? symbol_of(gate(operation.gate))
                                                        : symbol_of_boundary(circuit, operation);
  const std::string condition = operation.conditions().empty() ? "" : "if ";
  placed.label = shortened(condition + placed.symbol.name + angles_label(operation));
  return placed;
}

/// Puts the operations of a circuit into columns.
class Placer {
 public:
  Placer(const Circuit& circuit, std::size_t qubits, std::size_t columns)
      : circuit_(circuit), columns_(columns), next_(qubits) {}

  /// Places one operation after those before it. Returns whether there is room for it.
  bool add(const Operation& operation) {
    if (operation.qubits.empty()) return true;
    const auto [least, greatest] = std::ranges::minmax(operation.qubits);
    const auto end = next_.begin() + std::min<std::ptrdiff_t>(greatest + 1, std::ssize(next_));
    const bool is_cut = greatest >= next_.size();
    const std::size_t column =
        least < next_.size() ? *std::max_element(next_.begin() + least, end) : 0;
    if (is_cut || column >= columns_) {
      ++placement_.omitted;
      // Nothing on these qubits is drawn behind an operation that is not.
      if (least < next_.size()) std::fill(next_.begin() + least, end, columns_);
      return false;
    }
    std::fill(next_.begin() + least, end, column + 1);
    placement_.columns = std::max(placement_.columns, column + 1);
    placement_.operations.push_back(place(circuit_, operation, column));
    ++placement_.shown;
    return true;
  }
  /// Places a part that is repeated, in columns of its own.
  void add(const Repetition& repetition) {
    const std::size_t first_column = align();
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < repetition.length; ++i) {
      drawn += add(circuit_.operations[repetition.first + i]) ? 1 : 0;
    }
    const std::size_t others = repetition.length * (repetition.count - 1);
    const bool is_complete = drawn == repetition.length;
    (is_complete ? placement_.shown : placement_.omitted) += others;
    const std::size_t end_column = align();
    if (drawn == 0) return;
    placement_.frames.push_back(
        {first_column, std::min(end_column, placement_.columns) - 1, repetition.count});
  }
  [[nodiscard]] Placement finish() { return std::move(placement_); }

 private:
  /// Makes the next operation on every qubit begin in the same column, and returns it.
  std::size_t align() {
    const auto most = std::ranges::max_element(next_);
    const std::size_t column = most == next_.end() ? 0 : *most;
    std::ranges::fill(next_, column);
    return column;
  }

  const Circuit& circuit_;
  std::size_t columns_;
  std::vector<std::size_t> next_;  ///< the first free column of each qubit
  Placement placement_;
};

}  // namespace

Placement place_operations(const Circuit& circuit, std::size_t qubits, std::size_t columns,
                           bool folds_repetitions) {
  // More are not drawn, even if all of them are folded.
  constexpr std::size_t kMostFolded = 20'000;
  std::vector<Repetition> repetitions;
  if (folds_repetitions) repetitions = repetitions_in(circuit, kMostFolded);
  Placer placer(circuit, qubits, columns);
  auto repetition = repetitions.begin();
  for (std::size_t i = 0; i < circuit.operations.size();) {
    if (repetition != repetitions.end() && repetition->first == i) {
      placer.add(*repetition);
      i = (repetition++)->end();
    } else {
      placer.add(circuit.operations[i++]);
    }
  }
  return placer.finish();
}

}  // namespace quartz::report
