#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "circuit/derivation.hpp"
#include "circuit/history.hpp"
#include "optimize/resynthesis/exact_fractions.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/optimize/exactness.hpp"

namespace quartz::optimizer {

/// Gates of a circuit and their replacement, on the circuit's qubits: `before` equals e^{i phase}
/// times `after` within kNumericTolerance.
struct BlockReplacement {
  std::vector<Operation> before;
  std::vector<Operation> after;
  Angle phase;
  /// Whether the equality relies on floating-point numbers because an angle on either side is not a
  /// multiple of pi/4. Otherwise exact arithmetic can prove it.
  bool numeric = false;
};

/// Sets `numeric` according to the angles.
void mark_numeric(BlockReplacement& replacement);

/// Returns whether `exactness` permits the angles of the replacement, in which `numeric` has been
/// set.
[[nodiscard]] bool permits_angles(Exactness exactness, const BlockReplacement& replacement);

/// Returns whether it does, and the replacement preserves exact fractions of pi
/// (exact_fractions.hpp).
[[nodiscard]] bool is_allowed(const BlockReplacement& replacement, Exactness exactness,
                              Inputs inputs = Inputs::all);

/// A rotation that moves through a gate.
struct Passing {
  std::size_t gate = 0;  ///< index of the gate
  Operation before;      ///< the rotation before the gate, which equals
  Operation after;       ///< this one after it
};

/// A replacement with its position in a list of gates. Gates of `before` that also occur in `after`
/// may stay in place.
struct PlacedReplacement {
  BlockReplacement replacement;
  std::vector<std::size_t> removed;
  /// Lists of new gates, each with the index of the gate before which to insert it (or the number
  /// of gates, for the end).
  std::vector<std::pair<std::size_t, std::vector<Operation>>> inserted;
  // For the history of a replacement with several lists: each list replaces some of the removed
  // gates, up to a rotation that passes the gate between that list and the next one.
  std::vector<std::size_t> removed_by_list;  ///< numbers of consecutive elements of `removed`
  std::vector<Passing> passing;              ///< one less than there are lists
};

/// Returns the history of all replacements; no gate is part of two of them.
[[nodiscard]] circuit::HistoryPointer history_of(std::span<const Operation> gates,
                                                 std::span<const PlacedReplacement> replacements);

/// Makes replacements in a circuit, with their phases, and appends them to its derivation; no gate
/// is part of two of them.
void make_replacements(circuit::DerivedGates& circuit,
                       std::vector<PlacedReplacement>& replacements);

}  // namespace quartz::optimizer
