#include "optimize/requirements.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "flips/flip_backends.hpp"
#include "parity_chains/parity_backends.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/cost_file.hpp"
#include "window_chains/chain_backends.hpp"

namespace quartz::optimizer {

namespace {

constexpr std::string_view kAutomaticSearch = "auto";

/// Returns the device of some backends that a search may use.
template <typename Backend>
const Backend* device_of(std::span<const Backend> backends, const OptimizeOptions& options) {
  // What steps find does not depend on the machine.
  const bool needs_it = options.backend == SearchBackend::cuda;
  if (!needs_it && (options.backend == SearchBackend::cpu || options.steps != 0)) return nullptr;
  for (const Backend& backend : backends) {
    if (backend.name == "cuda" && (!needs_it || backend.available())) return &backend;
  }
  if (!needs_it) return nullptr;
  throw UsageError(
      "the backend cuda is not available on this machine; auto and cpu search without it");
}

}  // namespace

void require_suitable(const Circuit& circuit, const GateSet& set, const OptimizeOptions& options) {
  for (const Operation& operation : circuit.operations) {
    if (operation.kind != OperationKind::gate || set.contains(operation)) continue;
    throw UsageError("the circuit is not in the gate set '" + set.name + "': translate it first");
  }
  if (!(options.epsilon >= 0 && options.epsilon <= 1)) {
    throw UsageError("epsilon must be in [0, 1], not " + std::to_string(options.epsilon));
  }
  for (const Objective& objective : options.cost.objectives()) {
    if (const std::optional<GateKind> missing = gate_without_weight(objective, set)) {
      throw UsageError("the cost '" + std::string(objective.name()) + "' has no weight for " +
                       std::string(gate(*missing).name) + " of the gate set '" + set.name + "'");
    }
  }
  if (!options.coupling) return;
  if (const auto gate = uncoupled_gate(circuit, *options.coupling)) {
    throw UsageError("the circuit has a gate between qubits " + std::to_string(gate->first) +
                     " and " + std::to_string(gate->second) + ", which are not coupled" +
                     (options.coupling->directed() ? " in this direction" : ""));
  }
}

const flips::FlipBackend* device_for_flips(const OptimizeOptions& options) {
  return device_of(flips::flip_backends(), options);
}

const parity_chains::ParityBackend* device_for_parities(const OptimizeOptions& options) {
  return device_of(parity_chains::parity_backends(), options);
}

const window_chains::ChainBackend* device_for_chains(const OptimizeOptions& options) {
  // With a device, auto does not find better circuits in the same time (docs/benchmarks.md).
  if (options.backend != SearchBackend::cuda || options.search == kAutomaticSearch) return nullptr;
  for (const window_chains::ChainBackend& backend : window_chains::chain_backends()) {
    if (backend.name == "cuda") return &backend;
  }
  return nullptr;
}

}  // namespace quartz::optimizer
