#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "classes/table/class_table.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/moves/window_move.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"
#include "quartz/circuit/coupling.hpp"

namespace quartz::optimizer {

/// Replaces windows of circuits by cheaper ones until none of a circuit's windows can be.
///
/// The windows are those that begin at any gate and have any size (annealing/window.hpp): convex
/// parts of the circuit on as many wires as the class table has. A circuit is left when the table
/// knows no cheaper circuit for any of them; random numbers only choose among equally cheap ones.
///
/// A gate is marked once that is known of the windows that begin at it, and they do not reach the
/// end of a wire, behind which the list may go on. Marked gates are not looked at again until a
/// gate changes that their windows may reach: most work is done once, and then around the changes.
class WindowDescent {
 public:
  /// The table, the labels and the coupling map must outlive the object. Proves windows by
  /// `proofs`, which others of the same thread may share.
  WindowDescent(const ClassTable& table, const AnnealingLabels& labels, const CouplingMap* coupling,
                std::shared_ptr<WindowProofs> proofs)
      : move_(table, labels, std::move(proofs)), coupling_(coupling) {}

  /// Rewrites a circuit. The seed determines the result. Returns whether no cheaper window is left:
  /// false only if a stop is requested or the time is over before that.
  [[nodiscard]] bool run(RewrittenCircuit& circuit, std::uint64_t seed, const Budget& budget);

  /// Returns whether windows that begin before the start of a wire may have changed in the last
  /// run.
  [[nodiscard]] bool reaches_start() const { return reaches_start_; }
  [[nodiscard]] const AnnealingCounts& counts() const { return counts_; }

 private:
  /// Replaces a window that begins at a gate, the smallest that costs too much, or marks the gate.
  /// Returns whether there was one.
  bool improve_from(RewrittenCircuit& circuit, rewrite::GateIndex start, FastRandom& random);
  /// Removes the marks of all gates of which a window may reach a place.
  void unmark_before(RewrittenCircuit& circuit, std::span<const rewrite::GateIndex> places);

  WindowMove move_;
  const CouplingMap* coupling_;
  AnnealingCounts counts_;
  bool reaches_start_ = false;
  std::vector<std::uint32_t> visits_;  ///< for each place the last visit of unmark_before()
  std::uint32_t visit_ = 0;
  std::vector<rewrite::GateIndex> reached_;  ///< kept for its memory
  std::vector<rewrite::GateIndex> next_;
};

}  // namespace quartz::optimizer
