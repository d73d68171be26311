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
constexpr std::array<std::string_view, 1> kEnd{"resets-in-set"};
constexpr std::array<std::string_view, 3> kFreeSwaps{"free-swaps", "translate", "directions"};

bool has_operations_of(const Circuit& a, const Circuit& b) {
  return a.operations.size() == b.operations.size() && a.operations == b.operations;
}

bool is_coupled(const Circuit& circuit, const PassContext& context) {
  return context.coupling == nullptr || !uncoupled_gate(circuit, *context.coupling);
}

}  // namespace

DerivedCircuit translated(const Circuit& circuit, const PassContext& context) {
  PassFigures figures;
  return run_pipeline(kTranslation, circuit, context, figures);
}

std::optional<SimplifiedStart> simplified_start(const Circuit& input,
                                                const Circuit& plain_translation,
                                                const PassContext& context) {
  PassFigures figures;
  DerivedCircuit start = run_pipeline(kBeforeTranslation, input, context, figures);
  if (has_operations_of(start.circuit, input)) return std::nullopt;
  try {
    start.append(run_pipeline(kTranslation, start.circuit, context, figures));
  } catch (const InputError&) {
    return std::nullopt;  // the set, which expresses the input, lacks a gate for what is simpler
  }
  start.circuit.qasm_version = plain_translation.qasm_version;
  start.circuit.hides_library_names = plain_translation.hides_library_names;
  const bool is_cheaper =
      cost_of(start.circuit, context.cost) < cost_of(plain_translation, context.cost);
  if (!is_cheaper || !is_coupled(start.circuit, context)) return std::nullopt;
  return SimplifiedStart{std::move(start), figures.known_states};
}

KnownStates simplify_result(DerivedCircuit& result, const PassContext& context) {
  PassFigures figures;
  DerivedCircuit simplified = run_pipeline(kEnd, result.circuit, context, figures);
  if (has_operations_of(simplified.circuit, result.circuit)) return {};
  if (cost_of(result.circuit, context.cost) < cost_of(simplified.circuit, context.cost)) return {};
  if (!is_coupled(simplified.circuit, context)) return {};
  result.append(std::move(simplified));
  return figures.known_states;
}

std::optional<DerivedCircuit> with_free_swaps(const Circuit& circuit, const PassContext& context) {
  PassFigures figures;
  DerivedCircuit swapped = run_pipeline(kFreeSwaps, circuit, context, figures);
  if (swapped.permutation.empty()) return std::nullopt;
  return swapped;
}

}  // namespace quartz::workflow
