#include "optimize/product_synthesis/product_synthesis.hpp"

#include <span>
#include <utility>

#include "optimize/product_synthesis/linear_reduction.hpp"
#include "optimize/product_synthesis/parallel_synthesis.hpp"
#include "optimize/product_synthesis/parity_network_synthesis.hpp"
#include "optimize/product_synthesis/recursive_synthesis.hpp"
#include "optimize/product_synthesis/sequential_synthesis.hpp"
#include "optimize/products/parity_phases.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Fraction of the budget in which products are synthesized one after the other if parities are
/// synthesized one by one too, which needs more CNOTs and much more time for many parities.
constexpr double kSequenceShare = 0.7;
constexpr std::size_t kMaxParitiesOfNetwork = 120;
/// Number of products beyond which nothing is tried but a recursive synthesis, if there is one.
constexpr std::size_t kMaxProductsInSequence = 100;

/// The parities that wires carry while CNOTs are applied.
std::vector<LinearForm> inputs(std::size_t wires) {
  std::vector<LinearForm> carried(wires, LinearForm(wires));
  for (std::size_t wire = 0; wire < wires; ++wire) carried[wire].set(wire);
  return carried;
}

/// Appends the rotation by which e^{i pi/4 eighths} is put on a wire's parity, but for a global
/// phase. The eighths are reduced to those from -3 to 4.
void append_rotation(circuit::PhasedGates& gates, std::size_t wire, std::uint8_t eighths) {
  const int turns = eighths > 4 ? eighths - 8 : eighths;
  gates.gates.push_back(make_operation(GateKind::rz, {static_cast<Qubit>(wire)},
                                       {Angle::pi_times(Rational(turns, 4))}));
  gates.phase = gates.phase + Angle::pi_times(Rational(turns, 8));
}

/// Puts each phase on the first wire that carries its parity.
circuit::PhasedGates with_phases(std::size_t wires, std::span<const NetworkCnot> cnots,
                                 ParityPhases phases) {
  circuit::PhasedGates result;
  std::vector<LinearForm> carried = inputs(wires);
  const auto rotate = [&](std::size_t wire) {
    const auto phase = phases.find(carried[wire]);
    if (phase == phases.end()) return;
    append_rotation(result, wire, phase->second);
    phases.erase(phase);
  };
  for (std::size_t wire = 0; wire < wires; ++wire) rotate(wire);
  for (const NetworkCnot& cnot : cnots) {
    carried[cnot.target] ^= carried[cnot.control];
    result.gates.push_back(make_operation(GateKind::cx, {cnot.control, cnot.target}));
    rotate(cnot.target);
  }
  return result;
}

/// Throws InternalError unless a circuit equals a network, from the gates themselves.
void check(const circuit::PhasedGates& circuit, const ProductNetwork& network,
           const ParityPhases& wanted) {
  ParityPhases phases;
  std::vector<LinearForm> carried = inputs(network.wires);
  Angle phase;
  for (const Operation& gate : circuit.gates) {
    if (gate.gate == GateKind::cx) {
      carried[gate.qubits[1]] ^= carried[gate.qubits[0]];
      continue;
    }
    ensure(gate.gate == GateKind::rz, "a synthesized network consists of cx and rz");
    const Rational turns = gate.angles[0].pi_part() * Rational(4);
    ensure(gate.angles[0].is_pi_multiple() && turns.denominator() == 1,
           "the angles of a synthesized network are multiples of pi/4");
    add_phase(phases, carried[gate.qubits[0]], static_cast<int>(turns.numerator()));
    phase = phase + gate.angles[0] * Rational(1, 2);
  }
  ensure(carried == network.outputs, "a synthesized network applies the linear map");
  ensure(is_same_unitary(phases, wanted), "a synthesized network applies the phases");
  ensure((phase - circuit.phase).is_zero(), "a synthesized network has the global phase");
}

using Cnots = std::vector<NetworkCnot>;

void keep_fewer(std::optional<Cnots>& best, std::optional<Cnots> other) {
  if (other && (!best || other->size() < best->size())) best = std::move(other);
}

/// Returns CNOTs that carry each parity of the phases to a wire, and apply the linear map; nothing
/// if the budget is spent before any were found.
std::optional<Cnots> cnots_of(const ProductNetwork& network, const ParityPhases& phases,
                              const Budget& budget, FastRandom& random) {
  std::optional<Cnots> best = synthesize_recursively(network, phases, budget);
  if (best && network.products.size() > kMaxProductsInSequence) return best;
  const bool is_small = phases.size() <= kMaxParitiesOfNetwork;
  if (network.wires <= kMaxWiresInSequence && !network.products.empty()) {
    keep_fewer(best, synthesize_in_sequence(network, phases,
                                            budget.share(is_small ? kSequenceShare : 1), random));
    if (best && !is_small) return best;
  }
  // Neither method is better for all networks.
  ParityNetworkTask task{network.wires, {}, network.outputs};
  for (const auto& [parity, eighths] : phases) task.parities.push_back(parity);
  keep_fewer(best, synthesize_parity_network(task, budget, random));
  return best;
}

/// Appends CNOTs that carry the parities of the phases which no wire has carried before to one, and
/// restore it.
void append_missing_parities(const ProductNetwork& network, ParityPhases phases, Cnots& cnots) {
  std::vector<LinearForm> carried = inputs(network.wires);
  for (const LinearForm& form : carried) phases.erase(form);
  for (const NetworkCnot& cnot : cnots) {
    carried[cnot.target] ^= carried[cnot.control];
    phases.erase(carried[cnot.target]);
  }
  if (phases.empty()) return;
  const std::vector<LinearForm> of_outputs = inverse_of(network.outputs);
  for (const auto& [parity, eighths] : phases) {
    LinearForm wires(network.wires);
    for (auto i = parity.find_first(); i != LinearForm::npos; i = parity.find_next(i)) {
      wires ^= of_outputs[i];
    }
    const auto target = static_cast<std::uint32_t>(wires.find_first());
    Cnots added;
    for (auto i = wires.find_next(target); i != LinearForm::npos; i = wires.find_next(i)) {
      added.push_back({static_cast<std::uint32_t>(i), target});
    }
    cnots.insert(cnots.end(), added.begin(), added.end());
    cnots.insert(cnots.end(), added.rbegin(), added.rend());
  }
}

}  // namespace

std::optional<circuit::PhasedGates> synthesize_parallel_products(const ProductNetwork& network,
                                                                 const Budget& budget,
                                                                 FastRandom& random) {
  std::optional<Cnots> cnots = synthesize_in_parallel(network, budget, random);
  if (!cnots) return std::nullopt;
  const ParityPhases phases = phases_of(network);
  append_missing_parities(network, phases, *cnots);
  circuit::PhasedGates result = with_phases(network.wires, *cnots, phases);
  check(result, network, phases);
  return result;
}

std::optional<circuit::PhasedGates> synthesize_product_network(const ProductNetwork& network,
                                                               const Budget& budget,
                                                               FastRandom& random) {
  const ParityPhases phases = phases_of(network);
  const std::optional<Cnots> cnots = cnots_of(network, phases, budget, random);
  if (!cnots) return std::nullopt;
  circuit::PhasedGates result = with_phases(network.wires, *cnots, phases);
  check(result, network, phases);
  return result;
}

}  // namespace quartz::optimizer
