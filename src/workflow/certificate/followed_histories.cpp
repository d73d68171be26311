#include "workflow/certificate/followed_histories.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "quartz/base/parallel_for.hpp"

namespace quartz::workflow {
namespace {

/// Usual number of steps a second, which counts as if it had been observed for this many steps.
constexpr double kUsualSpeed = 6e5;
constexpr double kStepsOfUsualSpeed = 3e5;

/// A history is divided into so many parts for each thread, at most: threads are then busy to the
/// end although parts differ in length, and what is proved until the time is over counts.
constexpr std::uint64_t kPartsOfThread = 4;
/// The start of a part takes as long as this many steps for each operation.
constexpr std::uint64_t kStepsOfStart = 2;
/// Fraction of the memory limit for all parts, and the memory that one takes for each operation.
constexpr double kShareOfMemory = 0.5;
constexpr double kBytesPerOperation = 400;

}  // namespace

FollowedHistories::FollowedHistories(FirstCircuits circuits, const ReplayOptions& options,
                                     std::stop_token stop, std::function<void()> after_block)
    : circuits_(circuits), options_(options), after_block_(std::move(after_block)) {
  constexpr double no_limit = 1e9;
  options_.seconds = no_limit;
  options_.stop = std::move(stop);
}

const FollowedHistories::Followed* FollowedHistories::find(
    const circuit::HistoryPointer& history) const {
  const auto known = std::ranges::find_if(
      replays_, [&](const Followed& each) { return each.part.can_continue_to(history); });
  return known == replays_.end() ? nullptr : &*known;
}

bool FollowedHistories::follows(const circuit::HistoryPointer& history) const {
  return find(history) != nullptr;
}

bool FollowedHistories::continues_last(const circuit::HistoryPointer& history) const {
  const auto last = std::ranges::max_element(replays_, {}, &Followed::last_use);
  return last != replays_.end() && last->part.can_continue_to(history);
}

FollowedHistories::Position FollowedHistories::replay_of(const circuit::HistoryPointer& history) {
  const auto known = std::ranges::find_if(
      replays_, [&](const Followed& each) { return each.part.can_continue_to(history); });
  if (known != replays_.end()) return known;
  if (replays_.size() == kMaxReplays) {
    replays_.erase(std::ranges::min_element(replays_, {}, &Followed::last_use));
  }
  replays_.push_back({HistoryPart(circuits_, options_, after_block_)});
  return std::prev(replays_.end());
}

bool FollowedHistories::leads_to(const CertifiableCircuit& circuit,
                                 const circuit::HistoryPointer& history) const {
  return HistoryPart({circuit, circuit.form()}, circuits_, options_, after_block_)
      .can_continue_to(history);
}

FollowedHistories::Division FollowedHistories::undivided(
    const circuit::HistoryPointer& history) const {
  Division division;
  division.seconds_ = division.seconds_of_first_ = seconds_to(history);
  return division;
}

std::list<HistoryPart> FollowedHistories::parts_on_the_way(
    const circuit::HistoryPointer& history, StepRange range, std::uint64_t least,
    std::span<const CertifiableCircuit> circuits) const {
  std::list<HistoryPart> parts;
  const circuit::HistoryPointer* next = &history;
  std::uint64_t end = range.end;
  for (auto each = circuits.rbegin(); each != circuits.rend(); ++each) {
    if (each->steps + least > end || each->steps < range.begin + least) continue;
    HistoryPart part({*each, each->form()}, circuits_, options_, after_block_);
    if (!part.can_continue_to(*next)) continue;
    parts.push_front(std::move(part));
    next = parts.front().end_before().history;
    end = each->steps;
  }
  return parts;
}

FollowedHistories::Division FollowedHistories::divided(const circuit::HistoryPointer& history,
                                                       std::span<const CertifiableCircuit> circuits,
                                                       const Parts& parts) const {
  Division division = undivided(history);
  const Followed* const known = find(history);
  const StepRange range{known == nullptr ? 0 : known->part.steps(),
                        circuit::steps_of(history.get())};
  if (parts.threads < 2 || range.end <= range.begin ||
      (known != nullptr && known->part.has_failed())) {
    return division;
  }
  const std::size_t operations = circuits_.first->operations.size() + 1;
  const auto most_in_memory =
      static_cast<std::uint64_t>(kShareOfMemory * options_.memory_bytes /
                                 (kBytesPerOperation * static_cast<double>(operations)));
  const std::uint64_t most = std::min(kPartsOfThread * parts.threads, most_in_memory);
  if (most < 2) return division;
  const std::uint64_t steps = range.end - range.begin;
  std::list<HistoryPart> later = parts_on_the_way(
      history, range, std::max(parts.least_steps + kStepsOfStart * operations, steps / most),
      circuits);
  if (later.empty() ||
      (known != nullptr && !known->part.can_continue_to(*later.front().end_before().history))) {
    return division;
  }
  std::uint64_t longest = 0;
  std::uint64_t begin = range.begin;
  std::optional<double> seconds_of_first;
  for (const HistoryPart& part : later) {
    longest = std::max(longest, part.steps() - begin);
    begin = part.steps();
    if (!seconds_of_first && !part.start()->version.is_only_on_the_way) {
      seconds_of_first = seconds_of(std::max(longest, (begin - range.begin) / parts.threads));
    }
  }
  longest = std::max(longest, range.end - begin);
  division.later_ = std::move(later);
  division.threads_ = parts.threads;
  division.seconds_ = seconds_of(std::max(longest, steps / parts.threads));
  division.seconds_of_first_ = seconds_of_first.value_or(division.seconds_);
  return division;
}

std::vector<HistoryPart::Outcome> FollowedHistories::replay_parts(const HistoryPart::End& end,
                                                                  HistoryPart& first,
                                                                  Division& division) {
  // While the search goes on, the calling thread does the work: it is the one that pauses.
  if (division.later_.empty()) return {first.continue_to(end)};
  std::vector<HistoryPart*> parts{&first};
  std::vector<HistoryPart::End> ends;
  for (HistoryPart& part : division.later_) {
    parts.push_back(&part);
    ends.push_back(part.end_before());
  }
  ends.push_back(end);
  std::vector<HistoryPart::Outcome> outcomes(parts.size());
  parallel_for(division.threads_, parts.size(), 1,
               [&](unsigned, std::size_t begin, std::size_t behind) {
                 for (std::size_t i = begin; i < behind; ++i) {
                   outcomes[i] = parts[i]->continue_to(ends[i]);
                 }
               });
  return outcomes;
}

FollowedHistories::Replayed FollowedHistories::replay(const Target& target, Division division) {
  std::list<HistoryPart>& later = division.later_;
  const Position followed =
      replay_of(later.empty() ? target.history : *later.front().end_before().history);
  followed->last_use = ++uses_;
  if (followed->part.has_failed()) return {{}, followed->part.steps()};
  const CircuitOfReplay circuit(target.circuit, options_);
  const HistoryPart::End end{&*circuit, &target.history, &target.permutation,
                             circuit::steps_of(target.history.get())};
  const std::vector<HistoryPart::Outcome> outcomes = replay_parts(end, followed->part, division);
  for (const HistoryPart::Outcome& outcome : outcomes) {
    speed_.steps += outcome.steps;
    speed_.seconds += outcome.seconds;
  }
  return joined(followed, std::move(later), outcomes);
}

FollowedHistories::Replayed FollowedHistories::joined(
    Position followed, std::list<HistoryPart> later,
    const std::vector<HistoryPart::Outcome>& outcomes) {
  Replayed result;
  // What is known about the steps before each part whose start is certified, or the end.
  std::vector<std::optional<ReplayedPart>> before{followed->before};
  for (const HistoryPart::Outcome& outcome : outcomes) {
    result.interruption = outcome.interruption;
    result.report = {};
    if (result.interruption != nullptr) break;
    std::vector<ReplayedPart> sequence;
    if (before.back()) sequence.push_back(*before.back());
    sequence.push_back(outcome.part);
    ReplayReport report = in_sequence(sequence, options_.epsilon);
    result.report = as_equivalence_report(report);
    if (!report.is_certified) break;
    before.push_back(ReplayedPart{sequence.front().first, outcome.part.last, std::move(report)});
  }
  const std::size_t certified = before.size() - 1;  // number of parts
  std::vector<HistoryPart*> parts{&followed->part};
  for (HistoryPart& part : later) parts.push_back(&part);
  const std::size_t last = std::min(certified, parts.size() - 1);
  result.steps = last_steps_ = parts[last]->steps();
  const bool is_result = certified == parts.size();
  for (std::size_t i = certified; i != 0 && !is_result && !result.reached; --i) {
    if (parts[i]->start()->version.is_only_on_the_way) continue;
    result.reached = *parts[i]->start();
    result.report_of_reached = as_equivalence_report(before[i]->report);
  }
  if (result.interruption != nullptr && certified == 0) {
    replays_.erase(followed);
  } else if (const std::size_t kept = result.interruption != nullptr ? certified - 1 : last;
             kept != 0) {
    followed->part = std::move(*parts[kept]);
    followed->before = std::move(before[kept]);
  }
  return result;
}

double FollowedHistories::seconds_of(std::uint64_t steps) const {
  // A few steps say little: the first ones prove more pairs than later ones. Exchanges are not
  // taken into account: how long one takes is not known before.
  return static_cast<double>(steps) * (kStepsOfUsualSpeed / kUsualSpeed + speed_.seconds) /
         (kStepsOfUsualSpeed + speed_.steps);
}

std::uint64_t FollowedHistories::steps_in(double seconds) const {
  constexpr double most = 1e15;
  return static_cast<std::uint64_t>(std::clamp(seconds / seconds_of(1), 0.0, most));
}

double FollowedHistories::seconds_to(const circuit::HistoryPointer& history) const {
  const std::uint64_t steps = circuit::steps_of(history.get());
  for (const Followed& each : replays_) {
    if (!each.part.can_continue_to(history)) continue;
    if (each.part.has_failed()) return std::numeric_limits<double>::infinity();
    return seconds_of(steps - std::min(each.part.steps(), steps));
  }
  return seconds_of(steps);
}

}  // namespace quartz::workflow
