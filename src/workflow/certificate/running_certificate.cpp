#include "workflow/certificate/running_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include "base/freed_memory.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "workflow/certificate/encoded_circuit.hpp"

namespace quartz::workflow {
namespace {

/// Replays of this many steps are followed by a report about the circuit, if there is one on the
/// way. To form a circuit and to report about it takes about as long as one step for each gate.
constexpr std::uint64_t kStepsOfStretch = 200'000;
constexpr std::uint64_t kStepsPerOperation = 4;
/// Fraction of the processor time of the certificate so far that a direct comparison may take.
constexpr double kComparisonShare = 0.5;
/// A direct comparison that did not decide is tried again when it may take this many times as long:
/// all of them together take half as much again as the last one.
constexpr double kComparisonGrowth = 3;
/// A direct comparison is tried if it is expected to take less time than a replay, or this many
/// seconds.
constexpr double kShortComparison = 0.01;
/// A history that continues no other one is replayed during the search if that takes this fraction
/// of the time that the search has taken, at most: it would not catch up otherwise.
constexpr double kMaxCatchingUp = 1;
/// The best certified circuit is near the best one with this many times its operations.
constexpr double kMaxRatioOfNear = 1.005;
/// One history is followed if to replay another one takes this fraction of the time that finish()
/// will have.
constexpr double kFollowedShare = 0.1;
/// Fractions of the time that is left at the end which the replay to the result and to a circuit on
/// the way may take by the estimate. A history that continues no other one is replayed only once,
/// so that it gets as much as the result.
constexpr double kResultShare = 0.8;
constexpr double kShareOnTheWay = 0.5;
/// The last part of the search, in which the thread does not rest if it is late. On two cores that
/// both search, it takes a third of their time then.
constexpr double kPartToCatchUp = 0.1;

/// Longest time for which the thread waits without a look at the clock, in seconds.
constexpr double kLongestRest = 0.1;

constexpr double kNever = std::numeric_limits<double>::infinity();

constexpr const char* kNoTime = "there was no time to replay the journal";
constexpr const char* kNoMemory = "out of memory";

std::chrono::steady_clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

bool is_certified(const EquivalenceReport& report) {
  return report.verdict != EquivalenceVerdict::undecided &&
         report.verdict != EquivalenceVerdict::not_equal;
}

}  // namespace

RunningCertificate::RunningCertificate(CertificateOptions options,
                                       std::shared_ptr<PreparedReplay> prepared)
    : options_(std::move(options)),
      stop_(prepared ? prepared->stop() : std::stop_source()),
      histories_(
          options_.circuits, options_.replay, stop_.get_token(), [this] { pause(1); },
          std::move(prepared)),
      comparison_{.decides = options_.share != 0 && options_.compare != nullptr} {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // There is no memory for the stack of the thread: finish() does the work.
  }
}

