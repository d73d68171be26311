#include "report/placement.hpp"

#include <algorithm>
#include <iterator>

#include "quartz/circuit/gate.hpp"
#include "report/label.hpp"

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

}  // namespace

Placement place_operations(const Circuit& circuit, std::size_t qubits, std::size_t columns) {
  Placement placement;
  std::vector<std::size_t> next(qubits);  // the first free column of each qubit
  for (const Operation& operation : circuit.operations) {
    if (operation.qubits.empty()) continue;
    const auto [least, greatest] = std::ranges::minmax(operation.qubits);
    const auto end = next.begin() + std::min<std::ptrdiff_t>(greatest + 1, std::ssize(next));
    const bool is_cut = greatest >= next.size();
    const std::size_t column =
        least < next.size() ? *std::max_element(next.begin() + least, end) : 0;
    if (is_cut || column >= columns) {
      ++placement.omitted;
      // Nothing on these qubits is drawn behind an operation that is not.
      if (least < next.size()) std::fill(next.begin() + least, end, columns);
      continue;
    }
    std::fill(next.begin() + least, end, column + 1);
    placement.columns = std::max(placement.columns, column + 1);
    placement.operations.push_back(place(circuit, operation, column));
  }
  return placement;
}

}  // namespace quartz::report
