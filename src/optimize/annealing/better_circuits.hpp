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
///
/// The threads find circuits that are about as good, one after the other, and each has a history of
/// its own. A certificate replays these histories, and may have no time for all of them. It then
/// wants the circuits of one thread, which leads, until a circuit of another one is clearly better.
class BetterCircuits {
 public:
  /// Returns a circuit that a chain found as gates on its qubits; null for a circuit without gates,
  /// which has no chain.
  using Restore =
      std::function<circuit::DerivedGates(const AnnealingChain::Best* found, std::size_t circuit)>;
  using OnBetter = std::function<void(std::vector<circuit::DerivedGates>)>;

  /// Time between two collections from a thread, unless they take long.
  static constexpr std::chrono::milliseconds kInterval{400};

  /// Fractions of the value of its circuit by which another thread must be better than the one that
  /// leads, while annealing goes on and at its end. The certificate follows the search closely at
  /// its end, and there is no gain in a better circuit that is not certified.
  static constexpr double kLead = 0.01;
  static constexpr double kLeadAtEnd = 0.005;

  /// Begins with `circuits` circuits. `follows_one_thread` returns whether one thread is followed;
  /// if not, or if it is empty, each better circuit is wanted. The other functions are called by
  /// one thread at a time.
  BetterCircuits(std::size_t circuits, std::function<bool()> follows_one_thread, Restore restore,
                 OnBetter on_better)
      : best_(circuits),
        follows_one_thread_(std::move(follows_one_thread)),
        restore_(std::move(restore)),
        on_better_(std::move(on_better)) {}

  /// Takes the circuits of a thread that are better than those of all threads before, as described
  /// above, and passes on the best ones if there is any. The chains are those of the circuits; null
  /// for circuits without gates.
  void collect(std::uint64_t thread, std::span<const std::unique_ptr<AnnealingChain>> chains);
  /// Returns whether one thread is followed: a certificate replays its history.
  [[nodiscard]] bool follows_one_thread() const {
    return follows_one_thread_ != nullptr && follows_one_thread_();
  }
  /// Returns the index of the thread whose circuit annealing should end with, given the values of
  /// the best circuits of all threads.
  [[nodiscard]] std::size_t thread_at_end(std::size_t circuit,
                                          std::span<const std::uint64_t> values) const;

 private:
  /// A circuit and the thread that found it.
  struct Leading {
    AnnealingChain::Best circuit;
    std::uint64_t thread = 0;
  };
  /// Returns whether a circuit of a thread with this value takes the place of the one that leads.
  [[nodiscard]] bool leads(std::uint64_t value, std::uint64_t thread,
                           const std::optional<Leading>& leading) const;

  std::mutex mutex_;
  std::vector<std::optional<Leading>> best_;
  std::function<bool()> follows_one_thread_;
  Restore restore_;
  OnBetter on_better_;
};

}  // namespace quartz::optimizer
