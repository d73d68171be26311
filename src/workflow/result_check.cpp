#include "workflow/result_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <new>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/certify/qubit_order.hpp"

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

[[noreturn]] void refuse(const std::string& witness, const CheckRequest& request) {
  if (!request.checkpoint_name.empty()) {
    throw InputError({request.checkpoint_name},
                     fmt::format("the search from this checkpoint ended in a circuit that is not "
                                 "equal to the input, and nothing was written: {}; the files of "
                                 "the checkpoint have been changed, or please report this",
                                 witness));
  }
  if (!request.rules_name.empty()) {
    throw InputError({request.rules_name},
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

/// Fraction of the time for the methods that compare the circuits directly, and most seconds,
/// before the history is replayed. They decide small circuits in milliseconds, and large ones
/// hardly ever.
constexpr double kFirstDirectShare = 0.2;
constexpr double kMaxFirstDirect = 1;
/// Larger circuits are compared by the replay first, which has proved most of the history by then.
/// Posing the problem takes memory of 120 bytes for each operation, beside that of the replay.
constexpr std::size_t kMaxOperationsOfFirst = 500'000;
/// They may take this fraction of the time if they have decided circuits of the search before, and
/// this many times as long as they took for these.
constexpr double kKnownDirectShare = 0.7;
constexpr double kKnownDirectFactor = 3;
/// Fractions of what is left for the replay of the history. The rest is for direct comparisons,
/// which decide few large circuits.
constexpr double kShareOfReplay = 0.7;
constexpr double kShareOfReplayOfLarge = 0.95;
/// Time that the direct methods take for each operation and each qubit before they look at the
/// clock, in seconds, and the largest fraction of the time that is left which that may take.
constexpr double kSecondsOfPosing = 3e-7;
constexpr double kPosingShare = 0.5;
constexpr double kShortPosing = 0.02;  ///< seconds that it may take in any case

constexpr const char* kOutOfMemory = "out of memory";

/// Compares a result and what can be compared in its place.
class ResultComparison {
 public:
  ResultComparison(const Circuit& input, const Circuit& result, const CheckRequest& request)
      : input_(input), result_(result), request_(request), seconds_(request.equivalence.seconds) {}

  CheckOutcome run() {
    if (request_.order) prove_order(*request_.order);
    if (const double seconds = seconds_of_first(); seconds > 0) compare_directly(result_, seconds);
    if (is_decided() || request_.certificate == nullptr) return std::move(outcome_);
    const bool compares_both_ways = may_compare_both_ways();
    if (compares_both_ways) {
      compare_both_ways();
    } else {
      replay(share_of_replay(operations(), 0) * seconds_left(), request_.equivalence.stop);
    }
    const std::optional<CertifiableCircuit>& failed = request_.certificate->first_failed();
    if (!is_decided() && !compares_both_ways) {
      compare_directly(result_, (failed ? 0.5 : 1) * seconds_left());
    }
    if (!is_decided() && failed) compare_first(*failed);
    if (!is_decided()) take_other(request_.certificate->certified());
    return std::move(outcome_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] EquivalenceReport& report() { return outcome_.check.report; }
  [[nodiscard]] bool is_decided() { return report().verdict != EquivalenceVerdict::undecided; }
  /// Adds why a comparison was undecided.
  void add_reason(const std::string& reason) {
    std::string& reasons = report().witness;
    if (reason.empty() || reasons.find(reason) != std::string::npos) return;
    reasons += (reasons.empty() ? "" : "; ") + reason;
  }
  [[nodiscard]] double seconds_left() const {
    const std::chrono::duration<double> spent = Clock::now() - start_;
    return std::max(seconds_ - spent.count(), 0.0);
  }
  /// Returns the time for direct methods before the history is replayed.
  [[nodiscard]] double seconds_of_first() const {
    if (request_.certificate == nullptr) return seconds_;
    if (is_large()) return 0;
    const double known = request_.certificate->seconds_of_comparison().value_or(0);
    const double most =
        std::max(std::min(kFirstDirectShare * seconds_, kMaxFirstDirect),
                 std::min(kKnownDirectShare * seconds_, kKnownDirectFactor * known));
    // What did not decide circuits of the search is not likely to decide the result.
    return most < request_.certificate->least_seconds_of_comparison() ? 0 : most;
  }
  /// Proves that the input replaces the original of the result.
  void prove_order(const FreeOrderOfResult& order) {
    const Fault fault = order.assumptions.any()
                            ? fault_of_order(with_assumptions(*order.original, order.assumptions),
                                             input_, order.permutation)
                            : fault_of_order(*order.original, input_, order.permutation);
    if (!fault) return;
    has_proved_order_ = false;
    report().method = "order of the qubits";
    report().witness = fault.reason();
  }
  [[nodiscard]] EquivalenceReport direct_report(const Circuit& circuit,
                                                const EquivalenceOptions& options) const {
    return workflow::compare_directly(input_, circuit, options,
                                      std::max(options.seconds, kPosingShare * seconds_left()));
  }
  void compare_directly(const Circuit& circuit, double seconds) {
    if (!has_proved_order_) return;  // the comparison would be with something else
    EquivalenceOptions options = request_.equivalence;
    options.seconds = seconds;
    EquivalenceReport direct = direct_report(circuit, options);
    const bool adds_nothing =
        direct.verdict == EquivalenceVerdict::undecided && !report().witness.empty();
    if (!adds_nothing) report() = std::move(direct);
  }

  /// Has the certificate replay the history of the result, or of circuits on the way.
  void replay(double seconds, const std::stop_token& stop) {
    const RunningCertificate::Result result{
        &result_, request_.history,
        request_.order ? request_.order->permutation : OutputPermutation()};
    RunningCertificate::Outcome outcome = request_.certificate->finish(result, seconds, stop);
    if (outcome.report) {
      report() = *std::move(outcome.report);
    } else {
      add_reason(outcome.reason);
    }
  }

  /// Returns the number of operations of both circuits.
  [[nodiscard]] std::size_t operations() const {
    return input_.operations.size() + result_.operations.size();
  }
  [[nodiscard]] bool is_large() const { return replays_alone(operations()); }
  [[nodiscard]] bool may_compare_both_ways() const {
    return request_.share_of_both_ways > 0 && has_proved_order_ && !is_large();
  }
  /// Compares the result directly on another thread while its history is replayed. What decides
  /// first ends the other one.
  void compare_both_ways() {
    const double seconds = request_.share_of_both_ways * seconds_left();
    std::stop_source decided;
    const std::stop_callback pass_on(request_.equivalence.stop, [&] { decided.request_stop(); });
    const auto compare = [&] {
      EquivalenceOptions options = request_.equivalence;
      options.memory_bytes /= 2;  // the replay has memory at the same time
      options.seconds = seconds;
      options.stop = decided.get_token();
      EquivalenceReport direct = direct_report(result_, options);
      if (direct.verdict != EquivalenceVerdict::undecided) decided.request_stop();
      return direct;
    };
    std::future<EquivalenceReport> comparison;
    try {
      comparison = std::async(std::launch::async, compare);
    } catch (const std::system_error&) {
      // There is no memory for the stack of a thread: the comparison runs behind the replay.
      comparison = std::async(std::launch::deferred, compare);
    }
    replay(seconds, decided.get_token());
    if (is_decided()) decided.request_stop();
    EquivalenceReport direct = comparison.get();
    // A difference counts, whatever the replay says.
    const bool counts = direct.verdict == EquivalenceVerdict::not_equal ||
                        (direct.verdict != EquivalenceVerdict::undecided && !is_decided());
    if (counts) {
      report() = std::move(direct);
    } else if (!is_decided()) {
      add_reason(direct.witness);
      report().shortage = direct.shortage;
    }
  }

  /// Takes another circuit in place of the result, unless there is none.
  void take_other(std::shared_ptr<const CertifiedCircuit> other) {
    if (other == nullptr) return;
    report() = other->report;
    if (other->found.circuit != result_) outcome_.other = std::move(other);
  }

  /// Compares the first circuit behind a step that is not proved. That step may be the one that
  /// folds the rotations of the whole circuit, and the direct methods decide many folded circuits.
  void compare_first(const CertifiableCircuit& first) {
    if (request_.order && first.permutation != request_.order->permutation) return;
    try {
      circuit::DerivedCircuit found = first.form();
      compare_directly(found.circuit, seconds_left());
      if (!is_decided()) return;
      outcome_.other = std::make_shared<const CertifiedCircuit>(
          CertifiedCircuit{std::move(found), first.permutation, report()});
    } catch (const std::bad_alloc&) {
      add_reason(kOutOfMemory);
    }
  }

  const Circuit& input_;
  const Circuit& result_;
  const CheckRequest& request_;
  const double seconds_;
  const Clock::time_point start_ = Clock::now();
  CheckOutcome outcome_;
  bool has_proved_order_ = true;
};

/// Describes a verdict that is not `not_equal`. Throws Unverified if a required one is undecided.
void describe(ResultCheck& check, CheckPolicy policy) {
  check.verified = check.report.verdict != EquivalenceVerdict::undecided;
  check.text = *check.verified ? text_of_verdict(check.report)
                               : fmt::format("undecided: {}", check.report.witness);
  if (!*check.verified && policy == CheckPolicy::required) {
    throw Unverified(fmt::format("the result could not be verified: {}", check.text));
  }
}

}  // namespace

bool replays_alone(std::size_t operations) { return operations > kMaxOperationsOfFirst; }

double share_of_replay(std::size_t operations, double share_of_both_ways) {
  if (replays_alone(operations)) return kShareOfReplayOfLarge;
  return share_of_both_ways > 0 ? share_of_both_ways : kShareOfReplay;
}

EquivalenceReport compare_directly(const Circuit& input, const Circuit& circuit,
                                   const EquivalenceOptions& options, double seconds_of_posing) {
  const auto size = static_cast<double>(input.operations.size() + circuit.operations.size() +
                                        circuit.qubit_count());
  EquivalenceReport report;
  try {
    if (kSecondsOfPosing * size < std::max(seconds_of_posing, kShortPosing)) {
      return check_equivalence(input, circuit, options);
    }
    report.witness = "there is no time to compare so many gates directly";
    report.shortage = Shortage::time;
  } catch (const std::bad_alloc&) {
    report.witness = kOutOfMemory;
    report.shortage = Shortage::memory;
  }
  return report;
}

CheckOutcome check_result(const Circuit& input, const Circuit& result,
                          const CheckRequest& request) {
  if (request.coupling) require_coupled(result, *request.coupling);
  if (request.policy == CheckPolicy::off) return {};
  CheckOutcome outcome = ResultComparison(input, result, request).run();
  if (outcome.check.report.verdict == EquivalenceVerdict::not_equal) {
    refuse(outcome.check.report.witness, request);
  }
  describe(outcome.check, request.policy);
  return outcome;
}

std::string text_of_verdict(const EquivalenceReport& report) {
  return fmt::format("{} ({})", to_string(report.verdict), report.method);
}

CheckOutcome unchecked_for_memory(const Circuit& result, const CheckRequest& request) {
  if (request.coupling) require_coupled(result, *request.coupling);
  if (request.policy == CheckPolicy::off) return {};
  CheckOutcome outcome;
  outcome.check.report.witness = kOutOfMemory;
  outcome.check.report.shortage = Shortage::memory;
  describe(outcome.check, request.policy);
  return outcome;
}

}  // namespace quartz::workflow
