#include "optimize/state/group_rewriting.hpp"

#include <utility>
#include <vector>

#include "optimize/state/segments.hpp"

namespace quartz::optimizer {
namespace {

using GroupRewriter = std::function<circuit::DerivedGates(const QubitGroup&)>;

/// Rewrites gates without black boxes.
circuit::DerivedGates rewrite_connected(std::span<const Operation> gates, std::uint32_t max_qubits,
                                        const GroupRewriter& rewrite) {
  std::vector<Operation> all;
  Angle phase;
  circuit::DerivedParts parts;
  for (QubitGroup& group : split_by_qubits(gates, max_qubits)) {
    circuit::DerivedGates part = rewrite(group);
    append_group(group, std::move(part.gates), all);
    phase += part.phase;
    parts.add(std::move(group.places), std::move(group.qubits), part.derivation);
  }
  return {std::move(all), phase, std::move(parts).finish()};
}

}  // namespace

circuit::DerivedGates rewrite_groups(std::span<const Operation> gates, std::uint32_t wires,
                                     std::uint32_t max_qubits, const GroupRewriter& rewrite) {
  std::vector<Operation> all;
  Angle phase;
  circuit::DerivedParts parts;
  std::vector<SegmentPlaces> places;
  std::vector<Segment> segments = split_into_segments(gates, wires, Segments::divided, &places);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    circuit::DerivedGates part = rewrite_connected(segments[i].gates, max_qubits, rewrite);
    phase += part.phase;
    parts.add(std::move(places[i].gates), {}, part.derivation);
    if (places[i].boundary) {
      parts.add({*places[i].boundary}, {}, circuit::Derivation::unchanged());
    }
    segments[i].gates = std::move(part.gates);
    append_segment(std::move(segments[i]), all);
  }
  return {std::move(all), phase, std::move(parts).finish()};
}

}  // namespace quartz::optimizer
