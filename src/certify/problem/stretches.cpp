#include "certify/problem/stretches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "circuit/kept_statement.hpp"

namespace quartz::certify {
namespace {

struct Stretches {
  std::vector<Circuit> circuits;
  std::vector<const Operation*> statements;  ///< one less than the circuits
};

Stretches stretches_of(const Circuit& circuit) {
  Stretches result;
  const Circuit frame = without_operations(circuit);
  result.circuits.push_back(frame);
  for (const Operation& operation : circuit.operations) {
    if (!circuit::is_kept_statement(operation)) {
      result.circuits.back().operations.push_back(operation);
      continue;
    }
    result.statements.push_back(&operation);
    result.circuits.push_back(frame);
    result.circuits.back().global_phase = {};
  }
  return result;
}

}  // namespace

bool has_kept_statements(const Circuit& circuit) {
  return std::any_of(
      circuit.operations.begin(), circuit.operations.end(),
      [](const Operation& operation) { return circuit::is_kept_statement(operation); });
}

std::variant<std::vector<StretchPair>, Fault> pair_stretches(const Circuit& left,
                                                             const Circuit& right) {
  if (left.bit_registers != right.bit_registers || left.qubit_registers != right.qubit_registers) {
    return "the statements of the circuits are about registers of different names";
  }
  Stretches of_left = stretches_of(left);
  Stretches of_right = stretches_of(right);
  const bool same = std::equal(of_left.statements.begin(), of_left.statements.end(),
                               of_right.statements.begin(), of_right.statements.end(),
                               [](const Operation* a, const Operation* b) { return *a == *b; });
  if (!same) return "the circuits have different loops, boxes, assignments or pragmas";
  std::vector<StretchPair> result;
  for (std::size_t i = 0; i < of_left.circuits.size(); ++i) {
    result.push_back({std::move(of_left.circuits[i]), std::move(of_right.circuits[i])});
  }
  return result;
}

}  // namespace quartz::certify
