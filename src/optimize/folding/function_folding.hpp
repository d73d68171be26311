#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// No limit for the proofs of merges.
inline constexpr double kUnlimitedProofs = std::numeric_limits<double>::infinity();

/// Where a rotation is that two rotations have merged into. Which choice leaves fewer gates depends
/// on what cancels at the places that become empty.
enum class MergedPlace : std::uint8_t { first, last };

/// Merges rotations about Z whose wires have the same Boolean function of the same variables
/// (folding/sum_over_paths.hpp), or its complement. fold_rotations finds equal exclusive ors; this
/// also finds functions that are computed by Toffoli gates and the like, whether these are gates of
/// the circuit or written in h, cx and rotations. It finds most before other rewrites have broken
/// such blocks up.
///
/// The gates keep their positions. A merged rotation takes the place of one of the two: if just one
/// of them is a Clifford gate, that of the other one, and `place` otherwise. The time is linear in
/// the number of gates, as the sizes of functions are bounded. The computation is exact: the input
/// equals e^{i phase} times the result. The input consists of gates and black boxes
/// (state/segments.hpp). Ends early once the budget is spent, with the merges made so far. Leaves
/// out merges whose proofs would take more than `proof_work` in sum: the proof of a merge compares
/// the gates between both rotations, and takes the square of their number.
[[nodiscard]] circuit::DerivedGates fold_equal_functions(std::span<const Operation> gates,
                                                         std::uint32_t wires, const GateSet& set,
                                                         MergedPlace place = MergedPlace::first,
                                                         const Budget& budget = {},
                                                         double proof_work = kUnlimitedProofs);

}  // namespace quartz::optimizer
