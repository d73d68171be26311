#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "base/periodic_call.hpp"
#include "circuit/derivation.hpp"
#include "optimize/derived_search.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "workflow/checkpoint.hpp"

namespace quartz::workflow {

/// Keeps what a search finds in a checkpoint, and continues the search of a checkpoint. Does
/// nothing if the options have no checkpoint.
class CheckpointedSearch {
 public:
  /// Opens the checkpoint. Throws as Checkpoint does, and UsageError for a search with steps, whose
  /// result would not depend on the options alone. The options must outlive the object.
  CheckpointedSearch(const SuperoptimizeOptions& options, const Circuit& input, const GateSet& set,
                     const Cost& cost);

  /// Returns the time that earlier searches spent; nothing if this one begins.
  [[nodiscard]] std::optional<double> seconds_before() const;
  /// Throws InputError, naming the checkpoint, if the search cannot begin with the circuit that was
  /// kept: it is not one of the gate set and of the coupling map, or it does not have the registers
  /// of the translated circuit.
  void require_suitable(const Circuit& translated, const GateSet& set,
                        const std::optional<CouplingMap>& coupling) const;
  /// Returns the circuit with which the search begins: that of the checkpoint, with the names of
  /// the translated circuit, or the translated circuit itself.
  [[nodiscard]] circuit::DerivedCircuit start(circuit::DerivedCircuit translated) const;
  /// Returns whether the search continues a checkpoint.
  [[nodiscard]] bool continues() const { return checkpoint_ && checkpoint_->found(); }
  /// Makes a search that begins with a circuit keep what it finds. The time limit of the search
  /// becomes the time that is left.
  void attach(OptimizeOptions& search, optimizer::SearchListener& listener,
              const circuit::DerivedCircuit& start);
  /// Keeps the result of the search.
  void finish(const circuit::DerivedCircuit& result);

 private:
  /// Returns the time that this search and those before it have spent.
  [[nodiscard]] double seconds() const;
  void keep(const circuit::DerivedCircuit& found);
  /// Does what keep() does, and throws if the circuit cannot be kept.
  void keep_or_throw(const circuit::DerivedCircuit& found);
  /// Keeps the time spent so far with the last state.
  void keep_seconds();
  /// Warns once if the last state could not be kept.
  void warn();

  const SuperoptimizeOptions& options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<Checkpoint> checkpoint_;
  std::mutex mutex_;
  std::string failure_;  ///< why a state could not be kept
  bool has_warned_ = false;
  /// Keeps the time spent while the search runs, also where the search reports no progress, such as
  /// while it builds a class table. The last member, because it uses the others.
  std::optional<PeriodicCall> clock_;
};

}  // namespace quartz::workflow
