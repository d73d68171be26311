#pragma once

#include "optimize/annealing/cnot_rz_block.hpp"
#include "optimize/annealing/moves/move.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"

namespace quartz::optimizer {

/// Takes a CNOT+Rz block and proposes another circuit for its phase polynomial, confirmed by the
/// exact action of both on every basis state.
class ParityMove {
 public:
  explicit ParityMove(const AnnealingLabels& labels) : labels_(labels), synthesis_(labels) {}

  /// Returns whether the gate set has the gates that parity moves need.
  [[nodiscard]] bool is_possible() const { return synthesis_.is_possible(); }
  /// Proposes an exchange for a block that begins at a gate; null if there is none. The exchange
  /// may cost more.
  [[nodiscard]] const Exchange* propose(const MoveContext& context, rewrite::GateIndex start);

 private:
  const AnnealingLabels& labels_;
  CnotRzSynthesis synthesis_;
  CnotRzWindow window_;
  Exchange exchange_;
};

}  // namespace quartz::optimizer
