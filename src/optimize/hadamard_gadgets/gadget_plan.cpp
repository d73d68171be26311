#include "optimize/hadamard_gadgets/gadget_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>

#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/pauli_network/diagonalization.hpp"

namespace quartz::optimizer {
namespace {

RegionStep step_of(const CliffordGate& gate) {
  switch (gate.kind) {
    case CliffordKind::cx:
      return {RegionStep::Kind::cx, gate.first, gate.second, 0, 0};
    case CliffordKind::s:
      return {RegionStep::Kind::s, gate.first, 0, 0, 2 * gate.quarters};
    default:
      return {RegionStep::Kind::hadamard, gate.first, 0, 0, 0};
  }
}

/// Returns levels that alternate between rotations by multiples of pi/4 and the others, the latest
/// ones of as few levels as possible on which rotations that anticommute keep their order.
std::vector<std::size_t> latest_levels(const std::vector<Rotation>& rotations,
                                       const std::vector<bool>& is_other) {
  // First the distances from the end, whose last level has any kind.
  std::vector<std::size_t> distances(rotations.size());
  std::size_t most = 0;
  for (std::size_t i = rotations.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < rotations.size(); ++j) {
      if (distances[j] <= distances[i] || !anticommute(rotations[j].axis, rotations[i].axis)) {
        continue;
      }
      distances[i] = distances[j];
    }
    if ((distances[i] % 2 != 0) != is_other[i]) ++distances[i];
    most = std::max(most, distances[i]);
  }
  // The first level is one of multiples of pi/4.
  if (most % 2 != 0) ++most;
  for (std::size_t& level : distances) level = most - level;
  return distances;
}

/// Returns the rotations in an order in which those by multiples of pi/4 and the others alternate
/// as few times as possible; those that anticommute keep their order. A rotation that may be on
/// several levels is on that of the one before it: rotations of one product stay together.
RotationSequence with_regions_together(const RotationSequence& sequence) {
  const std::vector<Rotation>& rotations = sequence.rotations;
  std::vector<bool> is_other;
  for (const Rotation& rotation : rotations) is_other.push_back(!eighths_of(rotation.angle));
  if (std::ranges::count(is_other, true) == 0) return sequence;
  const std::vector<std::size_t> latest = latest_levels(rotations, is_other);
  std::vector<std::size_t> levels(rotations.size());
  std::size_t before = 0;
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    std::size_t least = 0;
    for (std::size_t j = 0; j < i; ++j) {
      if (levels[j] > least && anticommute(rotations[j].axis, rotations[i].axis)) {
        least = levels[j];
      }
    }
    levels[i] = std::max(least, before);
    if ((levels[i] % 2 != 0) != is_other[i]) ++levels[i];
    levels[i] = std::min(levels[i], latest[i]);
    before = levels[i];
  }
  std::vector<std::size_t> order(rotations.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t rotation) { return levels[rotation]; });
  RotationSequence result = sequence;
  for (std::size_t i = 0; i < order.size(); ++i) result.rotations[i] = rotations[order[i]];
  return result;
}

class Planner {
 public:
  Planner(const RotationSequence& sequence, std::size_t most_hadamards)
      : sequence_(sequence), most_hadamards_(most_hadamards), whole_(axes_of(sequence)) {}

  GadgetPlan plan() {
    GadgetPlan plan;
    std::size_t next = 0;
    while (next < sequence_.rotations.size()) {
      PlannedRegion& region = plan.regions.emplace_back();
      for (; next < sequence_.rotations.size() && !eighths(next); ++next) {
        region.rotations.push_back({whole_.axis(next), sequence_.rotations[next].angle});
      }
      const std::size_t end = end_of_region(next);
      plan_region(next, end, region);
      next = end;
    }
    plan.after = inverse_gates(whole_.gates());
    plan.after.insert(plan.after.end(), sequence_.clifford.begin(), sequence_.clifford.end());
    return plan;
  }

 private:
  static std::vector<PauliString> axes_of(const RotationSequence& sequence) {
    std::vector<PauliString> axes;
    for (const Rotation& rotation : sequence.rotations) axes.push_back(rotation.axis);
    return axes;
  }

  [[nodiscard]] std::optional<unsigned> eighths(std::size_t rotation) const {
    return eighths_of(sequence_.rotations[rotation].angle);
  }

  [[nodiscard]] std::vector<PauliString> axes_between(std::size_t first, std::size_t end) const {
    std::vector<PauliString> axes;
    for (std::size_t i = first; i < end; ++i) axes.push_back(whole_.axis(i));
    return axes;
  }

  /// Returns gates after which the first rotations of a region are diagonal.
  [[nodiscard]] std::vector<CliffordGate> gates_before(std::size_t first, std::size_t end) const {
    std::vector<PauliString> axes = axes_between(first, end);
    std::ranges::reverse(axes);
    Diagonalization reversed(std::move(axes));
    for (std::size_t i = 0; i < end - first; ++i) (void)reversed.make_diagonal(i);
    return reversed.gates();
  }

  [[nodiscard]] std::size_t hadamards_between(std::size_t first, std::size_t end) const {
    Diagonalization forward(axes_between(first, end));
    for (const CliffordGate& gate : gates_before(first, end)) forward.append(gate);
    std::size_t count = 0;
    for (std::size_t i = 0; i < end - first; ++i) count += forward.make_diagonal(i) ? 1 : 0;
    return count;
  }

  /// Returns the end of the longest region that begins with a rotation.
  [[nodiscard]] std::size_t end_of_region(std::size_t first) const {
    std::size_t end = first;
    while (end < sequence_.rotations.size() && eighths(end)) ++end;
    if (hadamards_between(first, end) <= most_hadamards_) return end;
    std::size_t fits = first;
    while (end - fits > 1) {
      const std::size_t middle = fits + (end - fits) / 2;
      (hadamards_between(first, middle) <= most_hadamards_ ? fits : end) = middle;
    }
    return std::max(fits, first + 1);
  }

  void plan_region(std::size_t first, std::size_t end, PlannedRegion& region) {
    region.before = gates_before(first, end);
    for (const CliffordGate& gate : region.before) whole_.append(gate);
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t known = whole_.gates().size();
      if (whole_.make_diagonal(i)) ++region.hadamards;
      for (const CliffordGate& gate : whole_.gates() | std::views::drop(known)) {
        region.steps.push_back(step_of(gate));
      }
      const unsigned turn = eighths(i).value();
      const bool is_inverse = is_negative(whole_.axis(i));
      region.steps.push_back(
          {RegionStep::Kind::phase, 0, 0, whole_.axis(i).z, is_inverse ? (8 - turn) % 8 : turn});
    }
  }

  const RotationSequence& sequence_;
  std::size_t most_hadamards_;
  Diagonalization whole_;
};

}  // namespace

GadgetPlan plan_gadgets(const RotationSequence& sequence, std::size_t most_hadamards) {
  const RotationSequence together = with_regions_together(sequence);
  return Planner(together, most_hadamards).plan();
}

}  // namespace quartz::optimizer
