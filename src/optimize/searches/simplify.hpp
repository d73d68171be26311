#pragma once

#include <cstdint>

#include "optimize/resynthesis/two_qubit_blocks.hpp"
#include "optimize/search/combinators.hpp"

namespace quartz::optimizer {

/// Name of the pass in progress lines and reports.
inline constexpr PassName kSimplifyPass{"simplify",
                                        "rotations folded, two-qubit blocks resynthesized"};

/// Merges rotations about equal Pauli operators (folding/rotation_folding.hpp).
class FoldRotations : public SegmentRewriter {
 public:
  explicit FoldRotations(const Problem& problem) : problem_(problem), qubits_(problem.wires) {}

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override;

  const Problem& problem_;
  std::uint32_t qubits_;
};

/// Merges rotations about equal Boolean functions (folding/function_folding.hpp). Changes nothing
/// if merging those about equal Pauli operators alone leaves as few gates: other searches find more
/// in gates that have not been folded.
class FoldEqualFunctions : public SegmentRewriter {
 public:
  explicit FoldEqualFunctions(const Problem& problem) : problem_(problem), wires_(problem.wires) {}

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override;

  const Problem& problem_;
  std::uint32_t wires_;
};

/// Resynthesizes two-qubit blocks and shortens chains of one-qubit gates
/// (resynthesis/two_qubit_blocks.hpp). Large circuits are rewritten in stretches of consecutive
/// gates: each stretch fits into the processor's cache, and when the budget is spent, the stretches
/// before are finished and the rest is unchanged. Spends a tick for each gate of a finished
/// stretch.
class ResynthesizeBlocks : public SegmentRewriter {
 public:
  explicit ResynthesizeBlocks(const Problem& problem);

  /// Minimum number of gates in a stretch, and for each qubit: blocks that cross the boundary of
  /// two stretches are not found, so each qubit should have many gates between two boundaries.
  static constexpr std::size_t kGatesOfStretch = std::size_t{1} << 16U;
  static constexpr std::size_t kGatesOfStretchPerQubit = 32;

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override;
  [[nodiscard]] circuit::DerivedGates rewrite_at_once(std::span<const Operation> gates,
                                                      const Budget& budget);

  std::uint32_t qubits_;
  TwoQubitBlocks blocks_;
};

/// Replaces blocks of CNOTs and SWAPs by fewer CNOTs (linear/linear_blocks.hpp).
class ResynthesizeLinearBlocks : public SegmentRewriter {
 public:
  explicit ResynthesizeLinearBlocks(const Problem& problem)
      : problem_(problem), wires_(problem.wires) {}

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override;

  const Problem& problem_;
  std::uint32_t wires_;
};

/// Returns a rewriter that alternates between folding rotations, resynthesizing two-qubit blocks,
/// and resynthesizing blocks of CNOTs if the gate set has them, until none of them helps, and tries
/// both orders on small segments. The result never costs more if the cost is a sum over the gates.
[[nodiscard]] SegmentRewriterPointer make_simplification(const Problem& problem);

/// Returns a search that folds the rotations of every segment.
[[nodiscard]] SearchPointer make_folding(const Problem& problem);

/// Returns a search that folds the rotations about equal Boolean functions of every segment that is
/// not too large. It finds most in a circuit that no other search has changed.
[[nodiscard]] SearchPointer make_function_folding(const Problem& problem);

/// Returns a search that moves the Pauli operators of every segment to its end if that costs
/// less. Annealing moves them too, but in a circuit of a million gates it takes them a short way
/// only.
[[nodiscard]] SearchPointer make_propagation(const Problem& problem);

/// Returns a search that moves the one-qubit Clifford gates of every segment along their wires if
/// that costs less, and Pauli operators to its end.
[[nodiscard]] SearchPointer make_commutation(const Problem& problem);

/// Simplifies every segment without a search. A schedule may use one object at several places, so
/// that blocks known to be the cheapest are remembered.
class Simplify : public Search {
 public:
  explicit Simplify(const Problem& problem);
  [[nodiscard]] bool is_bounded() const override { return true; }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  SearchPointer simplification_;
  SearchPointer folding_;
};

/// Simplifies, or only folds if all angles are multiples of pi/4 and decimal angles were not
/// requested: annealing finds more if exact blocks are left unchanged.
class SimplifyForAnnealing : public Search {
 public:
  SimplifyForAnnealing(const Problem& problem, SearchPointer simplify)
      : folding_(make_folding(problem)), simplify_(std::move(simplify)) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  SearchPointer folding_;
  SearchPointer simplify_;
};

}  // namespace quartz::optimizer
