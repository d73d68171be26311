#include "optimize/state/segments.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Most wires of a black box: searches store gates with up to three operands.
constexpr std::size_t kMaxBoxWires = 3;
/// Names in the content of black boxes that are measurements and resets.
constexpr std::string_view kMeasurement = "measure";
constexpr std::string_view kReset = "reset";
/// Longer runs of gates under one condition are segments, so that they are rewritten themselves.
constexpr std::size_t kMaxBoxedRun = 3;

bool has_classical_bits(const Operation& operation) {
  return operation.classical != nullptr &&
         (!operation.classical->bits.empty() || !operation.classical->conditions.empty());
}

/// Opaque operations on all qubits divide a circuit: they may be the beginning or the end of a
/// loop.
bool fits_black_box(const Operation& operation, std::uint32_t qubits) {
  if (operation.kind == OperationKind::opaque && operation.qubits.size() == qubits) return false;
  return operation.qubits.size() + (has_classical_bits(operation) ? 1 : 0) <= kMaxBoxWires;
}

/// Returns for each operation whether it is represented by a black box.
std::vector<bool> find_black_boxes(std::span<const Operation> operations, std::uint32_t qubits) {
  std::vector<bool> is_boxed(operations.size(), false);
  std::vector<std::size_t> run;  // consecutive gates under one condition
  const auto end_run = [&] {
    const bool fits = run.size() <= kMaxBoxedRun && std::ranges::all_of(run, [&](std::size_t i) {
                        return fits_black_box(operations[i], qubits);
                      });
    for (const std::size_t i : run) is_boxed[i] = fits;
    run.clear();
  };
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (!operation.is_boundary()) continue;
    const bool continues = !run.empty() && is_conditional_gate(operation) &&
                           *operations[run.back()].classical == *operation.classical;
    if (!continues) end_run();
    if (is_conditional_gate(operation)) {
      run.push_back(i);
    } else {
      is_boxed[i] = fits_black_box(operation, qubits);
    }
  }
  end_run();
  return is_boxed;
}

class SegmentSplitter {
 public:
  SegmentSplitter(std::span<const Operation> operations, std::uint32_t qubits, Segments kind,
                  bool records_places)
      : earliest_(qubits, 0), records_places_(records_places) {
    if (kind == Segments::joined) is_boxed_ = find_black_boxes(operations, qubits);
    // Most circuits are one segment, which contains at least the gates before the first boundary.
    const auto is_boundary = [](const Operation& operation) { return operation.is_boundary(); };
    const auto first_boundary = std::find_if(operations.begin(), operations.end(), is_boundary);
    segments.back().gates.own().reserve(
        static_cast<std::size_t>(first_boundary - operations.begin()));
    for (const Operation& operation : operations) {
      add(operation);
      ++index_;
    }
    if (records_places_) places.resize(segments.size());
    for (std::size_t i = 0; i < boxed_.size(); ++i) {
      if (boxed_[i].empty()) continue;
      segments[i].boxed = std::make_shared<std::vector<Operation>>(std::move(boxed_[i]));
    }
  }

  std::vector<Segment> segments = std::vector<Segment>(1);
  std::vector<SegmentPlaces> places;

 private:
  void add(const Operation& operation) {
    if (!is_boxed_.empty() && is_boxed_[index_]) {
      add_black_box(operation);
    } else if (is_conditional_gate(operation)) {
      add_conditional(operation);
    } else if (operation.is_boundary()) {
      add_boundary(operation);
    } else {
      add_gate(operation);
    }
  }

  void add_boundary(const Operation& boundary) {
    segments.back().boundary = boundary;
    if (records_places_) places_of(segments.size() - 1).boundary = index_;
    segments.emplace_back();
    for (const Qubit qubit : boundary.qubits) earliest_[qubit] = segments.size() - 1;
  }

