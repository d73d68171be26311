#include "workflow/result_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <sstream>
#include <utility>

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
/// Estimated time of the direct methods for an operation of either circuit, in seconds, if few
/// rewrites lead from one circuit to the other, and the fraction of the time that they may take.
constexpr double kSecondsOfOperation = 5e-6;
constexpr double kFoldedShare = 0.6;
/// Time that the direct methods take for each operation and each qubit before they look at the
/// clock, in seconds, and the largest fraction of the time that is left which that may take.
constexpr double kSecondsOfPosing = 3e-7;
constexpr double kPosingShare = 0.5;
constexpr double kShortPosing = 0.02;  ///< seconds that it may take in any case

/// A circuit on the way is certified first if the estimate for the result is above this fraction of
/// the time, and the fraction of the time that this may take.
constexpr double kAmpleShare = 0.25;
constexpr double kFirstShare = 0.6;

constexpr const char* kOutOfMemory = "out of memory";
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// Compares a result and what can be compared in its place.
class ResultComparison {
 public:
  ResultComparison(const Circuit& input, const Circuit& result, const CheckRequest& request)
      : input_(input),
        result_(result),
        request_(request),
        seconds_(request.equivalence.seconds),
        proved_steps_(request.max_steps),
        is_hardly_longer_(is_hardly_longer(request)) {}

