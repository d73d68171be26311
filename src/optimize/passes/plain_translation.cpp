#include "optimize/passes/plain_translation.hpp"

#include <span>
#include <stop_token>
#include <utility>

#include "base/either_stop.hpp"
#include "circuit/costs/operation_counter.hpp"
#include "optimize/state/direction.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "target/translation.hpp"

namespace quartz::optimizer {
namespace {

std::optional<CircuitCounts> count_translation(const Circuit& circuit, const PassContext& context,
                                               const std::stop_token& stop) {
  circuit::OperationCounter counter(circuit, context.cost);
  std::optional<Directions> directions;
  if (context.coupling != nullptr && context.coupling->directed()) {
    directions.emplace(context.set, *context.coupling);
  }
  try {
    target::for_each_translated_part(
        circuit, context.set, stop, [&](std::span<const Operation> part) {
          if (directions) {
            counter.append(directions->fix_gate_directions(part).gates);
          } else {
            counter.append(part);
          }
        });
  } catch (const InexpressibleGate&) {
    throw;
  } catch (const UntranslatableGate&) {
    return std::nullopt;  // angles of a translated gate
  } catch (const OverflowError&) {
    return std::nullopt;  // phases of reversed gates
  }
  return counter.counts();
}

}  // namespace

std::optional<CircuitCounts> counts_of_plain_translation(const Circuit& circuit,
                                                         const PassContext& context) {
  return count_translation(circuit, context, context.stop);
}

std::optional<circuit::DerivedCircuit> with_counts_of_plain_translation(
    const Circuit& circuit, const PassContext& context, PassFigures& figures,
    const std::function<std::optional<circuit::DerivedCircuit>()>& merge) {
  if (!context.counts_plain_translation) return merge();
  std::optional<circuit::DerivedCircuit> merged;
  std::optional<CircuitCounts> counts;
  std::stop_source no_merge;  // the plain translation is then made after all
  const EitherStop stop(context.stop, no_merge.get_token());
  const auto merge_or_stop = [&] {
    merged = merge();
    if (!merged) no_merge.request_stop();
  };
  const auto count = [&] {
    try {
      counts = count_translation(circuit, context, stop.token());
    } catch (const Stopped&) {
      if (context.stop.stop_requested()) throw;
    }
  };
  if (context.threads > 1) {
    on_threads(2, [&](std::size_t i) {
      if (i == 0) return merge_or_stop();
      count();
      if (context.meanwhile && !stop.token().stop_requested()) context.meanwhile();
    });
  } else {
    merge_or_stop();
    count();
  }
  if (merged) figures.plain_translation = std::move(counts);
  return merged;
}

}  // namespace quartz::optimizer
