#include "workflow/rotations/one_qubit_runs.hpp"

#include <algorithm>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::workflow {
namespace {

/// Returns whether a gate may be in a run with others.
bool may_be_joined(const Operation& operation) {
  return operation.kind == OperationKind::gate && operation.classical == nullptr &&
         operation.qubits.size() == 1 &&
         (is_factor_of_products(operation.gate) ||
          (operation.gate == GateKind::rz && operation.angles.front().is_constant()));
}

OneQubitFactor factor_of(const Operation& operation) {
  if (operation.gate != GateKind::rz) return {operation.gate, {}};
  const Angle& angle = operation.angles.front();
  try {
    return {GateKind::rz, angle.reduced_modulo(4)};
  } catch (const OverflowError&) {
    // Runs with equal products may then be approximated twice.
    return {GateKind::rz, angle};
  }
}

/// Finds the runs while it goes through a circuit.
class RunFinder {
 public:
  explicit RunFinder(const Circuit& circuit) : circuit_(circuit), open_(circuit.qubit_count()) {}

  std::vector<OneQubitRun> find() {
    for (std::size_t i = 0; i < circuit_.operations.size(); ++i) add(i);
    for (std::vector<std::size_t>& run : open_) close(run);
    std::sort(runs_.begin(), runs_.end(), [](const OneQubitRun& a, const OneQubitRun& b) {
      return a.operations.front() < b.operations.front();
    });
    return std::move(runs_);
  }

 private:
  void add(std::size_t index) {
    const Operation& operation = circuit_.operations[index];
    if (may_be_joined(operation)) {
      open_[operation.qubits.front()].push_back(index);
      return;
    }
    for (const Qubit qubit : operation.qubits) close(open_[qubit]);
    if (is_approximated(operation)) runs_.push_back(run_of({index}));
  }

  /// Appends the runs of these gates, and removes them.
  void close(std::vector<std::size_t>& gates) {
    OneQubitRun run = run_of(std::exchange(gates, {}));
    if (is_better_at_once(run.product)) {
      runs_.push_back(std::move(run));
      return;
    }
    for (const std::size_t index : run.operations) {
      if (is_approximated(circuit_.operations[index])) runs_.push_back(run_of({index}));
    }
  }

  [[nodiscard]] OneQubitRun run_of(std::vector<std::size_t> gates) const {
    OneQubitRun run;
    for (const std::size_t index : gates) {
      run.product.push_back(factor_of(circuit_.operations[index]));
    }
    run.operations = std::move(gates);
    return run;
  }

  const Circuit& circuit_;
  std::vector<std::vector<std::size_t>> open_;  ///< by qubit: the gates since the last other one
  std::vector<OneQubitRun> runs_;
};

}  // namespace

bool is_approximated(const Operation& operation) {
  return operation.kind == OperationKind::gate && operation.gate == GateKind::rz &&
         operation.angles.front().is_constant() &&
         !is_clifford_t_rotation(operation.angles.front());
}

std::vector<OneQubitRun> approximated_runs(const Circuit& circuit) {
  return RunFinder(circuit).find();
}

}  // namespace quartz::workflow
