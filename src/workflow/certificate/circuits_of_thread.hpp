#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "workflow/certificate/certifiable_circuits.hpp"

namespace quartz::workflow {

/// Circuits that one thread of a search found one after the other. Most histories continue the one
/// before, so that these circuits are on the way to the last one. Few are kept, at about equal
/// distances in steps.
class CircuitsOfThread {
 public:
  /// Circuits are kept that are at least as many steps apart, unless all together have too many
  /// operations.
  explicit CircuitsOfThread(std::uint64_t spacing) : spacing_(spacing) {}

  /// Adds a circuit, behind all with fewer steps; others are removed. All that are kept have at
  /// most this many operations, if they are more than two.
  void add(CertifiableCircuit found, std::size_t most_operations);
  /// Returns all circuits, with more and more steps.
  [[nodiscard]] const std::vector<CertifiableCircuit>& all() const { return entries_; }
  /// Returns the last circuit with more than `steps` and at most `steps + stretch`, or the first
  /// one behind it, or nothing.
  [[nodiscard]] std::optional<CertifiableCircuit> next(std::uint64_t steps,
                                                       std::uint64_t stretch) const;
  /// Removes circuits with up to this many steps.
  void remove_up_to(std::uint64_t steps);
  /// Removes circuits with more steps.
  void remove_beyond(std::uint64_t steps);

 private:
  [[nodiscard]] std::size_t operations() const;
  /// Removes the circuit, but not the last one, whose neighbours are closest to each other.
  void remove_closest();

  std::uint64_t spacing_;
  std::uint64_t first_steps_ = 0;  ///< the largest argument of remove_up_to()
  std::vector<CertifiableCircuit> entries_;
};

}  // namespace quartz::workflow
