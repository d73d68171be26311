#include "report/drawing/placement.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

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

PlacedOperation place(const Circuit& circuit, const Operation& operation,
                      std::vector<std::size_t> rows, std::size_t column) {
  PlacedOperation placed{&operation, std::move(rows), column, {}, {}};
  placed.symbol = operation.kind == OperationKind::gate ? symbol_of(gate(operation.gate))
                                                        : symbol_of_boundary(circuit, operation);
  const std::string condition = operation.conditions().empty() ? "" : "if ";
  placed.label = shortened(condition + placed.symbol.name + angles_label(operation));
  return placed;
}

/// Puts the operations of a circuit into columns.
class Placer {
 public:
  Placer(const Circuit& circuit, std::span<const Qubit> qubits, std::size_t columns)
      : circuit_(circuit),
        columns_(columns),
        row_of_(circuit.qubit_count(), kNoRow),
        next_(qubits.size()),
        has_ended_(qubits.size(), false) {
    for (std::size_t row = 0; row < qubits.size(); ++row) row_of_[qubits[row]] = row;
  }

  /// Places one operation after those before it. Returns whether there is room for it.
  bool add(const Operation& operation) {
    if (operation.qubits.empty()) return true;
    std::vector<std::size_t> rows = open_rows(operation);
    const bool is_cut = rows.size() < operation.qubits.size();
    if (rows.empty() || (is_cut && operation.kind != OperationKind::barrier)) return omit(rows);
    const auto [least, greatest] = std::ranges::minmax(rows);
    const std::span<std::size_t> crossed = std::span(next_).subspan(least, greatest - least + 1);
    const std::size_t column = std::ranges::max(crossed);
    if (column >= columns_) return omit(rows);
    std::ranges::fill(crossed, column + 1);
    placement_.columns = std::max(placement_.columns, column + 1);
    placement_.operations.push_back(place(circuit_, operation, std::move(rows), column));
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
  static constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

  /// Returns the rows of the qubits of an operation, without those that have ended.
  [[nodiscard]] std::vector<std::size_t> open_rows(const Operation& operation) const {
    std::vector<std::size_t> rows;
    for (const Qubit qubit : operation.qubits) {
      const std::size_t row = row_of_[qubit];
      if (row != kNoRow && !has_ended_[row]) rows.push_back(row);
    }
    return rows;
  }
  /// Leaves out an operation. Nothing on its qubits is drawn behind it.
  bool omit(std::span<const std::size_t> rows) {
    ++placement_.omitted;
    for (const std::size_t row : rows) has_ended_[row] = true;
    return false;
  }
  /// Makes the next operation on every qubit begin in the same column, and returns it.
  std::size_t align() {
    const auto most = std::ranges::max_element(next_);
    const std::size_t column = most == next_.end() ? 0 : *most;
    std::ranges::fill(next_, column);
    return column;
  }

  const Circuit& circuit_;
  std::size_t columns_;
  std::vector<std::size_t> row_of_;  ///< the row of each qubit, or kNoRow
  std::vector<std::size_t> next_;    ///< the first free column of each row
  std::vector<bool> has_ended_;      ///< whether an operation on the row was left out
  Placement placement_;
};

/// Qubits that are connected by operations, up to a number of them.
class DrawnQubits {
 public:
  DrawnQubits(std::size_t all, std::size_t most) : is_drawn_(all, false), left_(most) {}

  [[nodiscard]] bool contains(Qubit qubit) const { return is_drawn_[qubit]; }
  [[nodiscard]] bool is_full() const { return left_ == 0; }
  void add(Qubit qubit) {
    if (is_drawn_[qubit] || left_ == 0) return;
    is_drawn_[qubit] = true;
    --left_;
  }
  /// Adds the qubits of an operation if it connects others with those that are drawn, or with each
  /// other if it `begins` a part of the circuit. Returns whether it did.
  bool add(const Operation& operation, bool begins) {
    if (operation.kind == OperationKind::barrier || operation.qubits.size() < 2) return false;
    const auto known = static_cast<std::size_t>(
        std::ranges::count_if(operation.qubits, [&](Qubit qubit) { return is_drawn_[qubit]; }));
    const std::size_t missing = operation.qubits.size() - known;
    if (missing == 0 || missing > left_ || (known == 0 && !begins)) return false;
    for (const Qubit qubit : operation.qubits) add(qubit);
    return true;
  }

 private:
  std::vector<bool> is_drawn_;
  std::size_t left_;
};

}  // namespace

std::vector<Qubit> drawn_qubits(const Circuit& circuit, std::size_t most) {
  std::vector<Qubit> all(circuit.qubit_count());
  std::iota(all.begin(), all.end(), Qubit{0});
  if (all.size() <= most) return all;
  DrawnQubits drawn(all.size(), most);
  // A pass without a new qubit ends a part of the circuit, and another part begins.
  bool begins = true;
  for (bool grew = true; !drawn.is_full() && (grew || !begins);) {
    begins = begins || !grew;
    grew = false;
    for (const Operation& operation : circuit.operations) {
      if (!drawn.add(operation, begins)) continue;
      begins = false;
      grew = true;
    }
  }
  for (const Qubit qubit : all) drawn.add(qubit);
  std::erase_if(all, [&](Qubit qubit) { return !drawn.contains(qubit); });
  return all;
}

Placement place_operations(const Circuit& circuit, std::span<const Qubit> qubits,
                           std::size_t columns, bool folds_repetitions) {
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
