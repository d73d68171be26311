#include "verify/claim_core.hpp"

#include <algorithm>

#include "circuit/common_ends.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::verify {
namespace {

void require_gate_of(const Operation& operation, unsigned qubits) {
  if (operation.is_boundary()) throw UsageError("only gates can be proved equal");
  const Gate& row = gate(operation.gate);
  bool fits =
      operation.qubits.size() == row.qubits && operation.angles.size() == row.parameters.size();
  for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
    fits = fits && operation.qubits[i] < qubits;
    for (std::size_t j = 0; j < i; ++j) fits = fits && operation.qubits[i] != operation.qubits[j];
  }
  if (!fits) {
    throw UsageError("the gate '" + std::string(row.name) +
                     "' has operands or angles that it cannot have");
  }
}

}  // namespace

unsigned ClaimCore::position(Qubit qubit) const {
  const auto found = std::lower_bound(qubits.begin(), qubits.end(), qubit);
  ensure(found != qubits.end() && *found == qubit, "a claim's core lists its qubits");
  return static_cast<unsigned>(found - qubits.begin());
}

ClaimCore core_of(std::span<const Operation> left, std::span<const Operation> right,
                  unsigned qubits) {
  for (const auto side : {left, right}) {
    for (const Operation& operation : side) require_gate_of(operation, qubits);
  }
  circuit::strip_common_ends(left, right);
  ClaimCore core{left, right, {}};
  for (const auto side : {left, right}) {
    for (const Operation& operation : side) {
      core.qubits.insert(core.qubits.end(), operation.qubits.begin(), operation.qubits.end());
    }
  }
  std::sort(core.qubits.begin(), core.qubits.end());
  core.qubits.erase(std::unique(core.qubits.begin(), core.qubits.end()), core.qubits.end());
  return core;
}

}  // namespace quartz::verify
