#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "circuit/derivation.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/optimize/known_states.hpp"
#include "quartz/target/gate_set.hpp"

/// Passes change a whole circuit at once, before and after the search, which only knows segments of
/// gates.
namespace quartz::optimizer {

/// What a circuit is compiled for.
struct PassContext {
  const GateSet& set;
  const Cost& cost;
  const CouplingMap* coupling = nullptr;  ///< null: gates may act on any qubits
  std::stop_token stop = {};
  bool records = true;  ///< whether translations record how they derive the circuit
  /// Whether to fill PassFigures::plain_translation.
  bool counts_plain_translation = false;
  unsigned threads = 1;
  /// Called on another thread, if there are several, while a translation merges runs, which takes
  /// a second for a million gates; empty if there is nothing to do meanwhile. Does not throw.
  std::function<void()> meanwhile = {};
};

/// What passes report besides the circuit; each adds to it.
struct PassFigures {
  KnownStates known_states;
  /// Whether a translation has merged runs of gates on one qubit.
  bool has_merged_runs = false;
  /// What the circuit would be if that translation had merged none, as far as it is known.
  std::optional<CircuitCounts> plain_translation = {};
};

/// Counts the operations of the circuit that the passes "translate" and "directions" make without
/// merging runs, of which only a part is in the memory at any time. Returns nothing if exact
/// arithmetic does not suffice for it. Throws InexpressibleGate and Stopped as they do, and
/// UsageError as cost_of() does.
[[nodiscard]] std::optional<CircuitCounts> counts_of_plain_translation(const Circuit& circuit,
                                                                       const PassContext& context);

/// A change of a whole circuit.
struct CircuitPass {
  std::string_view name;
  std::string_view description;
  /// Returns a circuit that is equal up to its permutation, derived from the argument; nothing if
  /// that stays as it is, because copies of a large circuit take time and memory.
  std::optional<circuit::DerivedCircuit> (*run)(const Circuit& circuit, const PassContext& context,
                                                PassFigures& figures);
};

/// Returns the list of passes.
[[nodiscard]] std::span<const CircuitPass> circuit_passes();
/// Returns the pass of the list with this name, which must be one of them.
[[nodiscard]] const CircuitPass& circuit_pass(std::string_view name);

/// Passes that run one after the other: a value, made of names from the list.
using Pipeline = std::initializer_list<std::string_view>;

/// Runs the passes of a pipeline on a circuit. Returns nothing if all of them leave it as it is.
/// Throws what they throw.
[[nodiscard]] std::optional<circuit::DerivedCircuit> run_pipeline(
    std::span<const std::string_view> pipeline, const Circuit& circuit, const PassContext& context,
    PassFigures& figures);

}  // namespace quartz::optimizer
