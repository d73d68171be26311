#include "workflow/chosen_rules.hpp"

#include <filesystem>
#include <optional>
#include <utility>
#include <variant>

#include "quartz/workflow/rule_set_source.hpp"

namespace quartz::workflow {
namespace {

/// Sizes of the rule set that is generated if none is given or bundled.
constexpr unsigned kDefaultRuleGates = 3;
constexpr unsigned kDefaultRuleQubits = 3;

/// Throws InputError unless the search may use the caller's rules.
void require_usable(const RuleSet& rules, const GateSet& set, const SuperoptimizeOptions& options) {
  const std::string name = name_of(options.rules);
  require_gate_set(rules, set, name);
  require_usable_rules(rules, set, name, options.threads);
}

RuleSet default_rules(const GateSet& set, const SuperoptimizeOptions& options) {
  if (std::optional<RuleSet> bundled = bundled_rule_set(set)) return *std::move(bundled);
  RuleSetOptions request;
  request.generate.gates = kDefaultRuleGates;
  request.generate.qubits = kDefaultRuleQubits;
  request.generate.threads = options.threads;
  request.generate.stop = options.stop;
  if (options.on_progress) {
    request.generate.on_progress = [&options](const GenerateProgress& progress) {
      options.on_progress({.stage = SuperoptimizeStage::rules, .rules = &progress});
    };
  }
  request.cache = options.cache;
  request.on_warning = options.on_warning;
  return obtain_rule_set(set, request).rules;
}

}  // namespace

std::string name_of(const RuleChoice& rules) {
  if (std::holds_alternative<RuleSet>(rules)) return "the rule set";
  const auto* file = std::get_if<std::filesystem::path>(&rules);
  return file != nullptr ? file->string() : std::string();
}

ChosenRules::ChosenRules(const GateSet& set, const SuperoptimizeOptions& options) {
  if (const auto* rules = std::get_if<RuleSet>(&options.rules)) {
    require_usable(*rules, set, options);
    used_ = rules;
    return;
  }
  if (const auto* file = std::get_if<std::filesystem::path>(&options.rules)) {
    own_ = read_rule_set_file(*file, options.stop, set.custom_gates());
    require_usable(own_, set, options);
  } else {
    own_ = default_rules(set, options);
  }
  used_ = &own_;
}

}  // namespace quartz::workflow
