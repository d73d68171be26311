#include "cli/rule_cache.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <ostream>
#include <string_view>

#include "cli/generate_progress.hpp"
#include "quartz/errors.hpp"
#include "quartz/files.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz::cli {
namespace {

using Path = std::filesystem::path;

/// An absolute path from the environment; the XDG specification says to ignore others.
std::optional<Path> absolute_path_from(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || !Path(value).is_absolute()) return std::nullopt;
  return Path(value);
}

std::optional<Path> cache_folder() {
  if (const auto cache = absolute_path_from("XDG_CACHE_HOME")) return *cache / "quartz";
  if (const auto home = absolute_path_from("HOME")) return *home / ".cache" / "quartz";
  return std::nullopt;
}

/// Letters, digits and dashes, so that a gate set's name cannot lead out of the folder.
std::string file_name_part(std::string_view text) {
  std::string part;
  for (const char c : text) {
    part += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  }
  return part;
}

/// What the cache holds; nothing, and a warning, if that is no good.
std::optional<RuleSet> read_cache(const Path& path, const GateSet& set,
                                  const GenerateOptions& options, const CommandContext& context) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    RuleSet rules = parse_rule_set(read_text_file(path), path.string());
    require_gate_set(rules, set, path.string());
    if (rules.gates == options.gates && rules.qubits == options.qubits) return rules;
    throw InputError({path.string()},
                     fmt::format("rules of {} gates on {} qubits, expected {} on {}", rules.gates,
                                 rules.qubits, options.gates, options.qubits));
  } catch (const Error& error) {
    context.err << fmt::format("warning: cached rule set is made anew: {}\n", error.what());
    return std::nullopt;
  }
}

void write_cache(const Path& path, const RuleSet& rules, const CommandContext& context) {
  try {
    std::filesystem::create_directories(path.parent_path());
    write_text_file(path, write_rule_set(rules));
  } catch (const std::exception& error) {
    context.err << fmt::format("warning: rule set is not cached: {}\n", error.what());
  }
}

}  // namespace

std::optional<Path> cached_rule_set_path(const GateSet& set, unsigned gates, unsigned qubits) {
  const std::optional<Path> folder = cache_folder();
  if (!folder) return std::nullopt;
  return *folder / fmt::format("{}-{}-n{}-q{}-v{}.json", file_name_part(set.name),
                               file_name_part(set.digest), gates, qubits, rule_set_version);
}

RuleSet cached_rule_set(const GateSet& set, const GenerateOptions& options,
                        const CommandContext& context) {
  const std::optional<Path> path = cached_rule_set_path(set, options.gates, options.qubits);
  if (path) {
    if (std::optional<RuleSet> rules = read_cache(*path, set, options, context)) return *rules;
  } else {
    context.err << "warning: rule set is not cached: neither XDG_CACHE_HOME nor HOME is an "
                   "absolute path\n";
  }
  RuleSet rules = generate_with_progress(set, options, context).rules;
  if (path) write_cache(*path, rules, context);
  return rules;
}

}  // namespace quartz::cli
