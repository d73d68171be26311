#include "workflow/certificate/running_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::workflow {
namespace {

/// Replays of this many steps are followed by a report about the circuit, if there is one on the
/// way. To form a circuit and to report about it takes about as long as one step for each gate.
constexpr std::uint64_t kStepsOfStretch = 200'000;
constexpr std::uint64_t kStepsPerOperation = 4;
/// Fraction of the processor time of the certificate so far that a direct comparison may take.
constexpr double kComparisonShare = 0.25;
/// A direct comparison that did not decide is tried again when it may take this many times as long:
/// all of them together take half as much again as the last one.
constexpr double kComparisonGrowth = 3;
/// A direct comparison is tried if it is expected to take less time than a replay, or this many
/// seconds.
constexpr double kShortComparison = 0.01;
/// A history that continues no other one is replayed during the search if that takes this fraction
/// of the time that the search has taken, at most: it would not catch up otherwise.
constexpr double kMaxCatchingUp = 0.5;
/// Fractions of the time that is left at the end which the replay to the result and to a circuit on
/// the way may take by the estimate.
constexpr double kResultShare = 0.8;
constexpr double kShareOnTheWay = 0.5;

/// Longest time for which the thread waits without a look at the clock, in seconds.
constexpr double kLongestRest = 0.1;

constexpr double kNever = std::numeric_limits<double>::infinity();

constexpr const char* kNoTime = "there was no time to replay the journal";
constexpr const char* kNoMemory = "out of memory";

std::chrono::steady_clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

std::uint64_t steps_of_stretch(const Circuit& first) {
  return std::max<std::uint64_t>(kStepsOfStretch, kStepsPerOperation * first.operations.size());
}

bool is_certified(const EquivalenceReport& report) {
  return report.verdict != EquivalenceVerdict::undecided &&
         report.verdict != EquivalenceVerdict::not_equal;
}

}  // namespace

RunningCertificate::RunningCertificate(CertificateOptions options)
    : options_(std::move(options)),
      histories_(options_.circuits, options_.replay, stop_.get_token(),
                 [this] { pause(options_.share); }),
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

void RunningCertificate::add_to_thread(const CertifiableCircuit& version) {
  if (options_.threads < 2) return;
  const auto known = found_.try_emplace(version.thread, options_.steps_of_part / 2).first;
  known->second.add(version, CertifiableCircuits::kMaxOperations / found_.size());
}

std::uint64_t RunningCertificate::consider(CertifiableCircuit version) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = version.number = version.rank = ++last_number_;
    if (version.steps > options_.replay.max_steps) return number;
    version.thread = last_thread_ = std::this_thread::get_id();
    add_to_thread(version);
    waiting_.add(std::move(version));
  }
  changed_.notify_all();
  return number;
}

void RunningCertificate::consider_on_the_way(CertifiableCircuit version) {
  {
    const std::lock_guard lock(mutex_);
    if (version.steps > options_.replay.max_steps) return;
    version.number = 0;
    version.is_only_on_the_way = version.rank == 0;
    version.thread = std::this_thread::get_id();
    add_to_thread(version);
  }
  changed_.notify_all();
}

std::shared_ptr<const CertifiedCircuit> RunningCertificate::certified() const {
  const std::lock_guard lock(mutex_);
  return certified_;
}

std::optional<double> RunningCertificate::seconds_of_comparison() const {
  const std::lock_guard lock(mutex_);
  return comparison_.longest;
}

