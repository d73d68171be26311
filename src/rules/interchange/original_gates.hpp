#pragma once

#include <string_view>

#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"

/// The gates of the original Quartz (the files of its folder src/quartz/gate).
namespace quartz::rules {

/// A gate of the original Quartz, and a gate of ours that is equal to it up to global phase.
struct OriginalGate {
  std::string_view name;   ///< in the files of the original Quartz
  std::string_view equal;  ///< name of our gate
  /// Angle of our gate in multiples of pi/4, if the original has no parameter; 0: no angle.
  int eighth_turns = 0;
  unsigned parameters = 0;
  /// Number of parameters, from the first, that are halves of angles: the original's rz by p is
  /// diag(e^{-ip}, e^{ip}).
  unsigned halves = 0;
  bool negated = false;  ///< whether our gate has the opposite angle
};

/// Returns whether the original Quartz has a gate of this name.
[[nodiscard]] bool is_original_gate(std::string_view name);
/// Returns the first row for the gate whose equal is in the gate set; null if there is none.
[[nodiscard]] const OriginalGate* original_gate_in(const GateSet& set, std::string_view name);

}  // namespace quartz::rules
