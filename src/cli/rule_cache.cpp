#include "cli/rule_cache.hpp"

#include <fmt/format.h>

#include <string_view>

#include "cli/cache.hpp"
#include "cli/generate_progress.hpp"
#include "quartz/errors.hpp"
#include "quartz/files.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz::cli {
namespace {

using Path = std::filesystem::path;

RuleSet read_rules(const Path& path, const GateSet& set, const GenerateOptions& options) {
  RuleSet rules =
      parse_rule_set(read_text_file(path, {.most_bytes = file_limit::rules}), path.string());
  require_gate_set(rules, set, path.string());
  require_usable_rules(rules, set, path.string(), options.threads);
  if (rules.gates == options.gates && rules.qubits == options.qubits) return rules;
  throw InputError({path.string()},
                   fmt::format("rules of {} gates on {} qubits, expected {} on {}", rules.gates,
                               rules.qubits, options.gates, options.qubits));
}

}  // namespace

std::optional<Path> cached_rule_set_path(const GateSet& set, unsigned gates, unsigned qubits) {
  return cached_file_path(set, fmt::format("n{}-q{}-v{}.json", gates, qubits, rule_set_version));
}

RuleSet cached_rule_set(const GateSet& set, const GenerateOptions& options,
                        const CommandContext& context) {
  const std::optional<Path> path = cached_rule_set_path(set, options.gates, options.qubits);
  if (!path) {
    context.err << "warning: rule set is not cached: neither XDG_CACHE_HOME nor HOME is an "
                   "absolute path\n";
    return generate_with_progress(set, options, context).rules;
  }
  constexpr std::string_view what = "rule set";
  const auto read = [&](const Path& file) { return read_rules(file, set, options); };
  if (auto rules = read_cached(*path, what, read, nullptr)) return *rules;
  // Another process may be making it: then it is there once the lock is had.
  const std::optional<FileLock> lock = wait_for_cache_lock(*path, context.stop);
  if (auto rules = read_cached(*path, what, read, &context.err)) return *rules;
  RuleSet rules = generate_with_progress(set, options, context).rules;
  const auto write = [&](const Path& file) { write_text_file(file, write_rule_set(rules)); };
  write_cached(*path, what, write, context.err);
  return rules;
}

}  // namespace quartz::cli
