#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/instantiation/window_forms.hpp"
#include "optimize/resynthesis/block_replacement.hpp"
#include "optimize/windows/narrow_window.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Replaces windows on three and four qubits by as many two-qubit gates as a random unitary takes,
/// 14 and 61 CNOTs, if they have more (generic_template.hpp). Then
/// deletes two-qubit gates of windows on three qubits if the other gates can make up for it: the
/// window without the gate is a template, whose one-qubit gates, and angles of two-qubit gates, are
/// chosen so that the unitary of the window stays the same (instantiate.hpp). This is gate
/// deletion by numerical instantiation (Younis et al., "QFAST", arXiv 2103.07093; Patel et al.,
/// "QUEST", arXiv 2108.12714). Unlike class tables, it finds circuits with any angles, and
/// unlike two-qubit blocks, it sees that blocks on different pairs of three qubits share work. Two
/// CNOTs of a chain take four iswaps as blocks, and five of them eight instead of ten.
class GateDeletion {
 public:
  struct Options {
    Exactness exactness = Exactness::keep;
    /// Bound on the sum of the operator norms of all differences, up to a global phase, in all
    /// lists of gates together. With 0, gates are only replaced by equal ones; otherwise, exactness
    /// does not matter.
    double epsilon = 0;
    std::uint64_t seed = 0;
  };

  GateDeletion(const GateSet& set, ScalarGateCost cost, const Options& options);

  /// Returns whether gates may get any angles: always, never, or if one of them has such an angle.
  [[nodiscard]] static bool may_change(std::span<const Operation> gates, const Options& options);
  /// Returns WindowForms::available.
  [[nodiscard]] bool available() const { return forms_.available(); }

  /// Returns gates that cost at most as much, and are equal unless epsilon permits more. Tries
  /// every window once from the gates as they are, and then several times from random gates, until
  /// the budget is spent; spends ticks. Windows that were tried before are not tried again.
  [[nodiscard]] circuit::DerivedGates delete_gates(std::span<const Operation> gates,
                                                   const Budget& budget);

 private:
  /// How a window is tried.
  struct Attempt {
    bool starts_from_gates = false;  ///< from the gates as they are, otherwise from random ones
    /// Largest share of what is left of epsilon that one deletion may take.
    double share_of_epsilon = 0;
  };
  static const std::array<Attempt, 7> kRounds;

  class Run;

  /// Returns whether to try a window. The blocks on two qubits (two_qubit_synthesis.hpp) already
  /// have as few gates as possible, unless gates serve by echoes.
  [[nodiscard]] bool may_have_superfluous_gates(const NarrowWindow& window) const;
  /// A replacement, and the Frobenius norm of its difference if epsilon has to permit it.
  struct Deletion {
    BlockReplacement replacement;
    double distance = 0;
  };
  /// Returns the replacement of a window's gates by a choice of a form, if it is cheaper and no
  /// further away than permitted.
  [[nodiscard]] std::optional<Deletion> deletion_by(std::vector<Operation> before,
                                                    const WindowForm& form,
                                                    const TemplateChoice& choice,
                                                    std::span<const Qubit> qubits,
                                                    double distance) const;

  Options options_;
  double epsilon_left_;  ///< what replacements have not taken, even those that were undone
  WindowForms forms_;
  /// Hashes of windows and rounds in which nothing was found. A collision can keep a gate that
  /// could be deleted.
  std::unordered_set<std::size_t> tried_;
};

}  // namespace quartz::optimizer
