#include "circuit/permutation/final_swaps.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace quartz::circuit {

FinalSwaps with_final_swaps(const Circuit& circuit, std::span<const std::array<Qubit, 2>> swaps) {
  FinalSwaps result;
  result.circuit = without_operations(circuit);
  result.permutation.resize(circuit.qubit_count());
  std::iota(result.permutation.begin(), result.permutation.end(), Qubit{0});
  if (swaps.empty()) {
    result.circuit = circuit;
    result.first_swap = circuit.operations.size();
    result.permutation.clear();
    return result;
  }
  History::Permutation record;
  std::vector<Operation>& operations = result.circuit.operations;
  std::vector<GateNumber> last(circuit.qubit_count(), 0);  // number of the last operation plus 1
  const std::vector<bool> is_final = final_operations(circuit);
  for (GateNumber i = 0; i < circuit.operations.size(); ++i) {
    if (is_final[i]) {
      record.final_operations.push_back(i);
      continue;
    }
    for (const Qubit qubit : circuit.operations[i].qubits) last[qubit] = i + 1;
    operations.push_back(circuit.operations[i]);
    record.order.push_back(i);
  }
  result.first_swap = operations.size();
  OutputPermutation original(result.permutation);  // the wire from which each wire has its content
  auto number = static_cast<GateNumber>(circuit.operations.size());
  for (const auto& [a, b] : swaps) {
    record.swaps.push_back({RecordedPlace{a, last[a]}, RecordedPlace{b, last[b]}});
    record.order.push_back(number);
    operations.push_back(make_operation(GateKind::swap, {a, b}));
    last[a] = last[b] = ++number;
    std::swap(result.permutation[original[a]], result.permutation[original[b]]);
    std::swap(original[a], original[b]);
  }
  for (const std::uint32_t index : record.final_operations) {
    Operation& moved = operations.emplace_back(circuit.operations[index]);
    for (Qubit& qubit : moved.qubits) qubit = result.permutation[qubit];
    record.order.push_back(index);
  }
  record.places = result.permutation;
  if (std::ranges::is_sorted(result.permutation)) result.permutation.clear();
  result.history = std::make_shared<History>(std::move(record));
  return result;
}

}  // namespace quartz::circuit