double RunningCertificate::least_seconds_of_comparison() const {
  const std::lock_guard lock(mutex_);
  return comparison_.least_seconds;
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

void RunningCertificate::pause(double share) {
  std::unique_lock lock(mutex_);
  if (stop_.stop_requested()) throw Interrupted();
  if (end_) {
    if (Clock::now() >= end_->deadline) throw Interrupted();
    return;
  }
  // The time that the process needs for the rest depends on its other threads.
  for (;;) {
    const double excess = thread_seconds() - share * seconds_of_process();
    if (excess <= 0 || end_ || stop_.stop_requested()) break;
    (void)changed_.wait_for(lock, stop_.get_token(),
                            duration_of(std::min(excess / share, kLongestRest)),
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

std::optional<CertifiableCircuit> RunningCertificate::next_in_reach() const {
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  if (comparison_.decides) return waiting_.best_within({any, any});
  const std::uint64_t stretch = steps_of_stretch(*options_.circuits.first);
  // A thread that is followed may have found nothing better than others for some time.
  if (const auto known = followed_ ? found_.find(*followed_) : found_.end();
      known != found_.end()) {
    std::optional<CertifiableCircuit> next = known->second.next(histories_.last_steps(), stretch);
    if (next) return next;
  }
  std::optional<CertifiableCircuit> next = waiting_.best_within(
      {histories_.last_steps() + stretch, histories_.steps_in(seconds_for_catching_up())});
  return next ? next : waiting_.first();
}

std::uint64_t RunningCertificate::steps_to_better(const CircuitsOfThread& circuits) const {
  const auto better = std::ranges::find_if(circuits.all(), [&](const CertifiableCircuit& each) {
    return each.steps > histories_.last_steps() && each.rank > certified_rank_;
  });
  return better == circuits.all().end() ? std::numeric_limits<std::uint64_t>::max() : better->steps;
}

std::optional<RunningCertificate::Planned> RunningCertificate::next_of_nearer_thread() const {
  std::optional<CertifiableCircuit> next;
  {
    const std::lock_guard lock(mutex_);
    const auto followed = followed_ ? found_.find(*followed_) : found_.end();
    if (followed == found_.end()) return std::nullopt;
    std::uint64_t least = steps_to_better(followed->second);
    for (const auto& [thread, circuits] : found_) {
      const std::uint64_t steps = steps_to_better(circuits);
      if (steps >= least) continue;
      least = steps;
      next = circuits.next(histories_.last_steps(), steps_of_stretch(*options_.circuits.first));
    }
  }
  if (!next) return std::nullopt;
  Planned planned = this->planned(*std::move(next));
  if (!histories_.follows(planned.formed.found.derivation.history())) return std::nullopt;
  return planned;
}

void RunningCertificate::run() {
  try {
    while (const std::optional<CertifiableCircuit> next = wait_for_next()) {
      std::optional<Planned> nearer = next_of_nearer_thread();
      certify(nearer ? *std::move(nearer) : planned(*next));
      pause(options_.share);
    }
    if (!stop_.stop_requested()) run_to_end();
  } catch (const Interrupted&) {
    const std::lock_guard lock(mutex_);
    add_reason(kNoTime);
  } catch (const std::bad_alloc&) {
    histories_.clear();
    const std::lock_guard lock(mutex_);
    add_reason(kNoMemory);
  } catch (const Error& error) {
    const std::lock_guard lock(mutex_);
    add_reason(error.what());
  }
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  changed_.notify_all();
}

double RunningCertificate::unused_seconds() const {
  return options_.share * seconds_of_process() - thread_seconds();
}

double RunningCertificate::seconds_for_catching_up() const {
  return std::max(kMaxCatchingUp * options_.share * seconds_of_process(), unused_seconds());
}

bool RunningCertificate::may_replay(const circuit::HistoryPointer& history) const {
  if (histories_.is_empty() || histories_.continues_last(history)) return true;
  {
    const std::lock_guard lock(mutex_);
    if (end_) return true;
  }
  // The threads of a search find circuits that are about as good. If there is no time to follow all
  // of them, following one gets further than following each for a part of the time.
  return histories_.seconds_to(history) <=
         (histories_.follows(history) ? unused_seconds() : seconds_for_catching_up());
}

void RunningCertificate::accept(circuit::DerivedCircuit found, const CertifiableCircuit& version,
                                EquivalenceReport report) {
  auto certified = std::make_shared<const CertifiedCircuit>(
      CertifiedCircuit{std::move(found), version.permutation, std::move(report)});
  const std::lock_guard lock(mutex_);
  waiting_.remove_up_to(version.rank);
  if (certified_ != nullptr && version.rank < certified_rank_) return;
  certified_ = std::move(certified);
  certified_rank_ = version.rank;
}

std::optional<double> RunningCertificate::seconds_for_comparison(double seconds_of_replay) const {
  if (options_.share == 0 || options_.compare == nullptr) return std::nullopt;
  const double seconds = kComparisonShare * options_.share * seconds_of_process();
  const std::lock_guard lock(mutex_);
  if (seconds < comparison_.least_seconds) return std::nullopt;
  const double expected =
      comparison_.decides ? comparison_.longest.value_or(0) : comparison_.least_seconds;
  if (expected > std::max(kShortComparison, seconds_of_replay)) return std::nullopt;
  return seconds;
}

bool RunningCertificate::compares(circuit::DerivedCircuit& found, const CertifiableCircuit& version,
                                  double seconds_of_replay) {
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
  accept(std::move(found), version, std::move(report));
  pause(kComparisonShare * options_.share);
  return true;
}

FollowedHistories::Division RunningCertificate::division_of(const circuit::HistoryPointer& history,
                                                            std::thread::id thread) const {
  std::vector<CertifiableCircuit> circuits;
  {
    const std::lock_guard lock(mutex_);
    if (!end_) return histories_.undivided(history);
    circuits = circuits_before(thread);
  }
  try {
    return histories_.divided(history, circuits, {options_.threads, options_.steps_of_part});
  } catch (const std::bad_alloc&) {
    return histories_.undivided(history);
  }
}

std::vector<CertifiableCircuit> RunningCertificate::circuits_before(std::thread::id thread) const {
  std::vector<CertifiableCircuit> circuits;
  if (const auto own = found_.find(thread); own != found_.end()) circuits = own->second.all();
  const std::uint64_t first =
      circuits.empty() ? std::numeric_limits<std::uint64_t>::max() : circuits.front().steps;
  for (const auto& [other, found] : found_) {
    if (other == thread) continue;
    std::ranges::copy_if(found.all(), std::back_inserter(circuits),
                         [&](const CertifiableCircuit& each) { return each.steps < first; });
  }
  std::ranges::sort(circuits, {}, &CertifiableCircuit::steps);
  return circuits;
}

void RunningCertificate::follow_another(const circuit::HistoryPointer& history) {
  std::vector<CertifiableCircuit> middles;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [thread, found] : found_) {
      const std::vector<CertifiableCircuit>& all = found.all();
      if (thread != *followed_ && !all.empty()) middles.push_back(all[all.size() / 2]);
    }
  }
  for (const CertifiableCircuit& each : middles) {
    if (!histories_.leads_to(each, history)) continue;
    histories_.clear();
    followed_ = each.thread;
    return;
  }
}

RunningCertificate::Planned RunningCertificate::planned(CertifiableCircuit version) const {
  circuit::DerivedCircuit found = version.form();
  FollowedHistories::Division division = division_of(found.derivation.history(), version.thread);
  return {{std::move(version), std::move(found)}, std::move(division)};
}

void RunningCertificate::certify(Planned version) {
  const CertifiableCircuit& unformed = version.formed.version;
  circuit::DerivedCircuit& found = version.formed.found;
  const circuit::HistoryPointer& history = found.derivation.history();
  const bool may_replay = this->may_replay(history);
  if (may_replay || followed_ == unformed.thread) {
    const std::lock_guard lock(mutex_);
    const auto known = found_.find(unformed.thread);
    if (!end_ && known != found_.end()) known->second.remove_up_to(unformed.steps);
  }
  const double seconds_of_replay = may_replay ? version.division.seconds() : kNever;
  const bool is_only_on_the_way = unformed.is_only_on_the_way;
  if (!is_only_on_the_way && compares(found, unformed, seconds_of_replay)) return;
  if (!may_replay) {
    if (followed_ == unformed.thread) follow_another(history);
    const std::lock_guard lock(mutex_);
    waiting_.set_aside(unformed.number);
    return;
  }
  followed_ = unformed.thread;
  FollowedHistories::Replayed now = histories_.replay(
      {found.circuit, history, unformed.permutation}, std::move(version.division));
  if (is_certified(now.report)) {
    if (!is_only_on_the_way) accept(std::move(found), unformed, std::move(now.report));
    return;
  }
  accept_reached(now);
  note_failure(unformed.number, unformed.thread, now);
}

void RunningCertificate::accept_reached(FollowedHistories::Replayed& replayed) {
  if (replayed.reached) {
    accept(std::move(replayed.reached->found), replayed.reached->version,
           std::move(replayed.report_of_reached));
  }
  if (replayed.interruption != nullptr) std::rethrow_exception(replayed.interruption);
}

void RunningCertificate::note_failure(std::uint64_t number, std::thread::id thread,
                                      const FollowedHistories::Replayed& replayed) {
  const std::lock_guard lock(mutex_);
  add_reason(replayed.report.witness);
  if (!first_failed_) first_failed_ = waiting_.first_beyond(replayed.steps);
  waiting_.remove_beyond(number, replayed.steps);
  if (const auto known = found_.find(thread); known != found_.end()) {
    known->second.remove_beyond(replayed.steps);
  }
}

bool RunningCertificate::is_worth(const FollowedHistories::Division& division,
                                  const circuit::HistoryPointer& history) const {
  const double most = kResultShare * seconds_left();
  if (division.seconds() <= most) return true;
  return division.size() > 1 && division.seconds_of_first() <= most && histories_.follows(history);
}

std::optional<RunningCertificate::Planned> RunningCertificate::best_followed() const {
  std::vector<CertifiableCircuit> circuits;
  {
    // To form a circuit takes time, also one that is too far away.
    const std::uint64_t reached =
        options_.threads * histories_.steps_in(kResultShare * seconds_left());
    const std::lock_guard lock(mutex_);
    const auto known = followed_ ? found_.find(*followed_) : found_.end();
    if (known != found_.end()) circuits = known->second.all();
    std::erase_if(circuits, [&](const CertifiableCircuit& each) {
      return each.steps <= histories_.last_steps() || each.rank <= certified_rank_ ||
             each.steps - histories_.last_steps() > reached;
    });
  }
  for (auto version = circuits.rbegin(); version != circuits.rend(); ++version) {
    circuit::DerivedCircuit found = version->form();
    const circuit::HistoryPointer& history = found.derivation.history();
    if (!histories_.follows(history)) continue;
    FollowedHistories::Division division = division_of(history, version->thread);
    if (!is_worth(division, history)) continue;
    return Planned{{std::move(*version), std::move(found)}, std::move(division)};
  }
  return std::nullopt;
}

std::optional<RunningCertificate::Planned> RunningCertificate::next_on_the_way() const {
  if (options_.threads > 1) {
    if (std::optional<Planned> next = best_followed()) return next;
  }
  std::optional<CertifiableCircuit> next;
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t reached = histories_.steps_in(kShareOnTheWay * seconds_left());
    next = waiting_.best_within({histories_.last_steps() + reached, reached});
  }
  if (!next) return std::nullopt;
  return planned(*std::move(next));
}

bool RunningCertificate::certifies_result(FollowedHistories::Division division) {
  const Result& result = end_->result;
  FollowedHistories::Replayed now =
      histories_.replay({*result.circuit, result.history, result.permutation}, std::move(division));
  if (is_certified(now.report)) {
    const std::lock_guard lock(mutex_);
    outcome_.report = std::move(now.report);
    return true;
  }
  accept_reached(now);
  note_failure(0, last_thread_, now);
  return false;
}

void RunningCertificate::run_to_end() {
  const std::uint64_t steps = circuit::steps_of(end_->result.history.get());
  bool may_replay = steps <= options_.replay.max_steps;
  if (!may_replay) {
    const std::lock_guard lock(mutex_);
    add_reason(fmt::format("the limit of {} steps is reached", options_.replay.max_steps));
  }
  for (;;) {
    if (may_replay) {
      FollowedHistories::Division division = division_of(end_->result.history, last_thread_);
      if (is_worth(division, end_->result.history)) {
        if (certifies_result(std::move(division))) return;
        may_replay = false;
      }
    }
    std::optional<Planned> next = next_on_the_way();
    if (!next) return;
    pause(options_.share);
    certify(*std::move(next));
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
  return outcome_;
}

}  // namespace quartz::workflow
