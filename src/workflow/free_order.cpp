#include "workflow/free_order.hpp"

#include <optional>
#include <utility>

#include "quartz/base/errors.hpp"
#include "workflow/circuit_pipelines.hpp"

namespace quartz::workflow {
namespace {

/// Blocks that become shorter may meet, and form other blocks.
constexpr int kMaxRounds = 4;
/// Simplifying a circuit of this size takes about a second.
constexpr std::size_t kMaxOperations = 50'000;

/// Continues with free SWAP gates and simplifies; returns whether that costs less.
bool take_once(circuit::DerivedCircuit& now, const optimizer::PassContext& context,
               const Simplification& simplify) {
  std::optional<circuit::DerivedCircuit> better = with_free_swaps(now.circuit, context);
  if (!better) return false;
  better->append(simplify(better->circuit));
  if (cost_of(now.circuit, context.cost) <= cost_of(better->circuit, context.cost)) return false;
  now.append(*std::move(better));
  return true;
}

}  // namespace

bool is_of_free_order(const Circuit& circuit) {
  return circuit.operations.size() <= kMaxOperations;
}

bool take_free_swaps(circuit::DerivedCircuit& now, const optimizer::PassContext& context,
                     const Simplification& simplify) {
  bool has_changed = false;
  for (int round = 0; round < kMaxRounds && !context.stop.stop_requested(); ++round) {
    try {
      if (!take_once(now, context, simplify)) break;
      has_changed = true;
    } catch (const InputError&) {
      break;  // the gate set, which expresses the circuit, cannot express a SWAP gate
    } catch (const Stopped&) {
      break;
    }
  }
  return has_changed;
}

}  // namespace quartz::workflow
