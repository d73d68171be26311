#include "optimize/clifford_synthesis/clifford_synthesis.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "optimize/clifford_synthesis/clifford_tableau.hpp"
#include "optimize/clifford_synthesis/controlled_pauli_circuit.hpp"
#include "optimize/clifford_synthesis/coupled_reduction.hpp"
#include "optimize/clifford_synthesis/map_reduction.hpp"
#include "optimize/clifford_synthesis/window_reduction.hpp"
#include "optimize/pauli_network/clifford_phase.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// The number of reductions of a map, and what it is for many qubits: their time grows with about
/// the fourth power of the number of qubits.
constexpr std::size_t kMostReductions = 2000;
constexpr double kReductionsTimesPower = 1.2e8;

/// The reductions that are continued side by side. None does as well as several sets of them.
constexpr BeamSize kBeam{16, 3};

/// Windows without a gain after which a circuit is finished.
constexpr std::size_t kPatienceOfReductions = 100;

/// The same for reductions on neighbours, which take less time, the fraction of the budget for
/// them, and the windows without a gain, per gate, after which the best circuit is finished.
constexpr double kCoupledReductionsTimesPower = 4e8;
constexpr double kShareOfCoupledReductions = 0.15;
constexpr std::size_t kPatienceOfCoupledGate = 60;

std::size_t reductions_for(std::uint32_t qubits, double reductions_times_power) {
  const double power = static_cast<double>(qubits) * qubits * qubits * qubits;
  return std::clamp<std::size_t>(static_cast<std::size_t>(reductions_times_power / power), 1,
                                 kMostReductions);
}

/// A circuit with its gates.
struct WrittenCircuit {
  ControlledPauliCircuit circuit;
  MapGates gates;
};

/// The best circuit of a map so far.
class BestCircuit {
 public:
  /// CNOTs have only these targets, unless that is null.
  BestCircuit(const Neighbours* targets, FastRandom& random) : targets_(targets), random_(random) {}

  /// Keeps a circuit if it takes fewer CNOTs than the best one.
  void consider(ControlledPauliCircuit circuit) {
    if (best_ && circuit.cnots() >= best_->gates.cnots) return;
    MapGates gates = gates_of(circuit, targets_, random_);
    if (best_ && gates.cnots >= best_->gates.cnots) return;
    best_ = WrittenCircuit{std::move(circuit), std::move(gates)};
  }
  /// Replaces windows of the best circuit, on neighbours unless that is null.
  void reduce_windows(const Neighbours* neighbours, const Budget& budget) {
    if (!best_) return;
    ControlledPauliCircuit reduced = best_->circuit;
    const std::size_t patience = neighbours == nullptr
                                     ? kPatienceOfReductions
                                     : kPatienceOfCoupledGate * reduced.gates.size();
    optimizer::reduce_windows(reduced, neighbours, patience, random_, budget);
    consider(std::move(reduced));
  }
  [[nodiscard]] std::optional<WrittenCircuit> take() && { return std::move(best_); }

 private:
  const Neighbours* targets_;
  FastRandom& random_;
  std::optional<WrittenCircuit> best_;
};

/// Returns the best circuit that several sets of reductions find, or nothing if the budget is spent
/// before the first one ends.
std::optional<WrittenCircuit> best_circuit_of(const SymplecticMap& map, FastRandom& random,
                                              const Budget& budget) {
  const std::size_t reductions = reductions_for(map.qubits(), kReductionsTimesPower);
  const std::size_t continued = std::min(kBeam.continued, reductions);
  const BeamSize beam{std::min(kBeam.kept, reductions / continued), continued};
  BestCircuit best(nullptr, random);
  // A single reduction ends first.
  BeamSize size{1, 1};
  for (std::size_t i = 0; i < reductions; i += size.kept * size.continued) {
    if (i > 0) size = beam;
    std::optional<ControlledPauliCircuit> found = circuit_of_map(map, size, random, budget);
    if (!found) break;
    best.consider(*std::move(found));
  }
  best.reduce_windows(nullptr, budget);
  return std::move(best).take();
}

/// Returns the best circuit that several reductions on neighbours find, or nothing if the budget is
/// spent before the first one ends.
std::optional<WrittenCircuit> best_circuit_on(const CoupledPairs& pairs, const SymplecticMap& map,
                                              FastRandom& random, const Budget& budget) {
  BestCircuit best(pairs.targets ? &*pairs.targets : nullptr, random);
  const Budget first = budget.share(kShareOfCoupledReductions);
  for (std::size_t i = 0; i < reductions_for(map.qubits(), kCoupledReductionsTimesPower); ++i) {
    std::optional<ControlledPauliCircuit> found =
        circuit_on_neighbours(map, pairs.neighbours, random, i == 0 ? budget : first);
    if (!found) break;
    best.consider(*std::move(found));
  }
  best.reduce_windows(&pairs.neighbours, budget);
  return std::move(best).take();
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

std::optional<PhasedCliffordGates> resynthesized_clifford(
    std::span<const CliffordGate> gates, std::uint32_t qubits, const CoupledPairs* pairs,
    std::size_t most_cnots, FastRandom& random, const Budget& budget) {
  const CliffordTableau wanted(gates, qubits);
  const SymplecticMap map(wanted);
  const std::optional<WrittenCircuit> best = pairs == nullptr
                                                 ? best_circuit_of(map, random, budget)
                                                 : best_circuit_on(*pairs, map, random, budget);
  if (!best || best->gates.cnots >= most_cnots) return std::nullopt;
  const std::vector<CliffordGate>& found = best->gates.gates;
  PhasedCliffordGates result;
  result.gates = pauli_corrections(wanted, CliffordTableau(found, qubits));
  result.gates.insert(result.gates.end(), found.begin(), found.end());
  ensure(CliffordTableau(result.gates, qubits) == wanted, "resynthesized Clifford gates are equal");
  const std::optional<unsigned> phase = relative_phase(gates, result.gates, qubits);
  ensure(phase.has_value(), "equal tableaus differ in a phase only");
  result.eighths = *phase;
  return result;
}

}  // namespace quartz::optimizer
