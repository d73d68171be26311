#include "quartz/workflow/rule_set_source.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "workflow/cache.hpp"

namespace quartz {
namespace {

using Path = std::filesystem::path;

constexpr std::string_view kWhat = "rule set";

RuleSet read_rules(const Path& path, const GateSet& set, const GenerateOptions& options) {
  RuleSet rules = parse_rule_set(read_text_file(path, {.max_bytes = file_limit::rules}),
                                 path.string(), {}, set.custom_gates());
  require_gate_set(rules, set, path.string());
  require_usable_rules(rules, set, path.string(), options.threads);
  if (rules.gates == options.gates && rules.qubits == options.qubits) return rules;
  throw InputError({path.string()},
                   fmt::format("rules of {} on {}, expected {} on {}", counted(rules.gates, "gate"),
                               counted(rules.qubits, "qubit"), options.gates, options.qubits));
}

ObtainedRuleSet generated(const GateSet& set, const GenerateOptions& options) {
  GenerateResult result = generate(set, options);
  return {std::move(result.rules), std::move(result.report)};
}

/// Returns the rule set from the file, or generates it and writes it there.
ObtainedRuleSet cached_or_generated(const Path& path, const GateSet& set,
                                    const RuleSetOptions& options) {
  const auto read = [&](const Path& file) { return read_rules(file, set, options.generate); };
  if (auto rules = workflow::read_cached(path, kWhat, read, {}))
    return {*std::move(rules), std::nullopt};
  // Another process may be generating the rule set; the file exists once the lock is free.
  const std::optional<FileLock> lock = workflow::wait_for_cache_lock(path, options.generate.stop);
  if (auto rules = workflow::read_cached(path, kWhat, read, options.on_warning)) {
    return {*std::move(rules), std::nullopt};
  }
  ObtainedRuleSet obtained = generated(set, options.generate);
  const auto write = [&](const Path& file) {
    write_text_file(file, write_rule_set(obtained.rules));
  };
  workflow::write_cached(path, kWhat, write, options.on_warning);
  return obtained;
}

}  // namespace

ObtainedRuleSet obtain_rule_set(const GateSet& set, const RuleSetOptions& options) {
  if (!options.cache.enabled || rank_count(options.generate.ranks) > 1) {
    return generated(set, options.generate);
  }
  const std::optional<Path> path =
      cached_rule_set_path(set, options.generate.gates, options.generate.qubits, options.cache);
  if (path) return cached_or_generated(*path, set, options);
  if (options.on_warning) {
    options.on_warning(
        "rule set is not cached: neither XDG_CACHE_HOME nor HOME is an absolute path");
  }
  return generated(set, options.generate);
}

}  // namespace quartz
