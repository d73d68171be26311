#include "workflow/chosen_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <variant>

#include "base/either_stop.hpp"
#include "base/periodic_call.hpp"
#include "quartz/base/errors.hpp"
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

/// Fraction of the time left that the generation of rules may take, and the seconds that it may
/// take in any case: small gate sets need no more.
constexpr double kShareOfGeneration = 0.75;
constexpr double kMinSecondsOfGeneration = 0.4;

/// A request to stop that comes from the caller or when some time is over.
class StopInTime {
 public:
  StopInTime(std::stop_token stop, double seconds) : either_(std::move(stop), over_.get_token()) {
    constexpr double kMostSeconds = 1e6;
    if (!(seconds < kMostSeconds)) return;
    const std::chrono::milliseconds period(static_cast<std::int64_t>(1000 * seconds));
    timer_ = std::make_unique<PeriodicCall>(period, [this] { over_.request_stop(); });
  }
  [[nodiscard]] std::stop_token token() const { return either_.token(); }

 private:
  std::stop_source over_;
  EitherStop either_;
  std::unique_ptr<PeriodicCall> timer_;
};

RuleSet generated_rules(const GateSet& set, const SuperoptimizeOptions& options,
                        std::stop_token stop) {
  RuleSetOptions request;
  request.generate.gates = kDefaultRuleGates;
  request.generate.qubits = kDefaultRuleQubits;
  request.generate.threads = options.threads;
  request.generate.stop = std::move(stop);
  if (options.on_progress) {
    request.generate.on_progress = [&options](const GenerateProgress& progress) {
      options.on_progress({.stage = SuperoptimizeStage::rules, .rules = &progress});
    };
  }
  request.cache = options.cache;
  request.on_warning = options.on_warning;
  return obtain_rule_set(set, request).rules;
}

/// Returns the rules that come with the set, or generated ones; none if there is no time for these.
RuleSet default_rules(const GateSet& set, const SuperoptimizeOptions& options,
                      double seconds_left) {
  if (std::optional<RuleSet> bundled = bundled_rule_set(set)) return *std::move(bundled);
  const StopInTime stop(options.stop,
                        std::max(kShareOfGeneration * seconds_left, kMinSecondsOfGeneration));
  try {
    return generated_rules(set, options, stop.token());
  } catch (const Stopped&) {
    if (options.stop.stop_requested()) throw;
  }
  if (options.on_warning) {
    options.on_warning(
        fmt::format("there was no time to generate rules for the gate set '{}', and the search has "
                    "none: quartz-gen generates them in advance",
                    set.name));
  }
  RuleSet none;
  none.gate_set = set.name;
  none.gate_set_digest = set.digest;
  return none;
}

}  // namespace

std::string name_of(const RuleChoice& rules) {
  if (std::holds_alternative<RuleSet>(rules)) return "the rule set";
  const auto* file = std::get_if<std::filesystem::path>(&rules);
  return file != nullptr ? file->string() : std::string();
}

ChosenRules::ChosenRules(const GateSet& set, const SuperoptimizeOptions& options,
                         double seconds_left) {
  if (const auto* rules = std::get_if<RuleSet>(&options.rules)) {
    require_usable(*rules, set, options);
    used_ = rules;
    return;
  }
  if (const auto* file = std::get_if<std::filesystem::path>(&options.rules)) {
    own_ = read_rule_set_file(*file, options.stop, set.custom_gates());
    require_usable(own_, set, options);
  } else {
    own_ = default_rules(set, options, seconds_left);
  }
  used_ = &own_;
}

}  // namespace quartz::workflow
