#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "fingerprint/fingerprint.hpp"

namespace quartz {

/// Classes by their keys, with what is known of each.
struct CostedClasses {
  /// Of a class: its least cost plus 1, from this bit on; below, bit i is set if letter i ends a
  /// cheapest circuit.
  static constexpr unsigned kCostShift = 40;

  [[nodiscard]] static constexpr std::uint64_t known(unsigned cost, std::uint64_t last_letters) {
    return std::uint64_t{cost + 1} << kCostShift | last_letters;
  }
  [[nodiscard]] static constexpr unsigned cost_of(std::uint64_t known) {
    return static_cast<unsigned>(known >> kCostShift) - 1;
  }
  [[nodiscard]] static constexpr std::uint64_t last_letters_of(std::uint64_t known) {
    return known & ((std::uint64_t{1} << kCostShift) - 1);
  }

  std::span<const std::uint64_t> keys;
  std::span<const std::uint64_t> knowns;
};

/// Dijkstra's algorithm over the classes of an alphabet whose letters have costs: those of each
/// cost are extended once all cheaper ones were. It begins with the identity's class, of cost 0.
/// What it finds does not depend on threads or devices, as long as the memory suffices.
class CostEnumerator {
 public:
  using Visit = std::function<void(const CostedClasses&)>;

  virtual ~CostEnumerator() = default;
  /// Extends the classes of this cost. What costs more than `last` is left out, and what costs just
  /// that will not be extended. Whether the memory sufficed. Throws Error if stopped.
  [[nodiscard]] virtual bool extend(unsigned cost, unsigned last) = 0;
  /// Classes that wait to be extended, of a cost; some may turn out to be cheaper.
  [[nodiscard]] virtual std::uint64_t waiting(unsigned cost) const = 0;
  /// All classes found so far.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Of each cost up to `last`.
  [[nodiscard]] virtual std::vector<std::uint64_t> count(unsigned last) const = 0;
  /// All classes, some at a time, in ascending order of their keys.
  virtual void for_each(const Visit& visit) = 0;
};

/// What a device needs to know. The key of a circuit U is (f(U v))^16, or 1 where that is 0, with
/// v and f the probe's state and numerator: it does not see sixteenth roots of unity.
struct CostTables {
  static constexpr unsigned kQubits = 3;
  FingerprintTables fingerprints;
  std::vector<unsigned> costs;  ///< of each letter
};

struct CostEnumeratorOptions {
  std::uint64_t memory = 0;                                ///< bytes
  std::function<void(std::uint64_t classes)> on_progress;  ///< now and then
  std::stop_token stop;
  /// When extend() gives up as where the memory does not suffice (on the CPU).
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

}  // namespace quartz
