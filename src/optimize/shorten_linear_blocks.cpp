#include "quartz/optimize/shorten_linear_blocks.hpp"

#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "circuit/history.hpp"
#include "optimize/linear/linear_blocks.hpp"
#include "optimize/state/segments.hpp"

namespace quartz {

Circuit shorten_linear_blocks(const Circuit& circuit, const CouplingMap* coupling,
                              std::shared_ptr<const circuit::History>* history) {
  using namespace optimizer;
  Circuit result = without_operations(circuit);
  std::vector<SegmentPlaces> places;
  std::vector<Segment> segments =
      split_into_segments(circuit.operations, circuit.qubit_count(), Segments::joined, &places);
  const std::uint32_t wires = segment_wires(circuit);
  std::vector<circuit::History::Part> parts;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    circuit::PhasedGates shortened = resynthesize_linear_blocks(segments[i].gates, wires, coupling,
                                                                Budget(), history != nullptr);
    segments[i].gates = std::move(shortened.gates);
    append_segment(std::move(segments[i]), result.operations);
    parts.push_back({std::move(places[i].gates), {}, std::move(shortened.history)});
    if (places[i].boundary) parts.push_back({{*places[i].boundary}, {}, nullptr});
  }
  if (history != nullptr) *history = circuit::in_parts(std::move(parts));
  return result;
}

}  // namespace quartz
