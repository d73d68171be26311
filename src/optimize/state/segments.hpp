#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "circuit/record_encoding.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// The gates of a segment: a list of its own, or the gates of a circuit that outlives the segment.
class SegmentGates {
 public:
  using value_type = Operation;

  SegmentGates() = default;
  SegmentGates(std::vector<Operation> gates) : own_(std::move(gates)) {}  // NOLINT: the same gates
  /// Returns the gates of a circuit, of which no copy is made.
  [[nodiscard]] static SegmentGates of_circuit(std::span<const Operation> gates);

  [[nodiscard]] const Operation* begin() const { return all().data(); }
  [[nodiscard]] const Operation* end() const { return begin() + size(); }
  [[nodiscard]] std::size_t size() const { return all().size(); }
  [[nodiscard]] bool empty() const { return all().empty(); }
  [[nodiscard]] const Operation& operator[](std::size_t index) const { return all()[index]; }
  friend bool operator==(const SegmentGates& a, const std::vector<Operation>& b) {
    return std::ranges::equal(a.all(), b);
  }

  /// Returns whether the gates are those of a circuit, of which there is no copy.
  [[nodiscard]] bool are_shared() const { return !shared_.empty(); }
  /// Returns the gates, of which a copy is only made if there is none.
  [[nodiscard]] std::vector<Operation> take() &&;
  /// Returns the list of gates that are not shared.
  [[nodiscard]] std::vector<Operation>& own() { return own_; }

 private:
  [[nodiscard]] std::span<const Operation> all() const { return are_shared() ? shared_ : own_; }

  std::vector<Operation> own_;
  std::span<const Operation> shared_;
};

/// Gates between two optimization boundaries, and the boundary after them.
///
/// In a joined segment, boundaries on few qubits stand among the gates as *black boxes*: opaque
/// operations about which a search knows only their wires. An equality that holds for any unitary
/// in place of each black box, with each of them once on both sides, is linear in each black box.
/// It then holds for any matrix, and so for each Kraus operator of a measurement, a reset or a gate
/// under a condition. A search must keep the black boxes, but may move gates past them on other
/// wires.
struct Segment {
  SegmentGates gates;                      ///< unconditional gates, and black boxes
  std::optional<Operation> boundary = {};  ///< none after the last segment
  /// The condition under which all of the gates are executed; null if there is none.
  std::shared_ptr<const ClassicalPart> condition = {};
  /// The boundaries that the black boxes represent; null if there are none.
  std::shared_ptr<const std::vector<Operation>> boxed = {};
  /// Operations before the gates that no search sees; null if there are none.
  std::shared_ptr<const std::vector<Operation>> before = {};
};

/// How a circuit is divided into segments.
enum class Segments : std::uint8_t {
  divided,  ///< at every boundary
  joined,   ///< boundaries on few qubits are black boxes of larger segments
  bodies,   ///< searches see only the gates that joined segments have as black boxes
};

/// Returns a sample of a circuit: at most this many operations from its middle on, up to the first
/// boundary.
[[nodiscard]] std::span<const Operation> gates_in_the_middle(std::span<const Operation> operations,
                                                             std::size_t size);

/// Returns the number of wires of a circuit's segments: the qubits and, if some operation reads or
/// writes classical bits, a wire on which all black boxes for such operations lie in their order.
[[nodiscard]] std::uint32_t segment_wires(const Circuit& circuit);

/// Returns whether a gate is an optimization boundary only because of its condition.
[[nodiscard]] inline bool is_conditional_gate(const Operation& operation) {
  return operation.kind == OperationKind::gate && operation.is_boundary();
}

/// Returns whether an operation of a segment is a black box.
[[nodiscard]] inline bool is_black_box(const Operation& operation) {
  return operation.is_boundary();
}

/// Returns whether a black box, given by its content, is a measurement of its first wire, which
/// commutes with diagonal gates.
[[nodiscard]] bool is_measurement_box(const ClassicalPart& content);
/// Returns whether a black box, given by its content, is a reset of its wire, after which that is
/// in |0>.
[[nodiscard]] bool is_reset_box(const ClassicalPart& content);

/// Where a segment is in the circuit that was divided: indices of operations.
struct SegmentPlaces {
  circuit::NumberList before = {};
  circuit::NumberList gates = {};
  std::optional<std::uint32_t> boundary = {};
};

/// Divides a circuit at its optimization boundaries, which keep their order. Each gate belongs to
/// the earliest segment that no boundary on its qubits excludes, so segments are as large as
/// possible. Consecutive gates under one condition form a separate segment: in the branch where the
/// condition holds they are plain gates, and their global phase cannot be observed. If the segments
/// are joined, a boundary on at most two qubits, or three without classical bits, is a black box,
/// and so are up to three consecutive gates under one condition. A search cannot rewrite these
/// gates in joined segments, so they can also be segments of their own, which contain only the
/// *bodies*: two or three gates under one condition each, and everything else in Segment::before.
/// Fills `places` with those of the segments unless it is null.
[[nodiscard]] std::vector<Segment> split_into_segments(
    std::span<const Operation> operations, std::uint32_t qubits, Segments kind = Segments::divided,
    std::vector<SegmentPlaces>* places = nullptr);

/// Divides a circuit that outlives the segments. If it has no boundaries, the segment shares its
/// gates: a large circuit is not copied.
[[nodiscard]] std::vector<Segment> segments_of_circuit(std::span<const Operation> operations,
                                                       std::uint32_t qubits,
                                                       std::vector<SegmentPlaces>* places);

/// Appends the operations of a segment to those of a circuit.
void append_segment(const Segment& segment, std::vector<Operation>& operations);
void append_segment(Segment&& segment, std::vector<Operation>& operations);

}  // namespace quartz::optimizer
