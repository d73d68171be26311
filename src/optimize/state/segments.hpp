#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Gates between two optimization boundaries, and the boundary after them.
struct Segment {
  std::vector<Operation> gates;            ///< unconditional
  std::optional<Operation> boundary = {};  ///< none after the last segment
  /// The condition under which all of the gates are executed; null if there is none.
  std::shared_ptr<const ClassicalPart> condition = {};
};

/// Where a segment is in the circuit that was divided: indices of operations.
struct SegmentPlaces {
  std::vector<std::uint32_t> gates;
  std::optional<std::uint32_t> boundary = {};
};

/// Divides a circuit at its optimization boundaries, which keep their order. Each gate belongs to
/// the earliest segment that no boundary on its qubits excludes, so segments are as large as
/// possible. Consecutive gates under one condition form a separate segment: in the branch where the
/// condition holds they are plain gates, and their global phase cannot be observed. Fills `places`
/// with those of the segments unless it is null.
[[nodiscard]] std::vector<Segment> split_into_segments(
    std::span<const Operation> operations, std::uint32_t qubits,
    std::vector<SegmentPlaces>* places = nullptr);

/// Appends the operations of a segment to those of a circuit.
void append_segment(const Segment& segment, std::vector<Operation>& operations);
void append_segment(Segment&& segment, std::vector<Operation>& operations);

}  // namespace quartz::optimizer
