#include "workflow/result_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"

namespace quartz::workflow {
namespace {

void require_coupled(const Circuit& result, const CouplingMap& coupling) {
  const std::optional<UncoupledGate> gate = uncoupled_gate(result, coupling);
  if (!gate) return;
  throw InternalError(
      fmt::format("the result has a gate between qubits {} and {}, which are not coupled, and "
                  "was not written; please report this with the input file and the options",
                  gate->first, gate->second));
}

[[noreturn]] void refuse(const std::string& witness, const std::string& rules_name) {
  if (!rules_name.empty()) {
    throw InputError({rules_name},
                     fmt::format("the search with these rules ended in a circuit that is not "
                                 "equal to the input, and nothing was written: {}; do not trust "
                                 "this rule set unless quartz-gen prove proves all of it, and "
                                 "please report this if it does",
                                 witness));
  }
  throw InternalError(
      fmt::format("the result is not equal to the input and was not written: {}; please report "
                  "this with the input file and the options",
                  witness));
}

/// Fractions of the time for the methods that compare the circuits directly, at least and at most:
/// they get what is left beside twice the estimated time of the replay, and all of the time if the
/// replay cannot be completed in it.
constexpr double kMinDirectShare = 0.15;
constexpr double kMaxDirectShare = 0.6;

/// Compares the circuits directly and, if that does not decide, by their journal.
EquivalenceReport compare(const Circuit& input, const Circuit& result,
                          const CheckRequest& request) {
  EquivalenceOptions options = request.equivalence;
  const auto start = std::chrono::steady_clock::now();
  if (request.journal && request.replay_seconds < (1 - kMinDirectShare) * options.seconds) {
    options.seconds =
        std::clamp(options.seconds - 2 * request.replay_seconds, kMinDirectShare * options.seconds,
                   kMaxDirectShare * options.seconds);
  }
  EquivalenceReport report = check_equivalence(input, result, options);
  if (report.verdict != EquivalenceVerdict::undecided || !request.journal) return report;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  ReplayOptions replay;
  replay.seconds = std::max(request.equivalence.seconds - spent.count(), 0.0);
  replay.memory_bytes = request.equivalence.memory_bytes;
  replay.stop = request.equivalence.stop;
  try {
    std::istringstream journal(request.journal());
    EquivalenceReport replayed =
        as_equivalence_report(replay_journal(input, result, journal, "the journal", replay));
    if (replayed.verdict != EquivalenceVerdict::undecided) return replayed;
    report.witness += "; " + replayed.witness;
  } catch (const UsageError& error) {
    report.witness += std::string("; ") + error.what();
  }
  return report;
}

}  // namespace

ResultCheck check_result(const Circuit& input, const Circuit& result, const CheckRequest& request) {
  if (request.coupling) require_coupled(result, *request.coupling);
  ResultCheck check;
  if (request.policy == CheckPolicy::off) return check;
  check.report = compare(input, result, request);
  if (check.report.verdict == EquivalenceVerdict::not_equal) {
    refuse(check.report.witness, request.rules_name);
  }
  check.verified = check.report.verdict != EquivalenceVerdict::undecided;
  check.text = *check.verified
                   ? fmt::format("{} ({})", to_string(check.report.verdict), check.report.method)
                   : fmt::format("undecided: {}", check.report.witness);
  if (!*check.verified && request.policy == CheckPolicy::required) {
    throw Unverified(fmt::format("the result could not be verified: {}", check.text));
  }
  return check;
}

}  // namespace quartz::workflow
