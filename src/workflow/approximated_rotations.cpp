#include "workflow/approximated_rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "optimize/derived_search.hpp"
#include "quartz/approximation/rotation.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "quartz/circuit/gate.hpp"
#include "workflow/circuit_pipelines.hpp"

namespace quartz::workflow {
namespace {

using circuit::DerivedCircuit;

/// The check computes in double precision. For the gates of one rotation, its rounding errors are
/// below this distance.
constexpr double kRoundingOfCheck = 2e-12;
/// The fraction of epsilon that may be left for these rounding errors.
constexpr double kMostOfCheck = 0.5;

bool is_approximated(const Operation& operation) {
  return operation.kind == OperationKind::gate && operation.gate == GateKind::rz &&
         operation.angles.front().is_constant() &&
         !is_clifford_t_rotation(operation.angles.front());
}

bool is_opaque(const Operation& operation) { return operation.kind == OperationKind::opaque; }

bool has_free_parameters(const Operation& operation) {
  return !std::ranges::all_of(operation.angles, &Angle::is_constant);
}

bool is_expressible(const Circuit& circuit, const GateSet& set, const std::stop_token& stop) {
  try {
    (void)translate(circuit, set, stop);
    return true;
  } catch (const InexpressibleGate&) {
    return false;
  }
}

/// Merges rotations.
DerivedCircuit folded(const Circuit& circuit, const GateSet& set,
                      const optimizer::PassContext& context, const ApproximationOptions& options) {
  OptimizeOptions search;
  search.search = "fold";
  search.cost = CostKind::t;
  search.seconds = 0;
  search.threads = options.threads;
  if (context.coupling != nullptr) search.coupling = *context.coupling;
  search.stop = context.stop;
  return optimizer::search(circuit, set, RuleSet(), search,
                           {.records = options.records, .on_better = {}, .on_best = {}})
      .best;
}

/// Returns what the rotations may take of epsilon.
double budget_of(const ApproximationOptions& options, std::size_t rotations) {
  const double reserve = kRoundingOfCheck * static_cast<double>(rotations);
  if (reserve > kMostOfCheck * options.epsilon) {
    throw UsageError(
        fmt::format("epsilon must be at least {:.2g} for the {} rotations of the "
                    "circuit that are approximated, not {:g}",
                    reserve / kMostOfCheck, rotations, options.epsilon));
  }
  return options.epsilon - reserve;
}

/// Replaces all rotations that are no Clifford+T gates.
DerivedCircuit with_words(const Circuit& circuit, const optimizer::PassContext& context,
                          const ApproximationOptions& options) {
  std::vector<Angle> angles;
  for (const Operation& operation : circuit.operations) {
    if (is_approximated(operation)) angles.push_back(operation.angles.front().reduced_modulo(4));
  }
  const std::vector<RotationApproximation> approximations = approximate_rotations(
      angles, budget_of(options, angles.size()), thread_count(options.threads), context.stop);
  Circuit result = without_operations(circuit);
  circuit::GateByGateHistory recorded(circuit.operations.size());
  auto approximation = approximations.begin();
  for (const Operation& operation : circuit.operations) {
    if (!is_approximated(operation)) {
      result.operations.push_back(operation);
      recorded.keep();
      continue;
    }
    const std::size_t first = result.operations.size();
    for (const GateKind gate : approximation->gates) {
      result.operations.push_back(make_operation(gate, {operation.qubits.front()}));
      result.operations.back().classical = operation.classical;
    }
    // The phase of a branch of a classical alternative cannot be observed.
    if (operation.classical == nullptr) result.global_phase.add_phase(approximation->phase);
    recorded.replace(std::span(result.operations).subspan(first));
    ++approximation;
  }
  return {std::move(result),
          circuit::Derivation::by(std::move(recorded).finish(), !approximations.empty())};
}

}  // namespace

GateSet with_rotations(const GateSet& set) {
  GateSet result = set;
  result.name += " with rz";
  result.digest.clear();
  result.text = nullptr;
  std::erase_if(result.entries,
                [](const GateSetEntry& entry) { return entry.gate == GateKind::rz; });
  result.entries.push_back({GateKind::rz});
  return result;
}

std::optional<std::string> obstacle_to_approximation(const Circuit& circuit,
                                                     const optimizer::PassContext& context) {
  // What is opaque may be the beginning of a loop, which repeats every error.
  if (std::ranges::any_of(circuit.operations, is_opaque)) {
    return "rotations are not approximated in a circuit with loops or opaque operations, which "
           "may repeat their errors";
  }
  const Circuit words =
      make_circuit(1, {make_operation(GateKind::h, {0}), make_operation(GateKind::s, {0}),
                       make_operation(GateKind::t, {0}), make_operation(GateKind::x, {0})});
  if (!is_expressible(words, context.set, context.stop)) {
    return "rotations are only approximated in gate sets that express h, s, t and x";
  }
  if (std::ranges::any_of(circuit.operations, has_free_parameters)) {
    return "angles with free parameters are not approximated";
  }
  try {
    Circuit translated = translate(circuit, with_rotations(context.set), context.stop);
    std::erase_if(translated.operations, is_approximated);
    if (is_expressible(translated, context.set, context.stop)) return std::nullopt;
  } catch (const InexpressibleGate&) {
    // Rotations do not help.
  }
  return "";
}

ApproximatedCircuit approximate_circuit(const Circuit& circuit,
                                        const optimizer::PassContext& context,
                                        const ApproximationOptions& options) {
  const GateSet set = with_rotations(context.set);
  DerivedCircuit now = translated(circuit, {set, context.cost, context.coupling, context.stop});
  now.append(folded(now.circuit, set, context, options));
  const auto rotations =
      static_cast<std::size_t>(std::ranges::count_if(now.circuit.operations, is_approximated));
  now.append(with_words(now.circuit, context, options));
  now.append(translated(now.circuit, context));
  return {std::move(now), rotations};
}

}  // namespace quartz::workflow
