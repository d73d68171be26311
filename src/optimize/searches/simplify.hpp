#pragma once

#include <cstdint>

#include "optimize/resynthesis/two_qubit_blocks.hpp"
#include "optimize/search/combinators.hpp"

namespace quartz {

/// What progress lines and reports call the pass.
inline constexpr PassName kSimplifyPass{"simplify",
                                        "rotations folded, two-qubit blocks resynthesized"};

/// Merges rotations about equal Pauli operators (folding/rotation_folding.hpp).
class FoldRotations : public SegmentRewriter {
 public:
  explicit FoldRotations(const Problem& problem)
      : set_(problem.set), qubits_(problem.circuit.qubit_count()) {}
  [[nodiscard]] PhasedGates rewrite(std::span<const Operation> gates,
                                    const Budget& budget) override;

 private:
  const GateSet& set_;
  std::uint32_t qubits_;
};

/// Resynthesizes two-qubit blocks and shortens chains of one-qubit gates
/// (resynthesis/two_qubit_blocks.hpp).
class ResynthesizeBlocks : public SegmentRewriter {
 public:
  explicit ResynthesizeBlocks(const Problem& problem);
  [[nodiscard]] PhasedGates rewrite(std::span<const Operation> gates,
                                    const Budget& budget) override;

 private:
  std::uint32_t qubits_;
  TwoQubitBlocks blocks_;
};

/// Folds rotations and resynthesizes two-qubit blocks in turn until neither helps; tries both
/// orders on small segments. The result never costs more where the cost is a sum over the gates.
[[nodiscard]] SegmentRewriterPointer make_simplification(const Problem& problem);

/// Folds the rotations of every segment.
[[nodiscard]] SearchPointer make_folding(const Problem& problem);

/// Simplifies every segment without a search. An object is used at several places of a schedule,
/// so that blocks that were found to be the cheapest are remembered.
class Simplify : public Search {
 public:
  explicit Simplify(const Problem& problem);
  Outcome run(SearchState& state, const Budget& budget) override;

 private:
  RewriteSegments simplification_;
  SearchPointer folding_;
};

/// Folds only where all angles are multiples of pi/4 and decimal angles were not asked for, since
/// annealing finds more where exact blocks are left as they are; otherwise simplifies.
class SimplifyForAnnealing : public Search {
 public:
  SimplifyForAnnealing(const Problem& problem, SearchPointer simplify)
      : folding_(make_folding(problem)), simplify_(std::move(simplify)) {}
  Outcome run(SearchState& state, const Budget& budget) override;

 private:
  SearchPointer folding_;
  SearchPointer simplify_;
};

}  // namespace quartz