  CheckOutcome run() {
    if (request_.order) prove_order(*request_.order);
    compare_directly(result_, seconds_for_direct_methods());
    if (!is_decided() && !has_ample_time()) certify_first();
    if (!is_decided()) compare_by_journal();
    if (!is_decided() && has_time_to_replay() && !first_) {
      compare_directly(result_, kLastDirectShare * seconds_left());
    }
    if (!is_decided()) compare_fallback();
    return !is_decided() && first_ ? *std::move(first_) : std::move(outcome_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Steps that a replay has proved, and the time that they took.
  struct Replayed {
    std::uint64_t steps = 0;
    double seconds = 0;
  };

  [[nodiscard]] EquivalenceReport& report() { return outcome_.check.report; }
  [[nodiscard]] bool is_decided() { return report().verdict != EquivalenceVerdict::undecided; }
  /// Adds why a comparison was undecided.
  void add_reason(const std::string& reason) {
    std::string& reasons = report().witness;
    if (reasons.find(reason) != std::string::npos) return;
    reasons += (reasons.empty() ? "" : "; ") + reason;
  }
  [[nodiscard]] double seconds_left() const {
    const std::chrono::duration<double> spent = Clock::now() - start_;
    return std::max(seconds_ - spent.count(), 0.0);
  }
  [[nodiscard]] bool has_fallback() const { return request_.fallback != nullptr; }
  /// Returns whether the journal of the result can be replayed in time.
  [[nodiscard]] bool has_time_to_replay() const {
    if (request_.journal == nullptr || request_.rewrites > request_.max_steps) return false;
    return request_.replay_seconds < kMaxReplayShare * seconds_ || is_hardly_longer_;
  }

  [[nodiscard]] bool has_ample_time() const {
    return !has_fallback() || request_.replay_seconds < kAmpleShare * seconds_ || is_hardly_longer_;
  }

  /// Returns whether the journal of the result hardly takes longer than the shortest one that leads
  /// to a circuit on the way, which is not worth its time in this case.
  [[nodiscard]] static bool is_hardly_longer(const CheckRequest& request) {
    if (request.fallback == nullptr) return false;
    const std::optional<FallbackCircuit> shortest = request.fallback(0, kNoLimit);
    return shortest && request.replay_seconds < kHardlyLonger * shortest->replay_seconds;
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
  [[nodiscard]] bool has_time_to_pose(const Circuit& circuit, double seconds) const {
    const auto size = static_cast<double>(input_.operations.size() + circuit.operations.size() +
                                          circuit.qubit_count());
    return kSecondsOfPosing * size <
           std::max({seconds, kPosingShare * seconds_left(), kShortPosing});
  }
  void compare_directly(const Circuit& circuit, double seconds) {
    if (!has_proved_order_) return;  // the comparison would be with something else
    EquivalenceOptions options = request_.equivalence;
    options.seconds = seconds;
    EquivalenceReport direct;
    try {
      if (has_time_to_pose(circuit, seconds)) {
        direct = check_equivalence(input_, circuit, options);
      } else {
        direct.witness = "there is no time to compare so many gates directly";
      }
    } catch (const std::bad_alloc&) {
      direct.witness = kOutOfMemory;
    }
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

  /// Certifies one of the first circuits on the way, so that there is one whatever the time of the
  /// others turns out to be.
  void certify_first() {
    const std::optional<FallbackCircuit> first = request_.fallback(0, proved_steps_);
    if (!first || seconds_left() == 0) return;
    const std::string witness = report().witness;
    std::optional<circuit::DerivedCircuit> found = formed(*first);
    if (!found) return;
    const Replayed replayed = replay(
        found->circuit, [&] { return first->journal(*found); }, kFirstShare * seconds_left());
    note_speed(replayed, first->replay_seconds, first->circuit.steps);
    proved_steps_ = is_decided() ? proved_steps_ : std::min(proved_steps_, replayed.steps);
    accept(*std::move(found));
    if (!outcome_.fallback) return;
    first_ = std::exchange(outcome_, CheckOutcome());
    first_steps_ = first->circuit.steps;
    report().witness = witness;
  }

  /// Compares the time of a replay with its estimate.
  void note_speed(const Replayed& replayed, double estimate, std::uint64_t steps) {
    const double share =
        steps == 0 ? 1 : static_cast<double>(replayed.steps) / static_cast<double>(steps);
    if (share * estimate > 0) {
      slowness_ = std::max(replayed.seconds / (share * estimate), 1.0);
    }
  }

  void compare_by_journal() {
    if (!has_time_to_replay() && (has_fallback() || !request_.journal)) return;
    if (first_ && slowness_ * request_.replay_seconds > seconds_left()) return;
    const double limit = first_ ? seconds_left() : seconds_left() - seconds_for_fallback();
    const Replayed replayed = replay(result_, request_.journal, limit);
    note_speed(replayed, request_.replay_seconds, request_.rewrites);
    proved_steps_ = std::min(proved_steps_, replayed.steps);
  }

  /// Compares circuits on the way to the result, whose histories are shorter. After a replay that
  /// failed, the next circuit has a history with no more steps than it proved.
  void compare_fallback() {
    for (int attempt = 0; has_fallback() && attempt < kMaxFallbacks && !is_decided(); ++attempt) {
      compare_behind_fault();
      if (is_decided() || seconds_left() == 0) return;
      const std::optional<FallbackCircuit> fallback =
          request_.fallback(seconds_left() / (kFallbackReserve * slowness_), proved_steps_);
      if (!fallback || (first_ && fallback->circuit.steps <= first_steps_)) return;
      std::optional<circuit::DerivedCircuit> found = formed(*fallback);
      if (!found) return;
      const double share = attempt + 1 == kMaxFallbacks ? 1 : kFallbackShare;
      const Replayed replayed = replay(
          found->circuit, [&] { return fallback->journal(*found); }, share * seconds_left());
      proved_steps_ = std::min(proved_steps_, replayed.steps);
      accept(*std::move(found));
    }
  }

  /// Compares the first circuits on the way directly if a step that leads to them is not proved:
  /// replays then only certify what is before this step. The step may be that which folds the
  /// rotations of the whole circuit, and the direct methods decide many folded circuits.
  void compare_behind_fault() {
    if (first_) return;
    const std::optional<FallbackCircuit> first = request_.fallback(0, kNoLimit);
    if (!first || first->circuit.steps <= proved_steps_) return;
    const double seconds = kFoldedShare * seconds_left();
    const auto operations =
        static_cast<double>(input_.operations.size() + first->circuit.operations);
    const bool is_new = !std::exchange(has_compared_behind_fault_, true);
    if (!is_new || kSecondsOfOperation * operations > seconds) return;
    std::optional<circuit::DerivedCircuit> found = formed(*first);
    if (!found) return;
    compare_directly(found->circuit, seconds);
    accept(*std::move(found));
  }

  /// Returns a circuit on the way, or nothing if there is no memory for it.
  [[nodiscard]] std::optional<circuit::DerivedCircuit> formed(const FallbackCircuit& fallback) {
    try {
      return fallback.circuit.form();
    } catch (const std::bad_alloc&) {
      add_reason(kOutOfMemory);
      return std::nullopt;
    }
  }

  /// Takes a circuit in place of the result if the comparison has just certified it.
  void accept(circuit::DerivedCircuit found) {
    if (is_decided() && found.circuit != result_) outcome_.fallback = std::move(found);
  }

  /// Compares a circuit with the input by a journal.
  Replayed replay(const Circuit& circuit, const std::function<std::string()>& journal,
                  double seconds) {
    ReplayOptions options;
    options.seconds = seconds;
    options.max_steps = request_.max_steps;
    options.memory_bytes = request_.equivalence.memory_bytes;
    options.stop = request_.equivalence.stop;
    options.seed = request_.equivalence.seed;
    options.epsilon = request_.equivalence.epsilon;
    const Clock::time_point start = Clock::now();
    try {
      std::istringstream stream(journal());
      const ReplayReport replay = replay_from_start(circuit, stream, std::move(options));
      EquivalenceReport replayed = as_equivalence_report(replay);
      if (replayed.verdict == EquivalenceVerdict::undecided) {
        add_reason(replayed.witness);
      } else {
        report() = std::move(replayed);
      }
      const std::chrono::duration<double> spent = Clock::now() - start;
      return {replay.steps, replay.is_certified ? spent.count() : replay.seconds};
    } catch (const UsageError& error) {
      add_reason(error.what());
      return {};
    } catch (const std::bad_alloc&) {
      add_reason(kOutOfMemory);
      return {};
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
  /// The least number of steps that a replay proved before it ended.
  std::uint64_t proved_steps_;
  bool is_hardly_longer_;
  bool has_compared_behind_fault_ = false;
  std::optional<CheckOutcome> first_;  ///< that of certify_first()
  std::uint64_t first_steps_ = 0;      ///< rewrites that lead to its circuit
};

}  // namespace

namespace {

/// Describes a verdict that is not `not_equal`. Throws Unverified if a required one is undecided.
void describe(ResultCheck& check, CheckPolicy policy) {
  check.verified = check.report.verdict != EquivalenceVerdict::undecided;
  check.text = *check.verified
                   ? fmt::format("{} ({})", to_string(check.report.verdict), check.report.method)
                   : fmt::format("undecided: {}", check.report.witness);
  if (!*check.verified && policy == CheckPolicy::required) {
    throw Unverified(fmt::format("the result could not be verified: {}", check.text));
  }
}

}  // namespace

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

CheckOutcome unchecked_for_memory(const Circuit& result, const CheckRequest& request) {
  if (request.coupling) require_coupled(result, *request.coupling);
  if (request.policy == CheckPolicy::off) return {};
  CheckOutcome outcome;
  outcome.check.report.witness = kOutOfMemory;
  describe(outcome.check, request.policy);
  return outcome;
}

}  // namespace quartz::workflow
