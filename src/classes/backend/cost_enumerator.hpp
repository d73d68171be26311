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

namespace quartz::classes {

/// Equivalence classes, identified by their keys, with the cost and last letters of each.
struct CostedClasses {
  /// A word of `knowns` contains the class's least cost plus 1 from this bit upwards. Below it, bit
  /// i is set if letter i ends a cheapest circuit of the class.
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

/// Dijkstra's algorithm over the classes of an alphabet whose letters have costs: the classes of a
/// cost are extended after all cheaper ones. The search starts with the class of the identity, of
/// cost 0. The result does not depend on the number of threads or devices, as long as the memory
/// suffices.
class CostEnumerator {
 public:
  using Visit = std::function<void(const CostedClasses&)>;

  virtual ~CostEnumerator() = default;
  /// Extends the classes of this cost. Classes that cost more than `last` are omitted, and those
  /// of cost `last` will not be extended themselves. Returns whether the memory
  /// sufficed. Throws Stopped once a stop is requested.
  [[nodiscard]] virtual bool extend(unsigned cost, unsigned last) = 0;
  /// Returns the number of classes of a cost that wait to be extended; some of them may turn out to
  /// be cheaper.
  [[nodiscard]] virtual std::uint64_t waiting(unsigned cost) const = 0;
  /// Returns the number of classes found so far.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Returns the number of classes of each cost from 0 to `last`.
  [[nodiscard]] virtual std::vector<std::uint64_t> count(unsigned last) const = 0;
  /// Calls `visit` for all classes, in portions, in ascending order of their keys.
  virtual void for_each(const Visit& visit) = 0;
};

/// Input of a cost enumerator on a device. The key of a circuit U is (f(U v))^16, or 1 where that
/// is 0, with v and f the probe's state and numerator; it is invariant under sixteenth roots of
/// unity.
struct CostTables {
  static constexpr unsigned kQubits = 3;
  fingerprint::FingerprintTables fingerprints;
  std::vector<unsigned> costs;  ///< cost of each letter
};

struct CostEnumeratorOptions {
  std::uint64_t memory = 0;                                ///< limit in bytes
  std::function<void(std::uint64_t classes)> on_progress;  ///< called from time to time
  std::stop_token stop;
  /// Time at which extend() gives up as if memory had run out (CPU only).
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

}  // namespace quartz::classes
