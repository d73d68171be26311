#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <vector>

#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/window.hpp"
#include "optimize/phase_polynomial/parity_network.hpp"
#include "optimize/phase_polynomial/phase_polynomial.hpp"
#include "quartz/circuit/coupling.hpp"

namespace quartz {

inline constexpr std::size_t kRegionGates = 64;
/// A window of CNOTs, NOTs and Z rotations.
using RegionWindow = BasicWindow<kRegionGates, kParityWires>;

/// Whether gates with the label can be part of a region.
[[nodiscard]] inline bool fits_region(const AnnealingLabel& label) {
  return label.rotation.is_rotation || label.parity_action.is_all;
}

/// Writes regions anew: what a region does is a linear map of basis states and a phase polynomial,
/// whatever gates it has, and gates come from a parity network for them.
///
/// Windows of the class table have three wires. Identities of phase polynomials have up to four,
/// and parity networks any number, so that this leads to circuits that no walk over windows finds:
/// a multiplexer of two Toffolis, say, becomes one Toffoli and three CNOTs.
class RegionSynthesis {
 public:
  explicit RegionSynthesis(const AnnealingLabels& labels);

  /// Whether the gate set has what it takes.
  [[nodiscard]] bool is_possible() const { return labels_.cnot() && labels_.inverter(); }

  struct Replacement {
    std::vector<PlainGate> gates;  ///< on the circuit's wires
    /// The region's gates equal e^{i pi phase / 8} times these.
    int phase = 0;
  };
  /// Other gates for the region, on coupled wires (null: on any), with some chance; null if none
  /// were found. Not confirmed yet.
  [[nodiscard]] const Replacement* rewrite(const WireLists& circuit, const RegionWindow& region,
                                           const CouplingMap* coupling, FastRandom& random);
  /// Whether that is right, by the exact action of both on every basis state.
  [[nodiscard]] bool is_confirmed(const WireLists& circuit, const RegionWindow& region,
                                  const Replacement& replacement) const;

 private:
  struct Symbol {
    WireParity parity = 0;
    std::uint16_t label = 0;  ///< of the rotation of the parity, not of its complement
    friend auto operator<=>(const Symbol&, const Symbol&) = default;
  };
  /// What gates do: to basis states, and to phases.
  struct Meaning {
    std::array<WireParity, kParityWires> outputs{};
    unsigned complements = 0;  ///< of the outputs; bit k for wire k
    PhasePolynomial polynomial;
    boost::container::static_vector<Symbol, kRegionGates> symbols;
  };

  void add_gate(const PlainGate& gate, const RegionWindow& region, Meaning& meaning) const;
  void emit(const Meaning& meaning, const ParityNetwork& network, const RegionWindow& region);

  /// How many CNOTs more than before are worth a look, for what the rotations lose in weight.
  [[nodiscard]] std::size_t slack(std::uint64_t before, std::uint64_t after) const;

  const AnnealingLabels& labels_;
  RotationWeights weights_{};
  Replacement replacement_;
};

}  // namespace quartz
