#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "quartz/circuit/cost.hpp"
#include "quartz/target/backend.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// Loads a cost as given on the command line: a name of cost_names(), a JSON file of weights
/// (costs/README.md describes the format), or several of these with commas, each of which breaks
/// the ties of those before it. Throws UsageError for an invalid list, and InputError with the
/// location in the file for an invalid file, including one that gives no weight to a gate of the
/// set. With a backend, `error` and `duration` are those of its files; they are a UsageError if its
/// files do not have them for all gates of the set.
[[nodiscard]] Cost load_cost(std::string_view list, const GateSet& set,
                             const std::stop_token& stop = {}, const Backend* backend = nullptr);

/// Parses weights from JSON text, which may name built-in gates and the given custom gates; `name`
/// is what messages call the source.
[[nodiscard]] GateWeights parse_gate_weights(std::string_view text, const std::string& name,
                                             const CustomGates& custom_gates = {});

/// Returns the first gate of the set for which the objective has no weight.
[[nodiscard]] std::optional<GateKind> gate_without_weight(const Objective& objective,
                                                          const GateSet& set);

}  // namespace quartz
