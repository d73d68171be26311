#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "circuit/derivation.hpp"
#include "optimize/annealing/annealing_chain.hpp"

namespace quartz::optimizer {

/// Collects the best circuits of all threads of annealing while these run, and passes them on.
/// Thread-safe.
class BetterCircuits {
 public:
  /// Returns a circuit that a chain found as gates on its qubits; null for a circuit without gates,
  /// which has no chain.
  using Restore =
      std::function<circuit::DerivedGates(const AnnealingChain::Best* found, std::size_t circuit)>;
  using OnBetter = std::function<void(std::vector<circuit::DerivedGates>)>;

  /// Time between two collections from a thread, unless they take long.
  static constexpr std::chrono::milliseconds kInterval{400};

  /// Begins with `circuits` circuits. The functions are called by one thread at a time.
  BetterCircuits(std::size_t circuits, Restore restore, OnBetter on_better)
      : best_(circuits), restore_(std::move(restore)), on_better_(std::move(on_better)) {}

  /// Takes the circuits of a thread that are better than those of all threads before, and passes on
  /// the best ones if there is any. The chains are those of the circuits; null for circuits without
  /// gates.
  void collect(std::span<const std::unique_ptr<AnnealingChain>> chains);

 private:
  std::mutex mutex_;
  std::vector<std::optional<AnnealingChain::Best>> best_;
  Restore restore_;
  OnBetter on_better_;
};

}  // namespace quartz::optimizer
