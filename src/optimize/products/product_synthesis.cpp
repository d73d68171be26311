#include "optimize/products/product_synthesis.hpp"

#include <span>
#include <utility>

#include "optimize/products/parity_network_synthesis.hpp"
#include "optimize/products/parity_phases.hpp"
#include "optimize/products/product_placement.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

constexpr std::size_t kMaxParitiesOfNetwork = 120;

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

}  // namespace

std::vector<circuit::PhasedGates> synthesize_product_network(const ProductNetwork& network,
                                                             const SynthesisWeights& /*weights*/,
                                                             std::size_t /*most*/,
                                                             const Budget& budget,
                                                             FastRandom& random) {
  const ParityPhases phases = phases_of(network);
  ParityNetworkTask task{network.wires, {}, network.outputs};
  for (const auto& [parity, eighths] : phases) task.parities.push_back(parity);
  // A parity network of many parities needs more CNOTs and much more time.
  const bool is_small = task.parities.size() <= kMaxParitiesOfNetwork;
  const Budget::Amount whole = budget.left();
  auto cnots = place_products({network.wires, network.products, task.parities, task.outputs},
                              budget.limited_to(whole.times(is_small ? 0.5 : 1)), random);
  if (is_small) {
    auto others = synthesize_parity_network(task, budget, random);
    if (others && (!cnots || others->size() < cnots->size())) cnots = std::move(others);
  }
  if (!cnots) return {};
  std::vector<circuit::PhasedGates> result{with_phases(network.wires, *cnots, phases)};
  check(result.front(), network, phases);
  return result;
}

}  // namespace quartz::optimizer
