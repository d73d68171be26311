#include "workflow/result_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <sstream>

#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"
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

/// Fractions of the time for the methods that compare the circuits directly, before the replay and
/// after one that failed. They decide small circuits in milliseconds, and large ones hardly ever.
constexpr double kFirstDirectShare = 0.05;
constexpr double kLastDirectShare = 0.35;
/// The result is replayed if the estimate is below this fraction of the time.
constexpr double kMaxReplayShare = 0.7;
/// Fractions of what the direct methods left, at least and at most, that the replay of the result
/// leaves for that of another circuit, and how many times the estimate for the shortest one.
constexpr double kMinReserve = 0.15;
constexpr double kMaxReserve = 0.4;
constexpr double kReserveOfEstimate = 10;
/// Fraction of the time for the replay of another circuit if the result is not replayed, how much
/// longer than estimated it may take, and how many circuits are tried.
constexpr double kFallbackShare = 0.6;
constexpr double kFallbackReserve = 1.3;
constexpr int kMaxFallbacks = 3;

/// Compares a result and what can be compared in its place.
class ResultComparison {
 public:
  ResultComparison(const Circuit& input, const Circuit& result, const CheckRequest& request)
      : input_(input), result_(result), request_(request), seconds_(request.equivalence.seconds) {}

  CheckOutcome run() {
    if (request_.order) prove_order(*request_.order);
    compare_directly(seconds_for_direct_methods());
    if (!is_decided()) compare_by_journal();
    if (!is_decided() && has_time_to_replay()) {
      compare_directly(kLastDirectShare * seconds_left());
    }
    if (!is_decided()) compare_fallback();
    return std::move(outcome_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] EquivalenceReport& report() { return outcome_.check.report; }
  [[nodiscard]] bool is_decided() { return report().verdict != EquivalenceVerdict::undecided; }
  [[nodiscard]] double seconds_left() const {
    const std::chrono::duration<double> spent = Clock::now() - start_;
    return std::max(seconds_ - spent.count(), 0.0);
  }
  [[nodiscard]] bool has_fallback() const { return request_.fallback != nullptr; }
  /// Returns whether the journal of the result can be replayed in time.
  [[nodiscard]] bool has_time_to_replay() const {
    return request_.journal != nullptr && request_.replay_seconds < kMaxReplayShare * seconds_;
  }

  /// Returns the time for the direct methods before a replay.
  [[nodiscard]] double seconds_for_direct_methods() {
    if (has_time_to_replay()) return kFirstDirectShare * seconds_;
    const bool has_shorter =
        has_fallback() &&
        request_.fallback(kFallbackShare * seconds_ / kFallbackReserve, proved_steps_);
    return has_shorter ? (1 - kFallbackShare) * seconds_ : seconds_;
  }
  /// Proves that the input replaces the original of the result.
  void prove_order(const FreeOrderOfResult& order) {
    const std::optional<std::string> fault =
        order.edges.any()
            ? fault_of_order(with_edges(*order.original, order.edges), input_, order.permutation)
            : fault_of_order(*order.original, input_, order.permutation);
    if (!fault) return;
    has_proved_order_ = false;
    report().method = "order of the qubits";
    report().witness = *fault;
  }
  void compare_directly(double seconds) {
    if (!has_proved_order_) return;  // the comparison would be with something else
    EquivalenceOptions options = request_.equivalence;
    options.seconds = seconds;
    EquivalenceReport direct = check_equivalence(input_, result_, options);
    const bool adds_nothing =
        direct.verdict == EquivalenceVerdict::undecided && !report().witness.empty();
    if (!adds_nothing) report() = std::move(direct);
  }

  /// Returns the time that the replay of the result leaves for that of another circuit.
  [[nodiscard]] double seconds_for_fallback() const {
    const std::optional<FallbackCircuit> shortest =
        has_fallback() ? request_.fallback(0, proved_steps_) : std::nullopt;
    if (!shortest) return 0;
    return std::clamp(kReserveOfEstimate * shortest->replay_seconds, kMinReserve * seconds_left(),
                      kMaxReserve * seconds_left());
  }

  void compare_by_journal() {
    if (!has_time_to_replay() && (has_fallback() || !request_.journal)) return;
    const double limit = seconds_left() - seconds_for_fallback();
    const Clock::time_point start = Clock::now();
    proved_steps_ = replay(result_, request_.journal(), limit);
    if (proved_steps_ == 0) return;
    const std::chrono::duration<double> spent = Clock::now() - start;
    const double estimate = request_.replay_seconds * static_cast<double>(proved_steps_) /
                            static_cast<double>(std::max<std::uint64_t>(request_.rewrites, 1));
    slowness_ = std::max(spent.count() / std::max(estimate, 1e-9), 1.0);
  }

  /// Returns a circuit on the way to the result whose replay should fit the time that is left. The
  /// machine may be slower than estimated, or a single step may have taken all the time: then a
  /// circuit before this step is the one to try.
  [[nodiscard]] std::optional<FallbackCircuit> next_fallback() const {
    const double seconds = seconds_left() / kFallbackReserve;
    std::optional<FallbackCircuit> found = request_.fallback(seconds / slowness_, proved_steps_);
    return found ? std::move(found) : request_.fallback(seconds, proved_steps_);
  }

  /// Compares circuits on the way to the result, whose histories are shorter. After a replay that
  /// failed, the next circuit has a history with no more steps than it proved.
  void compare_fallback() {
    for (int attempt = 0; has_fallback() && attempt < kMaxFallbacks && !is_decided(); ++attempt) {
      if (seconds_left() == 0) return;
      std::optional<FallbackCircuit> fallback = next_fallback();
      if (!fallback) return;
      const double share = attempt + 1 == kMaxFallbacks ? 1 : kFallbackShare;
      const std::uint64_t steps =
          replay(fallback->found.circuit, fallback->journal(), share * seconds_left());
      if (is_decided() && fallback->found.circuit != result_) {
        outcome_.fallback = std::move(fallback->found);
      }
      proved_steps_ = std::min(proved_steps_, steps);
    }
  }

  /// Compares a circuit with the input by a journal. Returns the number of steps that were proved.
  std::uint64_t replay(const Circuit& circuit, const std::string& journal, double seconds) {
    ReplayOptions options;
    options.seconds = seconds;
    options.memory_bytes = request_.equivalence.memory_bytes;
    options.stop = request_.equivalence.stop;
    options.seed = request_.equivalence.seed;
    options.epsilon = request_.equivalence.epsilon;
    try {
      std::istringstream stream(journal);
      const ReplayReport replay = replay_from_start(circuit, stream, std::move(options));
      EquivalenceReport replayed = as_equivalence_report(replay);
      if (replayed.verdict == EquivalenceVerdict::undecided) {
        report().witness += "; " + replayed.witness;
      } else {
        report() = std::move(replayed);
      }
      return replay.steps;
    } catch (const UsageError& error) {
      report().witness += std::string("; ") + error.what();
      return 0;
    }
  }

  /// Replays a journal from the input, or from the original of a free order.
  [[nodiscard]] ReplayReport replay_from_start(const Circuit& circuit, std::istream& journal,
                                               ReplayOptions options) const {
    if (!request_.order) return replay_journal(input_, circuit, journal, "the journal", options);
    const FreeOrderOfResult& order = *request_.order;
    options.permutation = order.permutation;
    options.swaps = order.swaps;
    options.edges = order.edges;
    return replay_journal(*order.original,
                          order.edges.any() ? without_edges(circuit, order.edges) : circuit,
                          journal, "the journal", options);
  }

  const Circuit& input_;
  const Circuit& result_;
  const CheckRequest& request_;
  const double seconds_;
  const Clock::time_point start_ = Clock::now();
  CheckOutcome outcome_;
  bool has_proved_order_ = true;
  double slowness_ = 1;  ///< time of a replay on this machine, compared with the estimate
  /// Number of steps that the last replay proved before it ended.
  std::uint64_t proved_steps_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace

CheckOutcome check_result(const Circuit& input, const Circuit& result,
                          const CheckRequest& request) {
  if (request.coupling) require_coupled(result, *request.coupling);
  if (request.policy == CheckPolicy::off) return {};
  CheckOutcome outcome = ResultComparison(input, result, request).run();
  ResultCheck& check = outcome.check;
  if (check.report.verdict == EquivalenceVerdict::not_equal) {
    refuse(check.report.witness, request);
  }
  check.verified = check.report.verdict != EquivalenceVerdict::undecided;
  check.text = *check.verified
                   ? fmt::format("{} ({})", to_string(check.report.verdict), check.report.method)
                   : fmt::format("undecided: {}", check.report.witness);
  if (!*check.verified && request.policy == CheckPolicy::required) {
    throw Unverified(fmt::format("the result could not be verified: {}", check.text));
  }
  return outcome;
}

}  // namespace quartz::workflow
