#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::target {

/// What a file says about one gate, "measure" or "reset".
struct Calibration {
  std::string gate;  ///< its name in the file
  /// Operands in the gate's order; empty for all operands that have no calibration.
  std::vector<Qubit> qubits;
  std::optional<double> error_rate = {};   ///< from 0 to 1; 1 means that the gate does not work
  std::optional<double> nanoseconds = {};  ///< the gate's duration
};

/// What one or more files say about a device, in the terms of the files.
struct DeviceFacts {
  std::string name;  ///< the device's name; empty if the file has none
  /// The basis gates; nothing if they are the gates with calibrations.
  std::optional<std::vector<std::string>> gates = {};
  std::set<Qubit> qubits = {};
  /// The pairs that are coupled, in the order of a gate's operands; nothing if they are the pairs
  /// with calibrations.
  std::optional<std::set<std::pair<Qubit, Qubit>>> pairs = {};
  bool all_pairs = false;  ///< whether every qubit is coupled with every other one
  std::vector<Calibration> calibrations = {};
};

}  // namespace quartz::target
