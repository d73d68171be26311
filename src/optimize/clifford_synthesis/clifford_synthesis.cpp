#include "optimize/clifford_synthesis/clifford_synthesis.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "optimize/clifford_synthesis/clifford_tableau.hpp"
#include "optimize/clifford_synthesis/controlled_pauli_circuit.hpp"
#include "optimize/clifford_synthesis/map_reduction.hpp"
#include "optimize/pauli_network/clifford_phase.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Reductions of a map on few qubits. Their time grows with about the fourth power of the number of
/// qubits.
constexpr std::size_t kMostReductions = 400;
constexpr double kReductionsTimesPower = 4e7;

/// Gates anywhere pay for maps on few qubits only: there are too many of them, and the images of
/// larger maps are too dense.
constexpr std::uint32_t kMostQubitsOfDescent = 12;
constexpr std::uint32_t kMostQubitsOfSteepDescent = 40;

std::size_t reductions_for(std::uint32_t qubits) {
  const double power = static_cast<double>(qubits) * qubits * qubits * qubits;
  return std::clamp<std::size_t>(static_cast<std::size_t>(kReductionsTimesPower / power), 1,
                                 kMostReductions);
}

ReductionChoice random_choice(std::uint32_t qubits, FastRandom& random) {
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<double> least_gains{never};
  if (qubits <= kMostQubitsOfSteepDescent) least_gains.push_back(2.5);
  if (qubits <= kMostQubitsOfDescent) least_gains.push_back(1e-9);
  const auto one_of = [&](std::span<const double> values) {
    return values[random.below(static_cast<std::uint32_t>(values.size()))];
  };
  constexpr std::array shares{0.5, 1.0, 2.0};
  constexpr std::array stays{0.0, 2.0};
  constexpr std::array noises{0.02, 0.1, 0.3};
  ReductionChoice choice;
  choice.least_gain = one_of(least_gains);
  choice.inverse_share = one_of(shares);
  choice.stay = one_of(stays);
  choice.noise = one_of(noises);
  return choice;
}

/// Returns the Pauli operators that have to come before gates so that their product gets the signs
/// of a tableau.
std::vector<CliffordGate> pauli_corrections(const CliffordTableau& wanted,
                                            const CliffordTableau& found) {
  std::vector<CliffordGate> result;
  for (std::uint32_t qubit = 0; qubit < wanted.qubits(); ++qubit) {
    const auto differ = [&](std::size_t axis) {
      return !std::ranges::equal(wanted.image(qubit, axis), found.image(qubit, axis));
    };
    if (differ(0)) result.push_back({CliffordKind::s, qubit, 0, 2});
    if (differ(1)) result.push_back({CliffordKind::x, qubit});
  }
  return result;
}

/// Returns the phase of a product of Clifford gates relative to another one, in eighths of a turn,
/// or nothing if they differ in more than a phase.
std::optional<unsigned> relative_phase(std::span<const CliffordGate> gates,
                                       std::span<const CliffordGate> others, std::uint32_t qubits) {
  std::vector<CliffordGate> all(gates.begin(), gates.end());
  unsigned eighths = 0;
  for (auto gate = others.rbegin(); gate != others.rend(); ++gate) {
    CliffordGate inverse = *gate;
    if (gate->kind == CliffordKind::s) {
      // rz(-k pi/2) = -rz((4 - k) pi/2)
      inverse.quarters = 4 - gate->quarters;
      eighths += 4;
    }
    all.push_back(inverse);
  }
  const std::optional<unsigned> phase = phase_on_zero_state(all, qubits);
  if (!phase) return std::nullopt;
  return (*phase + eighths) % 8;
}

}  // namespace

std::optional<PhasedCliffordGates> resynthesized_clifford(std::span<const CliffordGate> gates,
                                                          std::uint32_t qubits,
                                                          std::size_t most_cnots,
                                                          FastRandom& random,
                                                          const Budget& budget) {
  const CliffordTableau wanted(gates, qubits);
  const SymplecticMap map(wanted);
  std::optional<MapGates> best;
  for (std::size_t i = 0; i < reductions_for(qubits); ++i) {
    const std::optional<ReducedMap> reduced =
        reduced_map(map, random_choice(qubits, random), random, budget);
    if (!reduced) break;
    MapGates found = gates_of(*reduced);
    if (found.cnots >= most_cnots) continue;
    most_cnots = found.cnots;
    best = std::move(found);
  }
  if (!best) return std::nullopt;
  PhasedCliffordGates result;
  result.gates = pauli_corrections(wanted, CliffordTableau(best->gates, qubits));
  result.gates.insert(result.gates.end(), best->gates.begin(), best->gates.end());
  ensure(CliffordTableau(result.gates, qubits) == wanted, "resynthesized Clifford gates are equal");
  const std::optional<unsigned> phase = relative_phase(gates, result.gates, qubits);
  ensure(phase.has_value(), "equal tableaus differ in a phase only");
  result.eighths = *phase;
  return result;
}

}  // namespace quartz::optimizer
