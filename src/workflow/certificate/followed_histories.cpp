#include "workflow/certificate/followed_histories.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/processor_time.hpp"
#include "quartz/circuit/program_assumptions.hpp"

namespace quartz::workflow {
namespace {

/// Usual number of steps a second, which counts as if it had been observed for this many steps.
constexpr double kUsualSpeed = 6e5;
constexpr double kStepsOfUsualSpeed = 3e5;

}  // namespace

FollowedHistories::FollowedHistories(FirstCircuits circuits, const ReplayOptions& options,
                                     std::stop_token stop, std::function<void()> after_block,
                                     std::shared_ptr<PreparedReplay> prepared)
    : circuits_(circuits),
      options_(without_time_limit(options, std::move(stop))),
      after_block_(std::move(after_block)),
      prepared_(std::move(prepared)) {}

bool FollowedHistories::follows(const circuit::HistoryPointer& history) const {
  return find(history) != nullptr;
}

const FollowedHistories::Followed* FollowedHistories::last() const {
  const auto last = std::ranges::max_element(replays_, {}, &Followed::last_use);
  return last == replays_.end() ? nullptr : &*last;
}

bool FollowedHistories::continues_last(const circuit::HistoryPointer& history) const {
  const Followed* const last = this->last();
  return last != nullptr && last->replay.can_continue_to(history);
}

std::uint64_t FollowedHistories::last_steps() const {
  const Followed* const last = this->last();
  return last == nullptr ? 0 : last->replay.steps();
}

FollowedHistories::Followed* FollowedHistories::find(const circuit::HistoryPointer& history) {
  const auto known = std::ranges::find_if(
      replays_, [&](const Followed& each) { return each.replay.can_continue_to(history); });
  return known == replays_.end() ? nullptr : &*known;
}

const FollowedHistories::Followed* FollowedHistories::find(
    const circuit::HistoryPointer& history) const {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the other function changes nothing.
  return const_cast<FollowedHistories*>(this)->find(history);
}

FollowedHistories::Followed& FollowedHistories::replay_of(const Target& target) {
  if (Followed* const known = find(target.history)) return *known;
  const std::size_t operations = std::max<std::size_t>(target.operations, 1);
  const std::size_t most = std::clamp<std::size_t>(kMaxOperations / operations, 1, kMaxReplays);
  while (replays_.size() >= most) {
    replays_.erase(std::ranges::min_element(replays_, {}, &Followed::last_use));
  }
  snapshots_.keep_only(target.history);
  if (const HistoryReplay* const snapshot = snapshots_.find(target.history)) {
    return replays_.emplace_back(std::make_shared<HistoryReplay>(*snapshot));
  }
  if (const auto prepared = std::exchange(prepared_, nullptr)) {
    return replays_.emplace_back(PreparedReplay::taken(prepared, after_block_));
  }
  return replays_.emplace_back(
      std::make_shared<HistoryReplay>(*circuits_.first, *circuits_.input, options_, after_block_));
}

void FollowedHistories::take_snapshots(HistoryReplay& replay, const Target& target) {
  // A translation may have ten times the operations of the first circuit.
  snapshots_.set_operations(std::max(circuits_.first->operations.size(), target.operations));
  if (circuit::steps_of(target.history.get()) < snapshots_.steps_of_next()) return;
  circuit::HistoryPointer before;
  std::uint64_t steps = 0;
  for (circuit::HistoryPointer& each : circuit::histories_in_sequence(target.history)) {
    steps += circuit::steps_of(each.get());
    before = circuit::in_sequence(std::move(before), std::move(each));
    if (steps < snapshots_.steps_of_next() || !replay.can_continue_to(before)) continue;
    replay.continue_to(before, target.threads);
    snapshots_.add(replay);
  }
}

FollowedHistories::Replayed FollowedHistories::replay(const Target& target) {
  Followed& followed = replay_of(target);
  followed.last_use = ++uses_;
  HistoryReplay& replay = followed.replay;
  if (replay.has_failed()) return {{}, replay.steps()};
  const std::uint64_t steps_before = replay.steps();
  const RunningReplay::Exchanges exchanges_before = replay.exchanges();
  const double others_before = replay.seconds_of_others();
  const double seconds_before = thread_seconds();
  try {
    take_snapshots(replay, target);
    replay.continue_to(target.history, target.threads);
    const std::shared_ptr<const Circuit> circuit = target.circuit();
    // A large circuit is not copied without need.
    std::optional<Circuit> without;
    if (options_.assumptions.any()) without = without_assumptions(*circuit, options_.assumptions);
    const ReplayReport report =
        replay.report_for(without ? *without : *circuit, target.permutation);
    // An exchange of a whole circuit takes as long as hundreds of thousands of rewrites.
    const RunningReplay::Exchanges exchanges = replay.exchanges();
    speed_.steps += static_cast<double>((replay.steps() - exchanges.steps) -
                                        (steps_before - exchanges_before.steps));
    // Threads work at the same time.
    const double seconds =
        std::max(thread_seconds() - seconds_before, replay.seconds_of_others() - others_before);
    speed_.seconds += std::max(seconds - (exchanges.seconds - exchanges_before.seconds), 0.0);
    return {as_equivalence_report(report), replay.steps()};
  } catch (...) {
    std::erase_if(replays_, [&](const Followed& each) { return &each == &followed; });
    throw;
  }
}

double FollowedHistories::seconds_of(std::uint64_t steps) const {
  // A few steps say little: the first ones prove more pairs than later ones. Exchanges are not
  // taken into account: how long one takes is not known before.
  return static_cast<double>(steps) * (kStepsOfUsualSpeed / kUsualSpeed + speed_.seconds) /
         (kStepsOfUsualSpeed + speed_.steps);
}

std::uint64_t FollowedHistories::steps_in(double seconds) const {
  constexpr double kMost = 1e15;
  return static_cast<std::uint64_t>(std::clamp(seconds / seconds_of(1), 0.0, kMost));
}

double FollowedHistories::seconds_to(const circuit::HistoryPointer& history) const {
  const std::uint64_t steps = circuit::steps_of(history.get());
  const Followed* const followed = find(history);
  const HistoryReplay* const start =
      followed != nullptr ? &followed->replay : snapshots_.find(history);
  if (start == nullptr) return seconds_of(steps);
  if (start->has_failed()) return std::numeric_limits<double>::infinity();
  return seconds_of(steps - std::min(start->steps(), steps));
}

}  // namespace quartz::workflow
