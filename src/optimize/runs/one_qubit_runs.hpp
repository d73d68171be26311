#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "circuit/derivation.hpp"
#include "optimize/runs/run_words.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Whether a history of the changes is recorded.
enum class RunHistory : bool { none, recorded };

/// Replaces each run of gates on one qubit, with no other gate between them on their wire, by the
/// cheapest word (RunWords) if that costs less, and removes pairs of inverse gates that nothing, or
/// a run that is the identity, separates; the runs around a pair become one. Everything is exact:
/// rotations about equal axes are merged, all others remain, as rotations about other axes, so
/// that as many can be folded later. Returns nothing if nothing changes.
///
/// Gates on one qubit that are no rotations about a Pauli axis or Clifford gates are like those on
/// several qubits. Takes two passes over the gates, of 56 bytes each, and 5 bytes more a gate, and
/// no memory for each run: some 0.25 us a gate.
[[nodiscard]] std::optional<circuit::DerivedGates> merge_one_qubit_runs(
    std::span<const Operation> gates, std::uint32_t qubits, RunWords& words, RunHistory history);

}  // namespace quartz::optimizer
