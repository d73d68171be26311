#include "optimize/clifford_synthesis/map_reduction.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "optimize/clifford_synthesis/reduction_step.hpp"
#include "optimize/clifford_synthesis/step_gains.hpp"

namespace quartz::optimizer {
namespace {

/// Gates anywhere pay for maps on few qubits only: there are too many of them, and the images of
/// larger maps are too dense.
constexpr std::uint32_t kMostQubitsOfDescent = 12;
constexpr std::uint32_t kMostQubitsOfSteepDescent = 40;

/// Pairs of which the gains are computed if there is a single reduction, which is to end soon: on
/// 250 qubits it takes a fifth of the time, and one percent more gates.
constexpr std::size_t kMostPairsOfSingle = 150;

/// Estimated gates for each unit of the measure of a map (step_gains.hpp) and each unfinished
/// qubit: what reductions of random maps on 10 to 30 qubits take. A finished qubit in another place
/// takes one more, for its SWAP gate.
constexpr double kGatesOfMeasure = 5.0 / 256;

constexpr double kNever = std::numeric_limits<double>::infinity();

ReductionChoice random_choice(std::uint32_t qubits, FastRandom& random) {
  std::vector<double> least_gains{kNever};
  if (qubits <= kMostQubitsOfSteepDescent) least_gains.push_back(2.5);
  if (qubits <= kMostQubitsOfDescent) least_gains.push_back(1e-9);
  const auto one_of = [&](std::span<const double> values) {
    return values[random.below(static_cast<std::uint32_t>(values.size()))];
  };
  constexpr std::array kReductionShares{0.5, 1.0, 2.0};
  constexpr std::array kStays{0.0, 2.0};
  constexpr std::array kNoises{1.0 / 64, 1.0 / 8, 1.0 / 4};
  ReductionChoice choice;
  choice.least_gain = one_of(least_gains);
  choice.inverse_share = one_of(kReductionShares);
  choice.stay = one_of(kStays);
  choice.noise = one_of(kNoises);
  return choice;
}

/// Returns the number of gates that a map is estimated to take.
double estimated_gates(const SymplecticMap& map) {
  double measure = 0;
  double unfinished = 0;  // each qubit counts half at each end
  double moved = 0;
  for (const MapEnd end : {MapEnd::start, MapEnd::end}) {
    for (std::uint32_t qubit = 0; qubit < map.qubits(); ++qubit) {
      double of_qubit = 0;
      for (const SymplecticAxis axis : kSymplecticAxes)
        of_qubit += measure_of(map.weight(end, qubit, axis));
      measure += of_qubit;
      if (of_qubit > 0) {
        unfinished += 0.5;
      } else if (map.operator_at(end, qubit, SymplecticAxis::x, qubit) == 0) {
        moved += 0.5;
      }
    }
  }
  return kGatesOfMeasure * measure * unfinished + moved;
}

struct ReductionCandidate {
  PartialReduction reduction;
  double value = 0;
};

double value_of(const PartialReduction& reduction) {
  return static_cast<double>(reduction.start.size() + reduction.end.size()) +
         estimated_gates(reduction.map);
}

/// Keeps the candidates with the lowest values, each map once.
void keep_best(std::vector<ReductionCandidate>& candidates, std::size_t most) {
  std::ranges::stable_sort(candidates, {}, &ReductionCandidate::value);
  std::vector<ReductionCandidate> kept;
  for (ReductionCandidate& candidate : candidates) {
    if (kept.size() == most) break;
    const bool is_known = std::ranges::any_of(kept, [&](const ReductionCandidate& other) {
      return other.value == candidate.value && other.reduction.map == candidate.reduction.map;
    });
    if (!is_known) kept.push_back(std::move(candidate));
  }
  candidates = std::move(kept);
}

}  // namespace

std::optional<ControlledPauliCircuit> circuit_of_map(const SymplecticMap& map, const BeamSize& size,
                                                     FastRandom& random, const Budget& budget) {
  ReductionChoice choice = random_choice(map.qubits(), random);
  if (size.kept * size.continued == 1) choice.most_pairs = kMostPairsOfSingle;
  std::optional<ControlledPauliCircuit> best;
  std::vector<ReductionCandidate> kept{{{map, {}, {}}, 0}};
  for (std::uint32_t round = 0; !kept.empty(); ++round) {
    // Finishing the qubits one after the other always ends.
    if (round >= 2 * map.qubits()) choice.least_gain = kNever;
    std::vector<ReductionCandidate> next;
    // The first round has only one to continue.
    const std::size_t ways = round == 0 ? size.kept * size.continued : size.continued;
    for (std::size_t way = 0; way < ways * kept.size(); ++way) {
      PartialReduction reduction = kept[way / ways].reduction;
      if (!finish_qubit(reduction, choice, random, budget)) return best;
      if (!reduction.map.is_permutation()) {
        const double value = value_of(reduction);
        next.push_back({std::move(reduction), value});
        continue;
      }
      ControlledPauliCircuit circuit = circuit_of(reduction);
      if (!best || circuit.cnots() < best->cnots()) best = std::move(circuit);
    }
    keep_best(next, size.kept);
    kept = std::move(next);
  }
  return best;
}

}  // namespace quartz::optimizer
