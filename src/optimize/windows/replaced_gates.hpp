#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/derivation.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// The gates of a list that stay, and those that are replaced by others in their places, all at
/// once: one exchange.
class ReplacedGates {
 public:
  /// Index of a gate in the list. The number of gates is the place behind the last one.
  using Place = std::uint32_t;

  /// The gates must outlive the object.
  explicit ReplacedGates(std::span<const Operation> gates)
      : gates_(gates), change_of_(gates.size() + 1, kKept) {}

  void remove(Place place) { (void)change(place, false); }
  /// Puts gates in the place of one that is removed, behind those that were put there before.
  void replace(Place place, std::vector<Operation> by);
  /// Puts gates before one that stays or is replaced later, or at the end, behind those that were
  /// put there before.
  void insert_before(Place place, std::vector<Operation> inserted);

  /// Returns the gates, times e^{i phase}, with their history. The object must not be used
  /// afterwards.
  [[nodiscard]] circuit::DerivedGates finish(const Angle& phase, std::uint32_t qubits) &&;

 private:
  struct Change {
    std::vector<Operation> gates;
    bool stays = true;  ///< whether the gate follows them
  };
  static constexpr std::uint32_t kKept = ~0U;

  [[nodiscard]] Change& change(Place place, bool stays);

  std::span<const Operation> gates_;
  std::vector<std::uint32_t> change_of_;
  std::vector<Change> changes_;
};

}  // namespace quartz::optimizer
