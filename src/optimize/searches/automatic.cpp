#include <memory>
#include <vector>

#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/anneal.hpp"
#include "optimize/searches/backtrack.hpp"
#include "optimize/searches/controlled_paulis.hpp"
#include "optimize/searches/deletion.hpp"
#include "optimize/searches/intermediate_set.hpp"
#include "optimize/searches/pauli_network.hpp"
#include "optimize/searches/products.hpp"
#include "optimize/searches/simplify.hpp"

namespace quartz::optimizer {
namespace {

/// Fraction of the budget given to annealing; backtracking gets the rest.
constexpr double kAnnealingShare = 0.9;

/// Fractions of the budget for both if gates may be deleted afterwards, and for the deletion. Both
/// run again in the time that it leaves. Deletion comes late: it leaves one-qubit gates by any
/// angles, which no class table contains.
constexpr double kBeforeDeletionShare = 0.75;
constexpr double kDeletionShare = 0.25;

/// Fraction of the budget that the folding of equal functions may take. It takes milliseconds for a
/// thousand gates.
constexpr double kFunctionsShare = 0.05;

/// Fraction of the budget that the merging of controlled Pauli operators may take. It takes
/// milliseconds for a thousand gates.
constexpr double kControlledShare = 0.1;

}  // namespace

SearchPointer make_auto_search(const Problem& problem) {
  const auto simplify = std::make_shared<Simplify>(problem);
  const auto simplify_pass = std::make_shared<Pass>(kSimplifyPass, simplify);
  const auto backtrack = std::make_shared<Backtrack>(problem, simplify_pass);
  // For a cost with a critical path, annealing minimizes the sums, or else the number of gates, and
  // keeps what lowers the cost; only backtracking sees all of it.
  // A gate set with too many letters for a class table can only be annealed in another set.
  const auto annealing = std::make_shared<FirstThatApplies>(std::vector<SearchPointer>{
      make_annealing(AnnealingEnd::when_converged, simplify), make_intermediate_rounds(simplify)});
  const auto anneal_and_simplify = std::make_shared<FollowedBy>(
      std::make_shared<Share>(kAnnealingShare, annealing), simplify_pass);
  const auto simplification = std::make_shared<Pass>(
      kSimplifyPass, std::make_shared<SimplifyForAnnealing>(problem, simplify));
  // Folding leaves nothing of most products.
  const auto rewriting = std::make_shared<Sequence>(std::vector<Part>{
      {make_product_start(problem, {simplification, simplify, anneal_and_simplify})},
      {make_function_folding(problem), kFunctionsShare},
      {make_controlled_paulis(problem), kControlledShare},
      {make_network_start(problem, {simplification, simplify, anneal_and_simplify})},
      {std::make_shared<UntilNoGain>(kAnnealingShare, anneal_and_simplify, backtrack)}});
  const SearchPointer deletion = make_deletion(problem, simplify);
  if (!deletion->applies(problem)) return rewriting;
  return std::make_shared<Sequence>(std::vector<Part>{
      {rewriting, kBeforeDeletionShare}, {deletion, kDeletionShare}, {rewriting}});
}

}  // namespace quartz::optimizer
