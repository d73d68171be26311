#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "quartz/circuit/cost.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// A cost as on the command line: a name of cost_names(), a JSON file of weights (costs/README.md
/// tells the format), or several with commas, of which each breaks the ties of those before it.
/// Throws UsageError for a list that makes no sense, InputError with the place of what is wrong in
/// a file, also where it leaves a gate of the set without a weight.
[[nodiscard]] Cost load_cost(std::string_view list, const GateSet& set,
                             const std::stop_token& stop = {});

/// From JSON text; `name` is what messages call the source.
[[nodiscard]] GateWeights parse_gate_weights(std::string_view text, const std::string& name);

/// The first gate of the set that the objective has no weight for.
[[nodiscard]] std::optional<GateKind> gate_without_weight(const Objective& objective,
                                                          const GateSet& set);

}  // namespace quartz
