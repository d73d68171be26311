#include "optimize/passes/shorten_linear_blocks.hpp"

#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "optimize/linear/linear_blocks.hpp"
#include "optimize/state/segments.hpp"

namespace quartz::optimizer {

circuit::DerivedCircuit shorten_linear_blocks(const Circuit& circuit, const CouplingMap* coupling) {
  Circuit result = without_operations(circuit);
  std::vector<SegmentPlaces> places;
  std::vector<Segment> segments =
      split_into_segments(circuit.operations, circuit.qubit_count(), Segments::joined, &places);
  const std::uint32_t wires = segment_wires(circuit);
  circuit::DerivedParts parts;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    circuit::DerivedGates shortened =
        resynthesize_linear_blocks(segments[i].gates, wires, coupling, Budget());
    segments[i].gates = std::move(shortened.gates);
    append_segment(std::move(segments[i]), result.operations);
    parts.add(std::move(places[i].gates), {}, shortened.derivation);
    if (places[i].boundary) {
      parts.add({*places[i].boundary}, {}, circuit::Derivation::unchanged());
    }
  }
  return {std::move(result), std::move(parts).finish()};
}

}  // namespace quartz::optimizer
