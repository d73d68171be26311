#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "optimize/search/combinators.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Name of the intermediate gate set, {h, x, rz, cx}.
inline constexpr std::string_view kIntermediateSet = "nam";

/// Benefit of annealing in the intermediate gate set, {h, x, rz, cx}, for a target.
enum class IntermediateSetUse : std::uint8_t {
  none,  ///< the target has the same gates
  /// A Hadamard gate is one gate in the intermediate set and three in {rz, sx, x, cx}, so windows
  /// and CNOT+Rz blocks reach further. Toffoli circuits end with fewer gates, adders do not.
  may_gain,
  /// The cost counts two-qubit gates, and a CNOT is one gate in the intermediate set and seven in
  /// {rz, sx, x, cz}: windows and class tables of the same number of gates reach further
  /// accordingly.
  gains,
};
[[nodiscard]] IntermediateSetUse intermediate_set_use(const GateSet& set, const Cost& cost);

/// Anneals the best circuit in the intermediate gate set and continues with the result in gates of
/// the target, even if it costs more. Has no result if the gate sets cannot express each other's
/// gates exactly, or if only bodies are seen.
class InIntermediateSet : public Search {
 public:
  /// Applies `simplify` to the translated-back circuit. If `with_alternatives` is set, part of the
  /// budget is used to translate several circuits of about the same cost and choose the cheapest.
  InIntermediateSet(SearchPointer simplify, bool with_alternatives);
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override;

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;
  /// Passes a circuit that was found in the intermediate set to Problem::on_version, translated
  /// back and simplified. `entered` leads to the circuit with which that search began.
  void offer_version(const SearchState& state, const circuit::DerivedCircuit& found,
                     const circuit::Derivation& entered);
  /// Translates the circuits found back to the target and continues with the best one.
  Outcome continue_with(SearchState& state, SearchResult result, const circuit::Derivation& entered,
                        const Budget& budget);

  const GateSet set_;  ///< the intermediate gate set
  SearchPointer simplify_;
  bool with_alternatives_;
};

/// Returns rounds of InIntermediateSet with alternatives, as one pass each.
[[nodiscard]] SearchPointer make_intermediate_rounds(SearchPointer simplify);
/// Returns one InIntermediateSet without alternatives, as a pass.
[[nodiscard]] SearchPointer make_intermediate_trial(SearchPointer simplify);

}  // namespace quartz::optimizer
