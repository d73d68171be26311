#include "quartz/circuit/program_assumptions.hpp"

#include <algorithm>
#include <vector>

#include "circuit/kept_statement.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

Operation reset_of(Qubit qubit) {
  Operation operation;
  operation.kind = OperationKind::reset;
  operation.qubits.push_back(qubit);
  return operation;
}

bool measures(const Operation& operation) { return operation.kind == OperationKind::measure; }

/// Returns whether an operation may write a classical bit: a measurement, an assignment, or a call
/// whose value is assigned. An input has its value from the start.
bool writes_bits(const Operation& operation) {
  if (circuit::is_interface_statement(operation)) return false;
  return measures(operation) ||
         (operation.kind == OperationKind::opaque && !operation.classical->bits.empty());
}

/// Marks the first operation on each qubit, in the order of the iterators.
template <typename Iterator>
void mark_edge(Iterator begin, Iterator end, std::size_t qubits, std::vector<bool>& is_edge,
               const Operation* first) {
  std::vector<bool> seen(qubits, false);
  std::size_t found = 0;
  for (Iterator operation = begin; operation != end; ++operation) {
    if (circuit::is_interface_statement(*operation)) continue;
    const bool is_new = std::ranges::any_of(operation->qubits, [&](Qubit q) { return !seen[q]; });
    if (is_new && operation->kind == OperationKind::reset && operation->conditions().empty()) {
      is_edge[static_cast<std::size_t>(&*operation - first)] = true;
      ++found;
    }
    for (const Qubit qubit : operation->qubits) seen[qubit] = true;
  }
  if (found != qubits) throw UsageError("the circuit does not have a reset at each of its edges");
}

}  // namespace

ProgramAssumptions assumptions_of_program(const Circuit& circuit) {
  return {true, std::ranges::any_of(circuit.operations, measures)};
}

ProgramAssumptions assumptions_of_programs(const Circuit& left, const Circuit& right) {
  ProgramAssumptions result = assumptions_of_program(left);
  result.ends_discarded = result.ends_discarded && assumptions_of_program(right).ends_discarded;
  return result;
}

std::string to_string(const ProgramAssumptions& assumptions) {
  std::string text;
  if (assumptions.starts_zero) text = "the qubits start in |0>";
  if (assumptions.ends_discarded) {
    text += text.empty() ? "the qubits are discarded at the end" : " and are discarded at the end";
  }
  return text;
}

Circuit with_assumptions(const Circuit& circuit, const ProgramAssumptions& assumptions) {
  if (assumptions.ends_discarded && std::ranges::none_of(circuit.operations, writes_bits)) {
    throw UsageError(
        "the circuit measures nothing: without its qubits at the end, it does nothing at all");
  }
  Circuit result = without_operations(circuit);
  const Qubit qubits = circuit.qubit_count();
  result.operations.reserve(circuit.operations.size() + 2 * std::size_t{qubits});
  const auto first = std::ranges::find_if_not(circuit.operations, circuit::is_interface_statement);
  result.operations.assign(circuit.operations.begin(), first);
  for (Qubit qubit = 0; assumptions.starts_zero && qubit < qubits; ++qubit) {
    result.operations.push_back(reset_of(qubit));
  }
  result.operations.insert(result.operations.end(), first, circuit.operations.end());
  for (Qubit qubit = 0; assumptions.ends_discarded && qubit < qubits; ++qubit) {
    result.operations.push_back(reset_of(qubit));
  }
  return result;
}

Circuit without_assumptions(const Circuit& circuit, const ProgramAssumptions& assumptions) {
  const std::vector<Operation>& all = circuit.operations;
  std::vector<bool> is_edge(all.size(), false);
  const std::size_t qubits = circuit.qubit_count();
  if (assumptions.starts_zero) mark_edge(all.begin(), all.end(), qubits, is_edge, all.data());
  if (assumptions.ends_discarded) mark_edge(all.rbegin(), all.rend(), qubits, is_edge, all.data());
  Circuit result = without_operations(circuit);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_edge[i]) result.operations.push_back(all[i]);
  }
  return result;
}

}  // namespace quartz
