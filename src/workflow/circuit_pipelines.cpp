#include "workflow/circuit_pipelines.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::workflow {
namespace {

using circuit::DerivedCircuit;
using optimizer::PassContext;
using optimizer::PassFigures;

// Directions come after every translation: reversing a gate needs gates of the set.
constexpr std::array<std::string_view, 2> kTranslation{"translate", "directions"};
constexpr std::array<std::string_view, 2> kBeforeTranslation{"resets", "linear-blocks"};
// Directions at the end: searches write the qubits of symmetric gates in any order.
constexpr std::array<std::string_view, 2> kEnd{"resets-in-set", "directions"};
constexpr std::array<std::string_view, 3> kFreeSwaps{"free-swaps", "translate", "directions"};

/// Blocks that become shorter may meet, and form other blocks.
constexpr int kMaxRounds = 4;
/// Simplifying a circuit of this size takes about a second.
constexpr std::size_t kMaxOperationsOfFreeOrder = 50'000;

bool has_operations_of(const Circuit& a, const Circuit& b) {
  return a.operations.size() == b.operations.size() && a.operations == b.operations;
}

bool is_coupled(const Circuit& circuit, const PassContext& context) {
  return context.coupling == nullptr || !uncoupled_gate(circuit, *context.coupling);
}

/// Continues with free SWAP gates and simplifies; returns whether that costs less.
bool take_once(DerivedCircuit& now, const PassContext& context, const Simplification& simplify) {
  PassFigures figures;
  std::optional<DerivedCircuit> better = run_pipeline(kFreeSwaps, now.circuit, context, figures);
  if (!better || better->permutation.empty()) return false;
  better->append(simplify(better->circuit));
  if (cost_of(now.circuit, context.cost) <= cost_of(better->circuit, context.cost)) return false;
  now.append(*std::move(better));
  return true;
}

}  // namespace

std::optional<DerivedCircuit> translated(const Circuit& circuit, const PassContext& context,
                                         PassFigures& figures) {
  return run_pipeline(kTranslation, circuit, context, figures);
}

std::optional<SimplifiedCircuit> simplified_start(const Circuit& input,
                                                  const Circuit& plain_translation,
                                                  const PassContext& context) {
  PassFigures figures;
  std::optional<DerivedCircuit> simplified =
      run_pipeline(kBeforeTranslation, input, context, figures);
  if (!simplified || has_operations_of(simplified->circuit, input)) return std::nullopt;
  DerivedCircuit start = *std::move(simplified);
  try {
    std::optional<DerivedCircuit> in_set =
        run_pipeline(kTranslation, start.circuit, context, figures);
    if (in_set) start.append(*std::move(in_set));
  } catch (const InputError&) {
    return std::nullopt;  // the set, which expresses the input, lacks a gate for what is simpler
  }
  start.circuit.qasm_version = plain_translation.qasm_version;
  start.circuit.hides_library_names = plain_translation.hides_library_names;
  const bool is_cheaper =
      cost_of(start.circuit, context.cost) < cost_of(plain_translation, context.cost);
  if (!is_cheaper || !is_coupled(start.circuit, context)) return std::nullopt;
  return SimplifiedCircuit{std::move(start), figures};
}

std::optional<SimplifiedCircuit> simplified_result(const Circuit& result,
                                                   const PassContext& context) {
  PassFigures figures;
  std::optional<DerivedCircuit> simplified = run_pipeline(kEnd, result, context, figures);
  if (!simplified || has_operations_of(simplified->circuit, result)) return std::nullopt;
  if (cost_of(result, context.cost) < cost_of(simplified->circuit, context.cost)) {
    return std::nullopt;
  }
  if (!is_coupled(simplified->circuit, context)) return std::nullopt;
  return SimplifiedCircuit{*std::move(simplified), figures};
}

bool is_of_free_order(const Circuit& circuit) {
  return circuit.operations.size() <= kMaxOperationsOfFreeOrder;
}

bool take_free_swaps(DerivedCircuit& now, const PassContext& context,
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