RunningCertificate::~RunningCertificate() {
  stop_.request_stop();
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RunningCertificate::consider(CertifiableCircuit version) {
  {
    const std::lock_guard lock(mutex_);
    if (version.steps > options_.replay.max_steps) return;
    if (!operations_) {
      operations_ = {version.operations, version.operations, version.operations};
    }
    operations_->least = std::min(operations_->least, version.operations);
    steps_of_search_ = version.steps;
    waiting_.add(std::move(version));
  }
  changed_.notify_all();
}

std::shared_ptr<const CertifiedCircuit> RunningCertificate::certified() const {
  CertifiableCircuit version;
  EquivalenceReport report;
  {
    const std::lock_guard lock(mutex_);
    if (!certified_) return nullptr;
    version = certified_->version;
    report = certified_->report;
  }
  return std::make_shared<const CertifiedCircuit>(
      CertifiedCircuit{version.form(), version.permutation, std::move(report)});
}

std::optional<double> RunningCertificate::seconds_of_comparison() const {
  const std::lock_guard lock(mutex_);
  return comparison_.longest;
}

double RunningCertificate::least_seconds_of_comparison() const {
  const std::lock_guard lock(mutex_);
  return comparison_.least_seconds;
}

bool RunningCertificate::follows_one_history() const {
  const std::lock_guard lock(mutex_);
  return options_.share != 0 && !comparison_.decides &&
         static_cast<double>(steps_of_search_) * seconds_of_step_ >
             kFollowedShare * options_.seconds_at_end;
}

double RunningCertificate::seconds_left() const {
  const std::chrono::duration<double> left = end_->deadline - Clock::now();
  return std::max(left.count(), 0.0);
}

double RunningCertificate::seconds_of_process() const { return process_seconds() - process_start_; }

void RunningCertificate::add_reason(const std::string& reason) {
  std::string& reasons = outcome_.reason;
  if (reason.empty() || reasons.find(reason) != std::string::npos) return;
  reasons += (reasons.empty() ? "" : "; ") + reason;
}

double RunningCertificate::current_share() const {
  if (!operations_) return options_.share;
  const auto [first, least, certified, has_certified_gain] = *operations_;
  const auto gain_to = [first](std::size_t operations) {
    return first - std::min(first, operations);
  };
  if (!has_certified_gain || 2 * gain_to(certified) < gain_to(least)) {
    return std::max(options_.share, options_.share_before_gain);
  }
  const bool is_behind =
      static_cast<double>(certified) > kMaxRatioOfNear * static_cast<double>(least);
  return is_behind ? std::max(options_.share, options_.share_behind) : options_.share;
}

bool RunningCertificate::is_late() const {
  if (comparison_.decides || std::isinf(options_.seconds_of_search)) return false;
  const std::chrono::duration<double> passed = Clock::now() - start_;
  const double left = std::max(options_.seconds_of_search - passed.count(), 0.0);
  if (left > kPartToCatchUp * options_.seconds_of_search) return false;
  // The search goes on at the same speed. Circuits that are better are rare at its end, and each of
  // them has many more steps than the one before.
  const double at_end = static_cast<double>(steps_of_search_) * options_.seconds_of_search /
                        (options_.seconds_of_search - left);
  const double steps = std::max(at_end - static_cast<double>(histories_.last_steps()), 0.0);
  return steps * histories_.seconds_of(1) > kResultShare * options_.seconds_at_end;
}

RunningCertificate::Allowance RunningCertificate::allowance() {
  const double share = current_share();
  const double process = seconds_of_process();
  const double thread = thread_seconds();
  if (share != account_.share) account_ = {share, process, thread};
  return {share, share * (process - account_.process_seconds), thread - account_.thread_seconds,
          share * process};
}

void RunningCertificate::pause(double part) {
  std::unique_lock lock(mutex_);
  if (stop_.stop_requested()) throw Interrupted();
  if (end_) {
    if (Clock::now() >= end_->deadline) throw Interrupted();
    return;
  }
  // The time that the process needs for the rest depends on its other threads.
  for (;;) {
    const Allowance allowed = allowance();
    const double excess = allowed.used - part * allowed.seconds;
    if (excess <= 0 || is_late() || end_ || stop_.stop_requested()) break;
    (void)changed_.wait_for(lock, stop_.get_token(),
                            duration_of(std::min(excess / (part * allowed.share), kLongestRest)),
                            [this] { return end_.has_value(); });
  }
  if (stop_.stop_requested()) throw Interrupted();
}

std::optional<CertifiableCircuit> RunningCertificate::wait_for_next() {
  std::unique_lock lock(mutex_);
  const auto first = start_ + duration_of(options_.first_seconds);
  const std::stop_token stop = stop_.get_token();
  const auto has_ended = [this] { return end_.has_value(); };
  if (options_.share == 0) {
    (void)changed_.wait(lock, stop, has_ended);
  } else {
    (void)changed_.wait_until(lock, stop, first, has_ended);
  }
  while (!end_ && !stop.stop_requested()) {
    if (std::optional<CertifiableCircuit> next = next_in_reach()) return next;
    // A circuit that is set aside comes into reach when the time for it has passed.
    (void)changed_.wait_for(lock, stop, duration_of(kLongestRest),
                            [&] { return has_ended() || waiting_.first(); });
  }
  return std::nullopt;
}

std::optional<CertifiableCircuit> RunningCertificate::next_in_reach() {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  if (comparison_.decides) return waiting_.best_within({kAny, kAny});
  const std::uint64_t stretch = std::max<std::uint64_t>(
      kStepsOfStretch, kStepsPerOperation * (operations_ ? operations_->first : 0));
  std::optional<CertifiableCircuit> next = waiting_.best_within(
      {histories_.last_steps() + stretch, histories_.steps_in(seconds_for_catching_up())});
  return next ? next : waiting_.first();
}

void RunningCertificate::run() {
  try {
    while (const std::optional<CertifiableCircuit> next = wait_for_next()) {
      certify(*next);
      release_freed_memory(next->operations);
      pause(1);
    }
    if (!stop_.stop_requested()) run_to_end();
  } catch (const Interrupted&) {
    const std::lock_guard lock(mutex_);
    add_reason(kNoTime);
  } catch (const std::bad_alloc&) {
    histories_.clear();
    const std::lock_guard lock(mutex_);
    add_reason(kNoMemory);
  } catch (const std::exception& error) {
    // A mistake here must not end the process: the result is compared in other ways.
    const std::lock_guard lock(mutex_);
    add_reason(error.what());
  } catch (...) {
    const std::lock_guard lock(mutex_);
    add_reason("an unknown error");
  }
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  changed_.notify_all();
}

double RunningCertificate::seconds_for_catching_up() {
  const Allowance allowed = allowance();
  return std::max(kMaxCatchingUp * allowed.seconds_of_search, allowed.seconds - allowed.used);
}

bool RunningCertificate::may_replay(const circuit::HistoryPointer& history) {
  if (histories_.is_empty() || histories_.continues_last(history)) return true;
  const double seconds = histories_.seconds_to(history);
  const std::lock_guard lock(mutex_);
  return end_ || seconds <= seconds_for_catching_up();
}

void RunningCertificate::accept(const CertifiableCircuit& version, EquivalenceReport report) {
  const std::lock_guard lock(mutex_);
  certified_ = Certified{version, std::move(report)};
  operations_->certified = version.operations;
  operations_->has_certified_gain = version.number > 1;
  waiting_.remove_up_to(version.number);
}

std::optional<double> RunningCertificate::seconds_for_comparison(double seconds_of_replay) {
  if (options_.share == 0 || options_.compare == nullptr) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const double seconds = kComparisonShare * allowance().seconds_of_search;
  if (seconds < comparison_.least_seconds) return std::nullopt;
  const double expected =
      comparison_.decides ? comparison_.longest.value_or(0) : comparison_.least_seconds;
  if (expected > std::max(kShortComparison, seconds_of_replay)) return std::nullopt;
  return seconds;
}

bool RunningCertificate::compares(const circuit::DerivedCircuit& found,
                                  const CertifiableCircuit& version, double seconds_of_replay) {
  const std::optional<double> seconds = seconds_for_comparison(seconds_of_replay);
  if (!seconds) return false;
  const double before = thread_seconds();
  EquivalenceReport report = options_.compare(found.circuit, *seconds, stop_.get_token());
  const double taken = thread_seconds() - before;
  const bool decides = is_certified(report);
  {
    const std::lock_guard lock(mutex_);
    comparison_.decides = decides;
    comparison_.least_seconds = decides ? 0 : kComparisonGrowth * std::max(*seconds, taken);
    if (decides) comparison_.longest = std::max(comparison_.longest.value_or(0), taken);
  }
  if (!decides) return false;
  accept(version, std::move(report));
  pause(kComparisonShare);
  return true;
}

void RunningCertificate::certify(const CertifiableCircuit& version) {
  std::optional<circuit::DerivedCircuit> found = version.form();
  const circuit::HistoryPointer history = found->derivation.history();
  const bool may_replay = this->may_replay(history);
  const double seconds_of_replay = may_replay ? histories_.seconds_to(history) : kNever;
  if (compares(*found, version, seconds_of_replay)) return;
  if (!may_replay) {
    const std::lock_guard lock(mutex_);
    waiting_.set_aside(version.number);
    return;
  }
  if (version.operations >= kMinEncodedOperations) found.reset();
  FollowedHistories::Replayed now =
      histories_.replay({version.operations, history, version.permutation,
                         [&] {
                           return std::make_shared<const Circuit>(
                               std::move((found ? *found : found.emplace(version.form())).circuit));
                         },
                         threads_now()});
  {
    const std::lock_guard lock(mutex_);
    seconds_of_step_ = histories_.seconds_of(1);
  }
  if (is_certified(now.report)) {
    accept(version, std::move(now.report));
    return;
  }
  note_failure(version.number, now);
}

void RunningCertificate::note_failure(std::uint64_t number,
                                      const FollowedHistories::Replayed& replayed) {
  const std::lock_guard lock(mutex_);
  add_reason(replayed.report.witness);
  if (!first_failed_) first_failed_ = waiting_.first_beyond(replayed.steps);
  waiting_.remove_beyond(number, replayed.steps);
}

std::optional<CertifiableCircuit> RunningCertificate::next_on_the_way() const {
  const std::lock_guard lock(mutex_);
  const double seconds = seconds_left();
  return waiting_.best_within(
      {histories_.last_steps() + histories_.steps_in(kShareOnTheWay * seconds),
       histories_.steps_in(kResultShare * seconds)});
}

ReplayThreads RunningCertificate::threads_now() const {
  const std::lock_guard lock(mutex_);
  return end_ ? options_.threads_at_end : ReplayThreads::one;
}

bool RunningCertificate::certifies_result() {
  const Result& result = end_->result;
  FollowedHistories::Replayed now = histories_.replay(
      {result.circuit->operations.size(), result.history, result.permutation,
       [&] {  // which outlives the replay
         return std::shared_ptr<const Circuit>(std::shared_ptr<const void>(), result.circuit);
       },
       threads_now()});
  if (is_certified(now.report)) {
    const std::lock_guard lock(mutex_);
    outcome_.report = std::move(now.report);
    return true;
  }
  note_failure(0, now);
  return false;
}

void RunningCertificate::run_to_end() {
  const std::uint64_t steps = circuit::steps_of(end_->result.history.get());
  bool may_replay = steps <= options_.replay.max_steps;
  if (!may_replay) {
    const std::lock_guard lock(mutex_);
    add_reason(
        fmt::format("the limit of {} is reached", counted(options_.replay.max_steps, "step")));
  }
  for (;;) {
    if (may_replay &&
        histories_.seconds_to(end_->result.history) <= kResultShare * seconds_left()) {
      if (certifies_result()) return;
      may_replay = false;
    }
    const std::optional<CertifiableCircuit> next = next_on_the_way();
    if (!next) return;
    pause(1);
    certify(*next);
  }
}

RunningCertificate::Outcome RunningCertificate::finish(const Result& result, double seconds,
                                                       std::stop_token stop) {
  const std::stop_callback pass_on(std::move(stop), [this] { stop_.request_stop(); });
  {
    const std::lock_guard lock(mutex_);
    end_ = End{result, Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(seconds))};
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    std::unique_lock lock(mutex_);
    (void)changed_.wait_until(lock, end_->deadline, [this] { return is_done_; });
    lock.unlock();
    // A step whose proof takes long ends early.
    stop_.request_stop();
    thread_.join();
  } else {
    run();
  }
  if (!outcome_.report && outcome_.reason.empty()) add_reason(kNoTime);
  histories_.clear();  // there may be no memory besides for a certified circuit
  return outcome_;
}

}  // namespace quartz::workflow
