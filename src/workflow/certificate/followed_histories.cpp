#include "workflow/certificate/followed_histories.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/processor_time.hpp"
#include "quartz/circuit/program_assumptions.hpp"

namespace quartz::workflow {
namespace {

/// Usual number of steps a second, which counts as if it had been observed for this many steps.
constexpr double kUsualSpeed = 6e5;
constexpr double kStepsOfUsualSpeed = 3e5;

}  // namespace

FollowedHistories::FollowedHistories(FirstCircuits circuits, const ReplayOptions& options,
                                     std::stop_token stop, std::function<void()> after_block)
    : circuits_(circuits), options_(options), after_block_(std::move(after_block)) {
  constexpr double kNoLimit = 1e9;
  options_.seconds = kNoLimit;
  options_.stop = std::move(stop);
}

bool FollowedHistories::follows(const circuit::HistoryPointer& history) const {
  return std::ranges::any_of(
      replays_, [&](const Followed& each) { return each.replay.can_continue_to(history); });
}

bool FollowedHistories::continues_last(const circuit::HistoryPointer& history) const {
  const auto last = std::ranges::max_element(replays_, {}, &Followed::last_use);
  return last != replays_.end() && last->replay.can_continue_to(history);
}

FollowedHistories::Followed& FollowedHistories::replay_of(const Target& target) {
  const auto known = std::ranges::find_if(
      replays_, [&](const Followed& each) { return each.replay.can_continue_to(target.history); });
  if (known != replays_.end()) return *known;
  const std::size_t operations = std::max<std::size_t>(target.circuit.operations.size(), 1);
  const std::size_t most = std::clamp<std::size_t>(kMaxOperations / operations, 1, kMaxReplays);
  while (replays_.size() >= most) {
    replays_.erase(std::ranges::min_element(replays_, {}, &Followed::last_use));
  }
  return replays_.emplace_back(circuits_, options_, after_block_);
}

FollowedHistories::Replayed FollowedHistories::replay(const Target& target) {
  Followed& followed = replay_of(target);
  followed.last_use = ++uses_;
  HistoryReplay& replay = followed.replay;
  if (replay.has_failed()) return {{}, replay.steps()};
  const std::uint64_t steps_before = replay.steps();
  const RunningReplay::Exchanges exchanges_before = replay.exchanges();
  const double seconds_before = thread_seconds();
  try {
    // A large circuit is not copied without need.
    std::optional<Circuit> without;
    if (options_.assumptions.any()) {
      without = without_assumptions(target.circuit, options_.assumptions);
    }
    const ReplayReport report = replay.continued_to(
        target.history, without ? *without : target.circuit, target.permutation);
    // An exchange of a whole circuit takes as long as hundreds of thousands of rewrites.
    const RunningReplay::Exchanges exchanges = replay.exchanges();
    speed_.steps += static_cast<double>((replay.steps() - exchanges.steps) -
                                        (steps_before - exchanges_before.steps));
    speed_.seconds +=
        (thread_seconds() - exchanges.seconds) - (seconds_before - exchanges_before.seconds);
    last_steps_ = replay.steps();
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
  for (const Followed& each : replays_) {
    if (!each.replay.can_continue_to(history)) continue;
    if (each.replay.has_failed()) return std::numeric_limits<double>::infinity();
    return seconds_of(steps - std::min(each.replay.steps(), steps));
  }
  return seconds_of(steps);
}

}  // namespace quartz::workflow
