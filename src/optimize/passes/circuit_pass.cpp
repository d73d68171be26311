#include "optimize/passes/circuit_pass.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "optimize/passes/free_swaps.hpp"
#include "optimize/passes/merged_translation.hpp"
#include "optimize/passes/plain_translation.hpp"
#include "optimize/passes/shorten_linear_blocks.hpp"
#include "optimize/passes/simplify_around_resets.hpp"
#include "optimize/state/direction.hpp"
#include "quartz/base/errors.hpp"
#include "target/translation.hpp"

namespace quartz::optimizer {
namespace {

using circuit::DerivedCircuit;

/// Runs of gates on one qubit are merged while a circuit is translated if it would have this many
/// operations without that: these take seconds to search, and hundreds of megabytes.
constexpr std::size_t kMinOperationsOfMergedRuns = 500'000;

/// Returns nothing for circuits that are not large.
std::optional<DerivedCircuit> run_merged_translation(const Circuit& circuit,
                                                     const PassContext& context,
                                                     PassFigures& figures) {
  try {
    const std::size_t size = size_of_translation(circuit, context);
    if (size < kMinOperationsOfMergedRuns) return std::nullopt;
    return with_counts_of_plain_translation(circuit, context, figures, [&] {
      return translated_with_merged_runs(circuit, context, size);
    });
  } catch (const OverflowError&) {
    return std::nullopt;  // the plain translation names the gate
  }
}

std::optional<DerivedCircuit> run_translation(const Circuit& circuit, const PassContext& context,
                                              PassFigures& figures) {
  if (target::is_translated(circuit, context.set, context.stop)) return std::nullopt;
  if (std::optional<DerivedCircuit> merged = run_merged_translation(circuit, context, figures)) {
    figures.has_merged_runs = true;
    return merged;
  }
  if (!context.records) {
    return DerivedCircuit{translate(circuit, context.set, context.stop),
                          circuit::Derivation::unrecorded()};
  }
  return target::translated(circuit, context.set, context.stop);
}

std::optional<DerivedCircuit> run_directions(const Circuit& circuit, const PassContext& context,
                                             PassFigures& /*figures*/) {
  if (context.coupling == nullptr || !context.coupling->directed()) return std::nullopt;
  return Directions(context.set, *context.coupling).fix_gate_directions(circuit);
}

std::optional<DerivedCircuit> run_resets(const Circuit& circuit, const GateSet* set,
                                         PassFigures& figures) {
  if (!has_resets(circuit)) return std::nullopt;
  SimplifiedCircuit simplified = simplify_around_resets(circuit, set);
  figures.known_states += simplified.changes;
  return std::move(simplified.derived);
}

/// CNOTs of any set but that of the target are rewritten with the gates around them, whereas those
/// of the target are left to the search.
std::optional<DerivedCircuit> run_linear_blocks(const Circuit& circuit, const PassContext& context,
                                                PassFigures& /*figures*/) {
  const bool is_directed = context.coupling != nullptr && context.coupling->directed();
  if (is_directed || context.set.contains(make_operation(GateKind::cx, {0, 1}))) {
    return std::nullopt;
  }
  return shorten_linear_blocks(circuit, context.coupling);
}

std::optional<DerivedCircuit> run_free_swaps(const Circuit& circuit, const PassContext& context,
                                             PassFigures& /*figures*/) {
  const SwapPlaces places =
      context.coupling != nullptr ? SwapPlaces::at_the_end : SwapPlaces::anywhere;
  return with_free_swaps(circuit, context.set, context.cost, places);
}

constexpr std::array kPasses{
    CircuitPass{"translate", "the gates of the set, by exact decompositions", run_translation},
    CircuitPass{"directions", "gates against the direction of the coupling map reversed",
                run_directions},
    CircuitPass{"resets", "fewer gates next to resets, in any gates",
                [](const Circuit& circuit, const PassContext&, PassFigures& figures) {
                  return run_resets(circuit, nullptr, figures);
                }},
    CircuitPass{"resets-in-set", "fewer gates next to resets, in gates of the set",
                [](const Circuit& circuit, const PassContext& context, PassFigures& figures) {
                  return run_resets(circuit, &context.set, figures);
                }},
    CircuitPass{"linear-blocks", "blocks of CNOTs shortened if the set has none",
                run_linear_blocks},
    CircuitPass{"free-swaps", "SWAP gates where a free order of the qubits makes blocks cheaper",
                run_free_swaps},
};

}  // namespace

std::span<const CircuitPass> circuit_passes() { return kPasses; }

const CircuitPass& circuit_pass(std::string_view name) {
  const auto* const found = std::ranges::find(kPasses, name, &CircuitPass::name);
  ensure(found != kPasses.end(), "a pipeline has passes of the list");
  return *found;
}

std::optional<DerivedCircuit> run_pipeline(std::span<const std::string_view> pipeline,
                                           const Circuit& circuit, const PassContext& context,
                                           PassFigures& figures) {
  std::optional<DerivedCircuit> result;
  for (const std::string_view name : pipeline) {
    std::optional<DerivedCircuit> next =
        circuit_pass(name).run(result ? result->circuit : circuit, context, figures);
    if (!next) continue;
    if (result) {
      result->append(*std::move(next));
    } else {
      result = std::move(next);
    }
  }
  return result;
}

}  // namespace quartz::optimizer
