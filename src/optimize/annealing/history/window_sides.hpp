#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "optimize/annealing/change.hpp"

namespace quartz::optimizer {

/// A set of indices in LoggedChange::gaps, of which there are at most 64.
using WireSet = std::uint64_t;

/// A gate of one side of a change.
struct SideGate {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  const rewrite::PlainGate* gate = nullptr;  ///< in the log
  std::uint32_t index = 0;                   ///< in ChangeLog::removed or ChangeLog::inserted
  WireSet wires = 0;
  std::uint64_t position = 0;  ///< 0 for an inserted gate
  /// The index of the same gate on the other side if it stays: a change replaces the other gates.
  std::uint32_t same = kNone;
  bool is_at_end = false;  ///< whether it stays behind those that are replaced

  [[nodiscard]] bool stays() const { return same != kNone; }
};

/// The two sides of a change: the gates of its window before and after it. Those that both have at
/// their starts or at their ends, in some order of each circuit, stay as they are: this halves the
/// time to replay the change.
class WindowSides {
 public:
  /// Lists the gates of a change, none of which is known to stay. The log must not change while
  /// they are used.
  void list(const ChangeLog& log, std::size_t change);
  /// Finds the gates that stay.
  void match();

  [[nodiscard]] std::span<const SideGate> left() const { return left_; }  ///< by position
  [[nodiscard]] std::span<const SideGate> right() const { return right_; }
  /// Returns the wires of the gates that are removed, and do not stay.
  [[nodiscard]] WireSet removed_wires() const { return wires_of_new(left_); }
  /// Returns the wires of the gates that are removed or inserted, and do not stay.
  [[nodiscard]] WireSet replaced_wires() const {
    return wires_of_new(left_) | wires_of_new(right_);
  }
  /// Gates around the replaced ones that are on one of their wires and stay; null where the gap of
  /// the wire says what is there.
  struct Neighbours {
    const SideGate* before = nullptr;
    const SideGate* after = nullptr;
  };
  [[nodiscard]] Neighbours neighbours(std::size_t wire) const;

 private:
  [[nodiscard]] static WireSet wires_of_new(std::span<const SideGate> gates) {
    WireSet wires = 0;
    for (const SideGate& gate : gates) wires |= gate.stays() ? 0 : gate.wires;
    return wires;
  }

  std::vector<SideGate> left_;
  std::vector<SideGate> right_;
};

}  // namespace quartz::optimizer
