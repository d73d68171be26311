#pragma once

#include <functional>
#include <optional>

#include "circuit/derivation.hpp"
#include "optimize/passes/circuit_pass.hpp"

namespace quartz::optimizer {

/// Runs a translation that merges runs, and counts the operations of the plain translation
/// meanwhile if the context asks for that, on a thread of its own if it has several.
/// `figures.plain_translation` stays empty if `merge` returns nothing, and if exact arithmetic does
/// not suffice for the plain translation. Throws what `merge` throws, and UsageError as cost_of()
/// does.
[[nodiscard]] std::optional<circuit::DerivedCircuit> with_counts_of_plain_translation(
    const Circuit& circuit, const PassContext& context, PassFigures& figures,
    const std::function<std::optional<circuit::DerivedCircuit>()>& merge);

}  // namespace quartz::optimizer
