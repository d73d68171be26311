#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <vector>

#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/window.hpp"
#include "optimize/phase_polynomial/parity_network.hpp"
#include "optimize/phase_polynomial/phase_polynomial.hpp"
#include "quartz/circuit/coupling.hpp"

namespace quartz::optimizer {

inline constexpr std::size_t kMaxBlockGates = 64;
/// A window of CNOTs, X gates and Z rotations: a CNOT+Rz block.
using CnotRzWindow = BasicWindow<kMaxBlockGates, kParityWires>;

/// Returns whether gates with the label can be part of a CNOT+Rz block.
[[nodiscard]] inline bool fits_cnot_rz_block(const AnnealingLabel& label) {
  return label.rotation.is_rotation || label.parity_action.is_all;
}

/// Finds other circuits for CNOT+Rz blocks. The effect of a block is a linear map of basis states
/// and a phase polynomial; a parity network for both gives other gates.
///
/// The windows of the class table have three wires. Identities of phase polynomials have up to four
/// and parity networks any number, so this leads to circuits that no sequence of window moves
/// finds: it turns a multiplexer of two Toffolis, for example, into one Toffoli and three CNOTs.
class CnotRzSynthesis {
 public:
  explicit CnotRzSynthesis(const AnnealingLabels& labels);

  /// Returns whether the gate set has the required gates.
  [[nodiscard]] bool is_possible() const { return labels_.cnot() && labels_.x_gate(); }

  struct Replacement {
    std::vector<rewrite::PlainGate> gates;  ///< on the circuit's wires
    /// The block's gates equal e^{i pi phase / 8} times these gates.
    int phase = 0;
  };
  /// Looks for other gates for the block, on coupled wires (null: on any wires). The search is
  /// random; returns null if it fails. The caller must confirm the result.
  [[nodiscard]] const Replacement* rewrite(const rewrite::WireLists& circuit,
                                           const CnotRzWindow& block, const CouplingMap* coupling,
                                           FastRandom& random);
  /// Returns whether the replacement is right, by the exact action of both sides on every basis
  /// state.
  [[nodiscard]] bool is_confirmed(const rewrite::WireLists& circuit, const CnotRzWindow& block,
                                  const Replacement& replacement) const;

 private:
  struct Symbol {
    WireParity parity = 0;
    rewrite::Label label =
        0;  ///< label of the rotation that depends on the parity, not on its complement
    friend auto operator<=>(const Symbol&, const Symbol&) = default;
  };
  /// Effect of gates on basis states and phases.
  struct BlockAction {
    std::array<WireParity, kParityWires> outputs{};
    unsigned complements = 0;  ///< which outputs are complements; bit k for wire k
    PhasePolynomial polynomial;
    boost::container::static_vector<Symbol, kMaxBlockGates> symbols;
  };

  void add_gate(const rewrite::PlainGate& gate, const CnotRzWindow& block,
                BlockAction& action) const;
  void emit(const BlockAction& action, const ParityNetwork& network, const CnotRzWindow& block);

  /// Returns how many more CNOTs than before are permitted, given the weights of the rotations
  /// before and after.
  [[nodiscard]] std::size_t slack(std::uint64_t before, std::uint64_t after) const;

  const AnnealingLabels& labels_;
  RotationWeights weights_{};
  Replacement replacement_;
};

}  // namespace quartz::optimizer
