#pragma once

#include <cstdint>

#include "optimize/search/combinators.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// What annealing in the intermediate gate set, {h, x, rz, cx}, brings.
enum class IntermediateSetUse : std::uint8_t {
  none,  ///< the target has its gates
  /// A Hadamard gate is one gate there, and three in {rz, sx, x, cx}, so that windows and CNOT+Rz
  /// blocks reach further. Toffoli circuits end with fewer gates, adders do not.
  may_gain,
  /// Few two-qubit gates are wanted, and a CNOT is one gate there and seven in {rz, sx, x, cz}: a
  /// window and a class table with as many gates reach that much further.
  gains,
};
[[nodiscard]] IntermediateSetUse intermediate_set_use(const GateSet& set, const Cost& cost);

/// Anneals the best circuit in the intermediate gate set and continues with the result in gates of
/// the target, whatever it costs there. Has no result if the gate sets cannot express each other's
/// gates exactly.
class InIntermediateSet : public Search {
 public:
  /// `simplify` is applied to what is translated back. `with_alternatives`: part of the budget is
  /// used to translate several circuits of about the same cost, and the cheapest one is taken.
  InIntermediateSet(SearchPointer simplify, bool with_alternatives)
      : simplify_(std::move(simplify)), with_alternatives_(with_alternatives) {}
  [[nodiscard]] bool applies(const Problem& problem) const override;
  Outcome run(SearchState& state, const Budget& budget) override;

 private:
  /// Returns to the target with the best of the circuits found.
  Outcome continue_with(SearchState& state, OptimizeResult result, const Budget& budget);

  SearchPointer simplify_;
  bool with_alternatives_;
};

/// Rounds of InIntermediateSet with alternatives, as one pass each.
[[nodiscard]] SearchPointer make_intermediate_rounds(SearchPointer simplify);
/// One InIntermediateSet without alternatives, as a pass.
[[nodiscard]] SearchPointer make_intermediate_trial(SearchPointer simplify);

}  // namespace quartz
