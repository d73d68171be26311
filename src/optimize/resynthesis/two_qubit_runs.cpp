#include "optimize/resynthesis/two_qubit_runs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/state/numeric_angle.hpp"

namespace quartz::optimizer {
namespace {

bool has_numeric_unitary(const Operation& operation) {
  return !operation.is_boundary() && operation.qubits.size() <= 2 && has_numeric_angles(operation);
}

}  // namespace

std::vector<TwoQubitRun> two_qubit_runs(std::span<const Operation> gates, std::uint32_t qubits) {
  std::vector<TwoQubitRun> runs;
  std::vector<std::optional<std::size_t>> open(qubits);
  // one-qubit gates that belong to no block yet
  std::vector<std::vector<std::size_t>> waiting(qubits);
  const auto close = [&](Qubit qubit) {
    waiting[qubit].clear();
    if (!open[qubit]) return;
    const std::array<Qubit, 2> pair = runs[*open[qubit]].qubits;
    for (const Qubit member : pair) open[member].reset();
  };
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const Operation& operation = gates[i];
    if (!has_numeric_unitary(operation) || operation.qubits.empty()) {
      for (const Qubit qubit : operation.qubits) close(qubit);
      continue;
    }
    const Qubit first = operation.qubits.front();
    if (operation.qubits.size() == 1) {
      (open[first] ? runs[*open[first]].places : waiting[first]).push_back(i);
      continue;
    }
    const Qubit second = operation.qubits.back();
    if (!open[first] || open[first] != open[second] ||
        runs[*open[first]].places.size() >= kMaxRunGates) {
      TwoQubitRun run{{first, second}, {}, i};
      for (const Qubit qubit : run.qubits) {
        run.places.insert(run.places.end(), waiting[qubit].begin(), waiting[qubit].end());
        close(qubit);
      }
      open[first] = open[second] = runs.size();
      runs.push_back(std::move(run));
    }
    runs[*open[first]].places.push_back(i);
  }
  return runs;
}

}  // namespace quartz::optimizer
