#include "optimize/state/group_rewriting.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
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

circuit::DerivedGates rewrite_stretches(
    std::span<const Operation> gates, std::size_t size, const Budget& budget,
    const std::function<circuit::DerivedGates(std::span<const Operation>)>& rewrite) {
  if (gates.size() < 2 * size) return rewrite(gates);
  std::vector<Operation> all;
  all.reserve(gates.size());
  Angle phase;
  circuit::DerivedParts parts;
  std::uint32_t first = 0;
  const auto add = [&](std::span<const Operation> stretch, const circuit::Derivation& derivation) {
    std::vector<std::uint32_t> places(stretch.size());
    std::iota(places.begin(), places.end(), first);
    first += static_cast<std::uint32_t>(stretch.size());
    parts.add(std::move(places), {}, derivation);
  };
  while (!gates.empty() && !budget.spent()) {
    const std::span<const Operation> stretch =
        gates.first(gates.size() < 2 * size ? gates.size() : size);
    circuit::DerivedGates result = rewrite(stretch);
    phase.add_phase(result.phase);
    std::ranges::move(result.gates, std::back_inserter(all));
    add(stretch, result.derivation);
    gates = gates.subspan(stretch.size());
  }
  all.insert(all.end(), gates.begin(), gates.end());
  if (!gates.empty()) add(gates, circuit::Derivation::unchanged());
  all.shrink_to_fit();
  return {std::move(all), phase, std::move(parts).finish()};
}

circuit::DerivedGates rewrite_on_used_qubits(
    std::span<const Operation> gates, std::uint32_t qubits,
    const std::function<circuit::DerivedGates(std::span<const Operation>, std::uint32_t)>&
        rewrite) {
  if (gates.size() >= qubits / 4) return rewrite(gates, qubits);
  std::vector<Operation> all;
  Angle phase;
  circuit::DerivedParts parts;
  for (QubitGroup& group : split_by_qubits(gates, qubits)) {
    circuit::DerivedGates part =
        rewrite(group.gates, static_cast<std::uint32_t>(group.qubits.size()));
    parts.add(std::move(group.places), group.qubits, part.derivation);
    phase.add_phase(part.phase);
    append_group(group, std::move(part.gates), all);
  }
  return {std::move(all), phase, std::move(parts).finish()};
}

}  // namespace quartz::optimizer