  void add_gate(const Operation& gate) {
    std::size_t segment = 0;
    for (const Qubit qubit : gate.qubits) segment = std::max(segment, earliest_[qubit]);
    while (segment < segments.size() && segments[segment].condition != nullptr) ++segment;
    if (segment == segments.size()) segments.emplace_back();
    put(gate, segment);
  }

  void add_conditional(const Operation& gate) {
    const auto& condition = segments.back().condition;
    if (condition == nullptr || *condition != *gate.classical) {
      segments.emplace_back().condition = gate.classical;
    }
    Operation plain = gate;
    plain.classical = nullptr;
    put(plain, segments.size() - 1);
  }

  /// Boundaries keep their order, so a black box belongs to the last segment.
  void add_black_box(const Operation& boundary) {
    if (segments.back().condition != nullptr) segments.emplace_back();
    const std::size_t segment = segments.size() - 1;
    boxed_.resize(segments.size());
    ClassicalPart content;  // the number of the boundary
    content.bits.push_back(static_cast<ClassicalBit>(boxed_[segment].size()));
    if (boundary.conditions().empty()) {
      if (boundary.kind == OperationKind::measure) content.opaque_name = kMeasurement;
      if (boundary.kind == OperationKind::reset) content.opaque_name = kReset;
    }
    boxed_[segment].push_back(boundary);
    Operation box;
    box.kind = OperationKind::opaque;
    box.qubits = boundary.qubits;
    box.classical = std::make_shared<const ClassicalPart>(std::move(content));
    put(box, segment);
    if (has_classical_bits(boundary)) {
      segments[segment].gates.own().back().qubits.push_back(static_cast<Qubit>(earliest_.size()));
    }
  }

  void put(const Operation& gate, std::size_t segment) {
    segments[segment].gates.own().push_back(gate);
    if (records_places_) places_of(segment).gates.push_back(index_);
    for (const Qubit qubit : gate.qubits) earliest_[qubit] = segment;
  }

  [[nodiscard]] SegmentPlaces& places_of(std::size_t segment) {
    if (places.size() <= segment) places.resize(segment + 1);
    return places[segment];
  }

  /// For each qubit, the first segment that another gate on it may join: the one after the last
  /// boundary on the qubit, or the one that contains its last gate.
  std::vector<std::size_t> earliest_;
  bool records_places_;
  std::uint32_t index_ = 0;     ///< index of the current operation
  std::vector<bool> is_boxed_;  ///< for each operation; empty if there are no black boxes
  std::vector<std::vector<Operation>> boxed_;  ///< for each segment
};

/// Returns the boundary that a black box represents, and any other operation as it is.
const Operation& unboxed(const Operation& operation, const Segment& segment) {
  if (!is_black_box(operation)) return operation;
  return segment.boxed->at(operation.classical->bits.at(0));
}

/// Returns whether the gates of a divided segment are several black boxes of a joined one.
bool is_body(const Segment& segment, std::uint32_t qubits) {
  if (segment.condition == nullptr || segment.gates.size() < 2) return false;
  return segment.gates.size() <= kMaxBoxedRun &&
         std::ranges::all_of(segment.gates, [&](Operation gate) {
           gate.classical = segment.condition;
           return fits_black_box(gate, qubits);
         });
}

/// Moves everything but the bodies of divided segments to Segment::before of the next body, or of a
/// last segment without gates. Does the same with the places unless they are null.
std::vector<Segment> with_bodies_only(std::vector<Segment> divided, std::uint32_t qubits,
                                      std::vector<SegmentPlaces>* places) {
  std::vector<Segment> segments;
  std::vector<SegmentPlaces> own_places;
  std::vector<Operation> before;
  SegmentPlaces before_places;
  for (std::size_t i = 0; i < divided.size(); ++i) {
    SegmentPlaces* const from = places != nullptr ? &(*places)[i] : nullptr;
    if (is_body(divided[i], qubits)) {
      segments.push_back(std::move(divided[i]));
      segments.back().before = std::make_shared<std::vector<Operation>>(std::exchange(before, {}));
      if (from == nullptr) continue;
      from->before = std::exchange(before_places.before, {});
      own_places.push_back(std::move(*from));
    } else {
      append_segment(std::move(divided[i]), before);
      if (from == nullptr) continue;
      std::ranges::copy(from->gates, std::back_inserter(before_places.before));
      if (from->boundary) before_places.before.push_back(*from->boundary);
    }
  }
  segments.emplace_back().before = std::make_shared<std::vector<Operation>>(std::move(before));
  own_places.push_back(std::move(before_places));
  if (places != nullptr) *places = std::move(own_places);
  return segments;
}

}  // namespace

