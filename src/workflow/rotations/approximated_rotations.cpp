#include "workflow/rotations/approximated_rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text/bound_text.hpp"
#include "optimize/derived_search.hpp"
#include "quartz/approximation/one_qubit_product.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "quartz/circuit/gate.hpp"
#include "workflow/circuit_pipelines.hpp"
#include "workflow/rotations/one_qubit_runs.hpp"

namespace quartz::workflow {
namespace {

using circuit::DerivedCircuit;

/// The check computes in double precision. For the gates of one rotation, its rounding errors are
/// below this distance.
constexpr double kRoundingOfCheck = 2e-12;
/// The fraction of epsilon that may be left for these rounding errors.
constexpr double kMostOfCheck = 0.5;
/// The fraction of epsilon that is left because the check's bound on the norm of a difference on
/// one qubit is up to 1.00005 times the norm (certify/simulation/operator_norm.hpp), and for
/// rounding errors of the steps of the search.
constexpr double kShareOfBounds = 1e-4;

bool is_opaque(const Operation& operation) { return operation.kind == OperationKind::opaque; }

bool has_free_parameters(const Operation& operation) {
  return !std::ranges::all_of(operation.angles, &Angle::is_constant);
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
    throw UsageError(fmt::format(
        "epsilon must be at least {} for an approximation of {} of the "
        "circuit, not {:g}",
        upper_bound_text(reserve / kMostOfCheck), counted(rotations, "rotation"), options.epsilon));
  }
  return std::min(options.epsilon - reserve, (1 - kShareOfBounds) * options.epsilon);
}

/// Replaces all rotations that are no Clifford+T gates, and the gates of their runs.
DerivedCircuit with_words(const Circuit& circuit, const optimizer::PassContext& context,
                          const ApproximationOptions& options) {
  const std::vector<OneQubitRun> runs = approximated_runs(circuit);
  std::vector<OneQubitProduct> products;
  for (const OneQubitRun& run : runs) products.push_back(run.product);
  const auto rotations =
      static_cast<std::size_t>(std::ranges::count_if(circuit.operations, is_approximated));
  const std::vector<RotationApproximation> words = approximate_products(
      products, budget_of(options, rotations),
      {.threads = thread_count(options.threads), .seconds = options.seconds, .stop = context.stop});
  Circuit result = without_operations(circuit);
  circuit::HistoryRecorder recorded(circuit.operations.size());
  circuit::NumberList order;
  std::vector<bool> is_replaced(circuit.operations.size(), false);
  std::size_t next = 0;  // run
  for (std::size_t i = 0; i < circuit.operations.size(); ++i) {
    if (next == runs.size() || i != runs[next].operations.front()) {
      if (is_replaced[i]) continue;
      result.operations.push_back(circuit.operations[i]);
      order.push_back(static_cast<circuit::GateNumber>(i));
      continue;
    }
    // The other gates of the run come to the place of the first one: no operation between them is
    // on their qubit.
    const Operation& operation = circuit.operations[i];
    const RotationApproximation& word = words[next];
    std::vector<circuit::GateNumber> removed;
    for (const std::size_t index : runs[next].operations) {
      is_replaced[index] = true;
      removed.push_back(static_cast<circuit::GateNumber>(index));
    }
    const std::size_t first = result.operations.size();
    for (const GateKind gate : word.gates) {
      order.push_back(recorded.next_number() +
                      static_cast<circuit::GateNumber>(result.operations.size() - first));
      result.operations.push_back(make_operation(gate, {operation.qubits.front()}));
      result.operations.back().classical = operation.classical;
    }
    // The phase of a branch of a classical alternative cannot be observed.
    if (operation.classical == nullptr) result.global_phase.add_phase(word.phase);
    recorded.rewrite(removed, {}, std::span(result.operations).subspan(first));
    ++next;
  }
  if (runs.empty()) return {std::move(result), circuit::Derivation::unchanged()};
  return {std::move(result),
          circuit::Derivation::by(std::move(recorded).finish(std::move(order)), true)};
}

}  // namespace

bool is_expressible(const Circuit& circuit, const GateSet& set, const std::stop_token& stop) {
  try {
    (void)translate(circuit, set, stop);
    return true;
  } catch (const InexpressibleGate&) {
    return false;
  }
}

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
  optimizer::PassFigures figures;
  std::optional<DerivedCircuit> translation =
      translated(circuit, {set, context.cost, context.coupling, context.stop}, figures);
  DerivedCircuit now = translation ? *std::move(translation) : DerivedCircuit::first(circuit);
  now.append(folded(now.circuit, set, context, options));
  const auto rotations =
      static_cast<std::size_t>(std::ranges::count_if(now.circuit.operations, is_approximated));
  now.append(with_words(now.circuit, context, options));
  std::optional<DerivedCircuit> in_set = translated(now.circuit, context, figures);
  if (in_set) now.append(*std::move(in_set));
  return {std::move(now), rotations};
}

}  // namespace quartz::workflow
