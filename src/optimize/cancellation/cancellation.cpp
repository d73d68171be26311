#include "optimize/cancellation/cancellation.hpp"

#include <array>
#include <utility>

#include "optimize/cancellation/operator_cones.hpp"
#include "optimize/cancellation/stepped_gates.hpp"
#include "optimize/cancellation/whole_space.hpp"

namespace quartz::optimizer {
namespace {

/// Numbers of wires of cones. Most pairs are in small ones, and their merges make others smaller.
constexpr std::array kWiresOfCones{6U, 9U, 12U};
/// Elements of vectors that the cones may take: hundredths of a second, and some microseconds for
/// each gate.
constexpr std::uint64_t kMostWork = 40'000'000;
constexpr std::uint64_t kMostWorkOfGate = 10'000;
/// Elements that the evaluation of the whole space may take: about a second.
constexpr double kMostWorkOfSpace = 2.5e9;
/// Elements of the space that are evaluated per second, at least roughly.
constexpr double kElementsPerSecond = 2.5e9;
/// Fraction of the budget that may be spent if nothing is found.
constexpr double kShareOfFirstPass = 0.3;

bool fits(const WholeSpace& space, bool has_found_pairs, const Budget& budget) {
  if (!space.is_possible()) return false;
  if (!budget.has_deadline()) return space.work_of_all() <= kMostWorkOfSpace;
  const double possible = kElementsPerSecond * budget.seconds_left();
  return space.work_of_all() <= possible &&
         (has_found_pairs || space.work_of_first_pass() <= kShareOfFirstPass * possible);
}

/// Merges pairs that are found on the whole space, as long as there are any.
void merge_on_whole_space(SteppedGates& gates, std::uint64_t seed, const Budget& budget) {
  for (bool has_found_pairs = false;; has_found_pairs = true) {
    WholeSpace space(gates, seed++);
    if (!fits(space, has_found_pairs, budget) || !space.merge_pairs(budget)) return;
  }
}

}  // namespace

circuit::DerivedGates cancel_equal_operators(std::span<const Operation> gates, const GateSet& set,
                                             const CancellationScope& scope, const Budget& budget) {
  SteppedGates stepped(gates, set);
  if (scope.has_cones) {
    OperatorCones cones(stepped, scope.seed);
    const std::uint64_t most_work = kMostWork + kMostWorkOfGate * gates.size();
    for (const unsigned wires : kWiresOfCones) cones.merge_all(wires, most_work, budget);
  }
  if (scope.has_whole_space) merge_on_whole_space(stepped, scope.seed, budget);
  if (stepped.merges() == 0) return circuit::DerivedGates::unchanged(gates);
  return std::move(stepped).finish();
}

}  // namespace quartz::optimizer
