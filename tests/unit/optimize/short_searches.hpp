#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>

#include "quartz/base/errors.hpp"
#include "quartz/classes/class_table.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::test {

/// Returns the rules of a bundled gate set, which are generated once.
inline const RuleSet& rules_of(const GateSet& set) {
  static std::map<std::string, RuleSet> known;
  const auto found = known.find(set.digest);
  if (found != known.end()) return found->second;
  GenerateOptions options;
  options.gates = 2;
  options.qubits = 2;
  return known.emplace(set.digest, generate(set, options).rules).first->second;
}

/// Returns a small class table, which is built once: that takes longer than most of these searches.
inline std::shared_ptr<const ClassTable> shared_table(const GateSet& set, ClassTableOptions wanted,
                                                      unsigned cost) {
  static std::mutex mutex;
  static std::map<std::tuple<std::string, bool, unsigned>, std::shared_ptr<const ClassTable>> known;
  const std::scoped_lock lock(mutex);
  auto& table = known[{set.digest, wanted.symbolic, cost}];
  wanted.cost = cost;
  wanted.deadline.reset();
  if (table == nullptr) table = build_class_table(set, wanted);
  return table;
}

/// Ends when the search converges or after a time limit; no check depends on which of them happens
/// first.
inline OptimizeOptions quick(const Cost& cost) {
  OptimizeOptions options;
  options.cost = cost;
  options.seconds = 0.1;  // the intermediate search needs as much
  options.threads = 2;
  // What a table has in so short a time.
  options.find_class_table = [](const GateSet& of, const ClassTableOptions& wanted) {
    return shared_table(of, wanted, 3);
  };
  return options;
}

/// Options of annealing by steps, with a small class table.
inline OptimizeOptions by_steps(const Cost& cost, std::uint64_t steps) {
  OptimizeOptions options = quick(cost);
  options.seconds = 60;
  options.steps = steps;
  options.search = "anneal";
  options.find_class_table = [](const GateSet& of, const ClassTableOptions& wanted) {
    return shared_table(of, wanted, 4);
  };
  return options;
}

/// Options for circuits that are small enough for backtracking to exhaust, regardless of the load
/// of the machine.
inline OptimizeOptions to_the_end(const Cost& cost) {
  OptimizeOptions options = quick(cost);
  options.seconds = 60;
  options.search = "backtrack";
  return options;
}

/// Stops the search at the first progress report of backtracking, whose course depends on time.
inline OptimizeOptions stopped_in_backtracking(OptimizeOptions options) {
  const auto source = std::make_shared<std::stop_source>();
  options.stop = source->get_token();
  options.on_progress = [source](const OptimizeProgress& progress) {
    if (progress.pass == "backtrack") source->request_stop();
  };
  return options;
}

/// Returns the result, or nothing if the search does not apply; `reasons` then has the message.
inline std::optional<OptimizeResult> optimize_if_applicable(const Circuit& circuit,
                                                            const GateSet& set,
                                                            const RuleSet& rules,
                                                            const OptimizeOptions& options,
                                                            std::set<std::string>& reasons) {
  try {
    return optimize(circuit, set, rules, options);
  } catch (const UsageError& error) {
    const std::string message = error.what();
    if (message.find("cannot be used here: ") == std::string::npos) throw;
    reasons.insert(message);
    return {};
  }
}

inline bool has_pass(const OptimizeResult& result, std::string_view name) {
  return std::any_of(result.passes.begin(), result.passes.end(),
                     [&](const OptimizePass& pass) { return pass.name == name; });
}

}  // namespace quartz::test
