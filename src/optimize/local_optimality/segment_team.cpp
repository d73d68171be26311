#include "optimize/local_optimality/segment_team.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "optimize/annealing/proved_pairs.hpp"
#include "optimize/local_optimality/segment_job.hpp"
#include "optimize/local_optimality/segment_messages.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::optimizer {
namespace {

/// Most segments of a batch. A message takes microseconds for each, and their search milliseconds.
constexpr std::size_t kMostOfBatch = 8;
/// What is left of a round suffices for this number of batches for each thread, so that those with
/// slow segments get fewer of them.
constexpr std::size_t kBatchesOfThread = 4;
/// Time between two looks at the clock while others search the last segments.
constexpr std::chrono::milliseconds kBetweenLooks{20};
/// Once no segment may be begun any more, processes finish those that they have begun.
constexpr std::chrono::milliseconds kLongestWait{500};

std::optional<double> seconds_left(const Budget& budget) {
  if (!budget.has_deadline()) return std::nullopt;
  return budget.seconds_left();
}

}  // namespace

SegmentTeam::SegmentTeam(const ClassTable& table, const AnnealingLabels& labels,
                         std::span<const rewrite::PlainGate> gates, std::uint32_t wires,
                         unsigned threads, const SegmentSearchOptions& options,
                         SearchWorkers* workers)
    : labels_(labels), workers_(workers) {
  for (unsigned i = 0; i < std::max(threads, 1U); ++i) {
    searches_.push_back(std::make_unique<SegmentSearch>(table, labels, wires, options));
  }
  if (workers_ == nullptr) return;
  std::string job = SegmentJob::of(table, labels, gates, wires, options).message();
  if (!workers_->begin(std::move(job), *this)) workers_ = nullptr;
}

SegmentTeam::~SegmentTeam() {
  if (workers_ != nullptr) workers_->end();
}

SegmentTeam::Found SegmentTeam::search(const Round& round) {
  {
    const std::lock_guard lock(mutex_);
    round_ = &round;
    found_.assign(round.size, std::nullopt);
    next_ = 0;
    done_ = 0;
  }
  // The end of a round, also by an exception: its functions are not called afterwards.
  struct End {
    SegmentTeam& team;
    ~End() {
      const std::lock_guard lock(team.mutex_);
      team.round_ = nullptr;
      team.returned_.clear();
      team.batches_.clear();
    }
  };
  const End end{*this};
  on_threads(searches_.size(), [&](std::size_t i) { search_on_thread(*searches_[i]); });
  std::unique_lock lock(mutex_);
  wait_for_answers(lock);
  // Answers that come later are ignored.
  batches_.clear();
  return std::move(found_);
}

void SegmentTeam::wait_for_answers(std::unique_lock<std::mutex>& lock) {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (!batches_.empty() && !round_->budget.spent() && std::chrono::steady_clock::now() < end) {
    changed_.wait_for(lock, kBetweenLooks);
  }
}

void SegmentTeam::search_on_thread(SegmentSearch& search) {
  std::unique_lock lock(mutex_);
  const Round& round = *round_;
  while (done_ < round.size && !round.to_begin.spent()) {
    const std::optional<std::size_t> next = next_segment();
    if (!next) {
      // Segments of a process that dies come back.
      if (batches_.empty()) return;
      changed_.wait_for(lock, kBetweenLooks);
      continue;
    }
    lock.unlock();
    SegmentSearch::Descent descent =
        search.search(round.step, round.gates_of(*next), round.seed_of(*next), round.budget);
    lock.lock();
    found_[*next] = std::move(descent);
    ++done_;
  }
  changed_.notify_all();
}

std::optional<std::size_t> SegmentTeam::next_segment() {
  if (!returned_.empty()) {
    const std::size_t segment = returned_.back();
    returned_.pop_back();
    return segment;
  }
  if (next_ == round_->size) return std::nullopt;
  return next_++;
}

std::size_t SegmentTeam::size_of_batch() const {
  const std::size_t left = returned_.size() + round_->size - next_;
  return std::clamp<std::size_t>(left / (kBatchesOfThread * all_threads()), 1, kMostOfBatch);
}

std::optional<SearchTask> SegmentTeam::begin_next() {
  const std::lock_guard lock(mutex_);
  if (round_ == nullptr || round_->to_begin.spent()) return std::nullopt;
  Batch batch;
  SegmentBatch message{round_->step, seconds_left(round_->to_begin), seconds_left(round_->budget)};
  for (std::size_t size = size_of_batch(); batch.size() < size;) {
    const std::optional<std::size_t> next = next_segment();
    if (!next) break;
    batch.push_back(*next);
    message.segments.push_back({round_->seed_of(*next), round_->gates_of(*next)});
  }
  if (batch.empty()) return std::nullopt;
  batches_[++last_batch_] = std::move(batch);
  return SearchTask{last_batch_, message.message()};
}

void SegmentTeam::finish(const SearchTask& task) {
  SegmentAnswer answer = SegmentAnswer::from_message(task.content, labels_);
  const std::lock_guard lock(mutex_);
  const auto found = batches_.find(task.number);
  if (found == batches_.end()) return;
  const Batch& batch = found->second;
  if (answer.found.size() != batch.size()) throw Error("an answer of another process is damaged");
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!answer.found[i]) {
      returned_.push_back(batch[i]);
      continue;
    }
    found_[batch[i]] = std::move(answer.found[i]);
    ++done_;
  }
  batches_.erase(found);
  counts_ += answer.counts;
  for (const UsedPair& pair : answer.pairs) {
    pairs_.add(ProvedPairs::key(pair.window, pair.replacement, pair.phase), pair.window,
               pair.replacement, pair.phase);
  }
  changed_.notify_all();
}

void SegmentTeam::take_back(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = batches_.find(number);
  if (found == batches_.end()) return;
  returned_.insert(returned_.end(), found->second.begin(), found->second.end());
  batches_.erase(found);
  changed_.notify_all();
}

AnnealingCounts SegmentTeam::counts() const {
  const std::lock_guard lock(mutex_);
  AnnealingCounts counts = counts_;
  for (const auto& search : searches_) counts += search->counts();
  return counts;
}

void SegmentTeam::add_used_pairs(UsedPairs& pairs) const {
  const std::lock_guard lock(mutex_);
  for (const auto& search : searches_) {
    if (search->used_pairs() != nullptr) pairs.add(*search->used_pairs());
  }
  pairs.add(pairs_);
}

}  // namespace quartz::optimizer
