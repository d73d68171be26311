#include "optimize/state/segments.hpp"

#include <algorithm>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Returns whether a gate is an optimization boundary only because of its condition.
bool is_conditional_gate(const Operation& operation) {
  return operation.kind == OperationKind::gate && operation.is_boundary();
}

class Splitter {
 public:
  Splitter(std::span<const Operation> operations, std::uint32_t qubits, bool records_places)
      : earliest_(qubits, 0), records_places_(records_places) {
    // Most circuits are one segment, which contains at least the gates before the first boundary.
    const auto is_boundary = [](const Operation& operation) { return operation.is_boundary(); };
    const auto first_boundary = std::find_if(operations.begin(), operations.end(), is_boundary);
    segments.back().gates.reserve(static_cast<std::size_t>(first_boundary - operations.begin()));
    for (const Operation& operation : operations) {
      add(operation);
      ++index_;
    }
    if (records_places_) places.resize(segments.size());
  }

  std::vector<Segment> segments = std::vector<Segment>(1);
  std::vector<SegmentPlaces> places;

 private:
  void add(const Operation& operation) {
    if (is_conditional_gate(operation)) {
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

  void put(const Operation& gate, std::size_t segment) {
    segments[segment].gates.push_back(gate);
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
  std::uint32_t index_ = 0;  ///< index of the current operation
};

}  // namespace

std::vector<Segment> split_into_segments(std::span<const Operation> operations,
                                         std::uint32_t qubits, std::vector<SegmentPlaces>* places) {
  Splitter splitter(operations, qubits, places != nullptr);
  if (places != nullptr) *places = std::move(splitter.places);
  return std::move(splitter.segments);
}

void append_segment(const Segment& segment, std::vector<Operation>& operations) {
  for (const Operation& gate : segment.gates) {
    operations.push_back(gate);
    operations.back().classical = segment.condition;
  }
  if (segment.boundary) operations.push_back(*segment.boundary);
}

void append_segment(Segment&& segment, std::vector<Operation>& operations) {
  if (operations.empty() && segment.condition == nullptr) {
    operations = std::move(segment.gates);
  } else {
    for (Operation& gate : segment.gates) {
      gate.classical = segment.condition;
      operations.push_back(std::move(gate));
    }
  }
  if (segment.boundary) operations.push_back(*std::move(segment.boundary));
}

}  // namespace quartz::optimizer
