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
#include "optimize/annealing/circuits_on_the_way.hpp"

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
  /// As AnnealingLimits::on_the_way.
  using OnTheWay = std::function<void(std::vector<circuit::DerivedGates>, bool is_best_of_thread)>;

  /// Time between two collections from a thread, unless they take long.
  static constexpr std::chrono::milliseconds kInterval{400};

  /// Begins with `circuits` circuits. The functions are called by one thread at a time.
  BetterCircuits(std::size_t circuits, Restore restore, OnBetter on_better,
                 OnTheWay on_the_way = {})
      : best_(circuits),
        restore_(std::move(restore)),
        on_better_(std::move(on_better)),
        on_the_way_(std::move(on_the_way)) {}

  /// Takes the circuits of a thread that are better than those of all threads before, and passes on
  /// the best ones if there is any. The chains are those of the circuits; null for circuits without
  /// gates. If there is a single chain, `on_the_way` may be what is on the way of that chain: what
  /// leads to its best circuit is passed on before, and this circuit as well if it is not better
  /// than those of other threads.
  void collect(std::span<const std::unique_ptr<AnnealingChain>> chains,
               CircuitsOnTheWay* on_the_way = nullptr);

 private:
  void pass_on_the_way(const AnnealingChain::Best& found, std::size_t circuit,
                       bool is_best_of_thread);

  std::mutex mutex_;
  std::vector<std::optional<AnnealingChain::Best>> best_;
  Restore restore_;
  OnBetter on_better_;
  OnTheWay on_the_way_;
};

}  // namespace quartz::optimizer