SegmentGates SegmentGates::of_circuit(std::span<const Operation> gates) {
  SegmentGates shared;
  shared.shared_ = gates;
  return shared;
}

std::vector<Operation> SegmentGates::take() && {
  return are_shared() ? std::vector<Operation>(begin(), end()) : std::move(own_);
}

std::vector<Segment> segments_of_circuit(std::span<const Operation> operations,
                                         std::uint32_t qubits, std::vector<SegmentPlaces>* places) {
  const auto is_boundary = [](const Operation& operation) { return operation.is_boundary(); };
  if (std::ranges::any_of(operations, is_boundary)) {
    return split_into_segments(operations, qubits, Segments::divided, places);
  }
  if (places != nullptr) {
    SegmentPlaces& all = places->emplace_back();
    for (std::uint32_t i = 0; i < operations.size(); ++i) all.gates.push_back(i);
  }
  return {Segment{SegmentGates::of_circuit(operations)}};
}

std::vector<Segment> split_into_segments(std::span<const Operation> operations,
                                         std::uint32_t qubits, Segments kind,
                                         std::vector<SegmentPlaces>* places) {
  SegmentSplitter splitter(operations, qubits, kind, places != nullptr);
  if (places != nullptr) *places = std::move(splitter.places);
  if (kind != Segments::bodies) return std::move(splitter.segments);
  return with_bodies_only(std::move(splitter.segments), qubits, places);
}

std::span<const Operation> gates_in_the_middle(std::span<const Operation> operations,
                                               std::size_t size) {
  std::span<const Operation> middle = operations.subspan(operations.size() / 2);
  middle = middle.first(std::min(size, middle.size()));
  return {middle.begin(), std::ranges::find_if(middle, &Operation::is_boundary)};
}

std::uint32_t segment_wires(const Circuit& circuit) {
  const bool orders_bits = std::ranges::any_of(circuit.operations, has_classical_bits);
  return circuit.qubit_count() + (orders_bits ? 1 : 0);
}

bool is_measurement_box(const ClassicalPart& content) {
  return content.opaque_name == kMeasurement;
}

bool is_reset_box(const ClassicalPart& content) { return content.opaque_name == kReset; }

void append_segment(const Segment& segment, std::vector<Operation>& operations) {
  if (segment.before != nullptr) {
    operations.insert(operations.end(), segment.before->begin(), segment.before->end());
  }
  for (const Operation& gate : segment.gates) {
    operations.push_back(unboxed(gate, segment));
    if (segment.condition != nullptr) operations.back().classical = segment.condition;
  }
  if (segment.boundary) operations.push_back(*segment.boundary);
}

void append_segment(Segment&& segment, std::vector<Operation>& operations) {
  if (segment.before != nullptr) {
    operations.insert(operations.end(), segment.before->begin(), segment.before->end());
  }
  if (operations.empty() && segment.condition == nullptr && segment.boxed == nullptr) {
    operations = std::move(segment.gates).take();
  } else {
    std::vector<Operation> gates = std::move(segment.gates).take();
    for (Operation& gate : gates) {
      operations.push_back(is_black_box(gate) ? unboxed(gate, segment) : std::move(gate));
      if (segment.condition != nullptr) operations.back().classical = segment.condition;
    }
  }
  if (segment.boundary) operations.push_back(*std::move(segment.boundary));
}

}  // namespace quartz::optimizer
